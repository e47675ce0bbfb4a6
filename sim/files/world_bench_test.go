package files_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/files/machine"
	"benchwright/sim/files/sandbox"
)

func benchWorld(b *testing.B, m files.Machine) sim.World {
	spec := files.NewSpec("retrieval_workspace", 4, 7)
	return open(b, files.KindOf(m, builtin.Families()...), files.Setup{Spec: &spec, MaxSteps: 1 << 30, TimeLimitSeconds: 1 << 20}.JSON())
}

func BenchmarkFileTools(b *testing.B) {
	for _, c := range []sim.Call{
		call("read_file", "path", "README.md"), call("list_directory"),
		call("write_file", "path", "artifacts/x.json", "content", strings.Repeat("{}", 500)),
	} {
		b.Run(c.Name, func(b *testing.B) {
			w := benchWorld(b, nil)
			b.ReportAllocs()
			for b.Loop() {
				if r := w.Call(b.Context(), c); !r.OK() {
					b.Fatalf("%s", r.Data)
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	spec := files.NewSpec("retrieval_workspace", 4, 7)
	setup := files.Setup{Spec: &spec}.JSON()
	kind := files.KindOf(nil, builtin.Families()...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := kind.New(b.Context(), sim.Env{}, setup, []string{"all"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkForkAndState(b *testing.B) {
	w := benchWorld(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		f, err := w.Fork()
		if err != nil {
			b.Fatal(err)
		}
		f.Call(b.Context(), sim.Call{Name: "write_file", Arguments: json.RawMessage(`{"path":"x","content":"y"}`)})
		if s, err := f.State(); err != nil || len(s.JSON()) == 0 {
			b.Fatal(err)
		}
	}
}

func BenchmarkCommand(b *testing.B) {
	for _, mode := range []string{"auto", "landlock", "none"} {
		m := machine.New(mode, "")
		if err := m.Ready(b.Context()); errors.Is(err, sandbox.ErrRefused) {
			b.Logf("SKIPPED: %v", err)
			continue
		}
		for _, c := range []sim.Call{call("run_shell", "command", "true"), call("run_python", "command_or_script", "x.py")} {
			b.Run(mode+"/"+c.Name, func(b *testing.B) {
				w := benchWorld(b, m)
				do(b, w, "write_file", "path", "x.py", "content", "print(1)\n")
				for b.Loop() {
					if r := w.Call(b.Context(), c); !r.OK() {
						b.Fatalf("%s %s", r.Data, r.Fault)
					}
				}
			})
		}
	}
}
