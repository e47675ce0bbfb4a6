package files_test

import (
	"testing"

	"benchwright/sim/files"
)

// A step of a story: a call and the guidance that follows it.
type told struct{ tool, a, b, guidance string }

func TestGuidance(t *testing.T) {
	m := commands(t)
	script := "open('out.json', 'w').write('{}')\n"
	for _, test := range []struct {
		name   string
		work   files.Work
		steps  []told
		reason string
	}{
		{"artifact-by-script", files.Work{Required: "out.json"}, []told{
			{"list_directory", ".", "", ""},
			{"write_file", "make.py", "boom\n", "Guidance: next, run the script with run_python: make.py"},
			{"run_python", "make.py", "", "Guidance: the run failed; read what it says and make a targeted fix."},
			{"write_file", "make.py", "pass\n", "Guidance: next, run the script with run_python: make.py"},
			{"run_python", "make.py", "", "Guidance: the run passed, but out.json does not exist yet; make it."},
			{"append_file", "make.py", script, "Guidance: next, run the script with run_python: make.py"},
			{"submit", "out.json", "", "Submit correction: out.json does not exist yet; write it, then submit its path."},
			{"run_python", "make.py", "", "Guidance: the run passed; submit out.json now."},
			{"run_python", "make.py", "", ""},
			{"submit", "done", "", "Submit correction: the required artifact is out.json; submit this path."},
			{"submit", "./out.json", "", ""},
		}, "a script that has to make a file"},
		{"artifact-by-hand", files.Work{Required: "out.json"}, []told{
			{"run_shell", "exit 1", "", ""},
			{"write_file", "note.txt", "x", "Guidance: next, finish out.json."},
			{"write_file", "out.json", "{}", "Guidance: the required file is written; when it is complete, submit out.json."},
			{"write_file", "../out.json", "{}", "Guidance: the write failed; make a targeted fix and write again."},
		}, "a file that is written, and a run before any write"},
		{"sources-with-entrypoint", files.Work{Entrypoint: "python count.py", Targets: []string{"count.py"}}, []told{
			{"write_file", "count.py", "print(1)\n", "Guidance: next, run the documented command: python count.py"},
			{"run_shell", "python count.py", "", "Guidance: the run passed; submit now."},
			{"submit", "done", "", ""},
		}, "sources that are repaired: anything may be submitted"},
		{"program", files.Work{Required: "src/a.py", Targets: []string{"src/a.py"}}, []told{
			{"write_file", "src/a.py", "print(1)\n", "Guidance: next, check src/a.py by running it or what uses it; when it holds, submit src/a.py."},
			{"run_python", "src/a.py", "", "Guidance: the run passed; submit src/a.py now."},
		}, "a program that is the artifact"},
		{"link", files.Work{Required: "out.json"}, []told{
			{"run_shell", "ln -s README.md out.json", "", ""},
			{"submit", "out.json", "", "Submit correction: out.json does not exist yet; write it, then submit its path."},
		}, "graders do not follow links"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, unguided := range []bool{false, true} {
				if unguided && len(test.steps) > 4 { // that nothing at all is said then, the shorter stories show
					continue
				}
				w := open(t, files.KindOf(m), deskSetup(func(s *files.Setup) { s.Bundle.Work = test.work; s.Unguided = unguided }))
				for i, s := range test.steps {
					first := map[string]string{"run_python": "command_or_script", "run_shell": "command", "submit": "path_or_answer"}[s.tool]
					if first == "" {
						first = "path"
					}
					args := []string{first, s.a}
					if s.b != "" {
						args = append(args, "content", s.b)
					}
					o, r := do(t, w, s.tool, args...)
					got := ""
					if o.Guidance != nil {
						got = *o.Guidance
					}
					if unguided {
						s.guidance = ""
					}
					if got != s.guidance {
						t.Errorf("step %d, %s %s, unguided %t: guidance %q, want %q (%s)", i+1, s.tool, s.a, unguided, got, s.guidance, test.reason)
					}
					if s.tool == "submit" && r.Done != (s.guidance == "") {
						t.Errorf("step %d, submit %s, unguided %t: done is %t", i+1, s.a, unguided, r.Done)
					}
					if r.Done {
						break
					}
				}
			}
		})
	}
}
