package files

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/internal/regular"
	world "benchwright/sim/files"
	"benchwright/tasks"
)

// Unnamed is the suite of a folder that names none.
const Unnamed = "workspaces"

const manifestFile = "manifest.json"

// maxManifest is what a manifest of a workspace may weigh: it holds the reference solution.
const maxManifest = 64 << 20

// open reads compiled workspaces in the published layout: one in the folder itself, one in each
// folder below it, or an export with its manifest.jsonl and environments/. Of anything else it says
// false. Everything that is wrong, in all of them, is reported together.
func (s *Workshop) open(pack fs.FS) ([]tasks.Task, bool, error) {
	suite, dirs, problems := find(pack)
	if len(dirs) == 0 && len(problems) == 0 {
		return nil, false, nil
	}
	var out []tasks.Task
	for _, dir := range dirs {
		at := grader.Source{File: path.Join(dir, manifestFile), Line: 1}
		t, err := s.openOne(pack, dir, suite)
		if err != nil {
			problems = append(problems, tasks.Problem{Source: at, Text: err.Error()})
			continue
		}
		t.Source = tasks.Source{File: at.File, Line: 1}
		for i := range t.Rubric.Checks {
			t.Rubric.Checks[i].Source = at
		}
		out = append(out, t)
	}
	if len(problems) > 0 {
		return nil, true, tasks.Errors(problems)
	}
	return out, true, nil
}

func (s *Workshop) openOne(pack fs.FS, dir, suite string) (tasks.Task, error) {
	root, err := fs.Sub(pack, dir)
	if err != nil {
		return tasks.Task{}, err
	}
	in, err := world.Load(root)
	if err != nil {
		return tasks.Task{}, err
	}
	if err := s.grader.Check(in); err != nil {
		return tasks.Task{}, err
	}
	j := s.fromFolder(in)
	m := &in.Manifest
	if dir != "." && path.Base(dir) != m.EnvID {
		return tasks.Task{}, fmt.Errorf("env_id is %q, and the folder is called %q: they must agree", clip(m.EnvID), clip(path.Base(dir)))
	}
	t := tasks.Task{
		ID:    tasks.ID(fmt.Sprintf("%s/%s/%s", suite, name(m.Family), name(m.EnvID))),
		Title: m.EnvID,
		World: s.library.Kind(s.machine).Name,
		Tools: []string{tasks.AllTools},
	}
	t.Rubric.Checks = []grader.Check{{Rule: j.rule}}
	if err := j.complete(&t, limits{m.MaxSteps, m.MaxSteps, m.TimeLimitSeconds}); err != nil {
		return tasks.Task{}, err
	}
	t.Labels = append([]string{"suite:" + suite, "world:" + t.World, "family:" + t.ID.Family()}, t.Labels...)
	return t, nil
}

// find lists the folders of compiled workspaces, in order, and the suite that they make up.
func find(pack fs.FS) (suite string, dirs []string, problems []tasks.Problem) {
	if compiled(pack, ".") {
		return Unnamed, []string{"."}, nil
	}
	if rows, ok, err := exported(pack); ok {
		if err != nil {
			return "", nil, []tasks.Problem{{Source: grader.Source{File: exportFile, Line: 1}, Text: err.Error()}}
		}
		return exportName(pack), rows, nil
	}
	entries, err := fs.ReadDir(pack, ".")
	if err != nil {
		return "", nil, nil // whoever reads it next will say so
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && compiled(pack, e.Name()) {
			dirs = append(dirs, e.Name())
		}
	}
	return Unnamed, dirs, nil
}

// compiled reports whether a folder means to be a compiled workspace: it has two of visible/,
// hidden/ and a manifest. What one lacks, or a manifest that cannot be read, is then an error and
// not another sort of folder.
func compiled(pack fs.FS, dir string) bool {
	signs := 0
	for _, half := range []string{"visible", "hidden"} {
		if info, err := fs.Stat(pack, path.Join(dir, half)); err == nil && info.IsDir() {
			signs++
		}
	}
	if signs == 0 {
		return false
	}
	raw, err := regular.ReadFS(pack, path.Join(dir, manifestFile), maxManifest)
	if err != nil {
		return signs == 2
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m["env_id"] != nil {
		signs++
	}
	return signs >= 2
}

// exportFile lists the workspaces of an export, a JSON object a line.
const exportFile = "manifest.jsonl"

// exported returns the folders of an export's rows.
func exported(pack fs.FS) (dirs []string, ok bool, err error) {
	raw, err := regular.ReadFS(pack, exportFile, maxManifest)
	if err != nil {
		return nil, false, nil
	}
	n := 0
	for line := range strings.Lines(string(raw)) {
		n++
		if strings.TrimSpace(line) == "" {
			continue
		}
		var row struct {
			EnvID string `json:"env_id"`
			Path  string `json:"environment_path"`
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil || row.EnvID == "" {
			if n == 1 {
				return nil, false, nil // lines of something else
			}
			return nil, true, fmt.Errorf("line %d: want a JSON object with env_id and environment_path", n)
		}
		if !fs.ValidPath(row.Path) || row.Path == "." {
			return nil, true, fmt.Errorf("line %d: environment_path %q is not a path within the export", n, clip(row.Path))
		}
		if slices.Contains(dirs, row.Path) {
			return nil, true, fmt.Errorf("line %d: %s is listed twice", n, clip(row.Path))
		}
		dirs = append(dirs, row.Path)
	}
	return dirs, len(dirs) > 0, nil
}

// exportName is the suite of an export: the name in its metadata.json.
func exportName(pack fs.FS) string {
	var meta struct{ Name string }
	raw, err := regular.ReadFS(pack, "metadata.json", maxManifest)
	if err != nil || json.Unmarshal(raw, &meta) != nil || meta.Name == "" {
		return Unnamed
	}
	return name(meta.Name)
}
