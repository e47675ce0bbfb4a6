package files

import (
	"path"
	"slices"
	"strings"
)

// Guidance is worded from what task.json says anyway: the artifact, the documented command and the
// files to look at. So it names nothing that an agent could not read, and holds for families of
// others.

// guide returns what an agent is told after a call that wrote or ran something, or "".
func (w *world) guide(tool, target string, ok bool) string {
	const prefix = "Guidance: "
	work := w.plan.work
	switch tool {
	case toolWrite, toolAppend:
		if !ok {
			return prefix + "the write failed; make a targeted fix and write again."
		}
		w.wrote = true
		switch {
		case work.Entrypoint != "" && target != work.Required:
			return prefix + "next, run the documented command: " + work.Entrypoint
		case target == work.Required && strings.HasSuffix(target, ".py"):
			return prefix + "next, check " + target + " by running it or what uses it; when it holds, submit " + target + "."
		case target == work.Required:
			return prefix + "the required file is written; when it is complete, submit " + target + "."
		case path.Ext(target) == ".py" && !slices.Contains(work.Targets, target):
			return prefix + "next, run the script with run_python: " + target
		case work.Required != "":
			return prefix + "next, finish " + work.Required + "."
		}
	case toolShell, toolPython:
		if !w.wrote {
			return ""
		}
		switch {
		case !ok:
			return prefix + "the run failed; read what it says and make a targeted fix."
		case !w.made(work.Required):
			return prefix + "the run passed, but " + work.Required + " does not exist yet; make it."
		}
		w.wrote = false
		if work.Required == "" {
			return prefix + "the run passed; submit now."
		}
		return prefix + "the run passed; submit " + work.Required + " now."
	}
	return ""
}

// correct returns what is wrong with a submission, or "".
func (w *world) correct(answer string) string {
	const prefix = "Submit correction: "
	required := w.plan.work.Required
	if required == "" || w.plan.unguided {
		return ""
	}
	if real, err := w.files.resolve(strings.TrimSpace(answer)); err != nil || real != required && path.Clean(answer) != required {
		return prefix + "the required artifact is " + required + "; submit this path."
	}
	if !w.made(required) {
		return prefix + required + " does not exist yet; write it, then submit its path."
	}
	return ""
}

// made reports whether a plain file is there, which is what graders see; no file is always there.
func (w *world) made(p string) bool {
	n := w.files.find(p)
	return p == "" || n != nil && n.kind == file
}
