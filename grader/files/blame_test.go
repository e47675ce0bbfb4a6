package files

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"benchwright/grader"
	world "benchwright/sim/files"
	"benchwright/sim/files/machine"
	"benchwright/sim/files/sandbox"
)

// A poor machine has less of something than it should.
type poor struct {
	*machine.Machine
	less func(l *sandbox.Limits)
}

func (p poor) Observe(ctx context.Context, dir, script string, seed int, request []byte, l sandbox.Limits) (sandbox.Result, error) {
	p.less(&l)
	return p.Machine.Observe(ctx, dir, script, seed, request, l)
}

// TestWhoseDoingItIs has workspaces that solve the task on machines that lack something, which is
// broken and no score, and workspaces that bring the observer down on a sound machine, which fail.
func TestWhoseDoingItIs(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: runs much Python")
	}
	in := attacked(t, "")
	data := world.Tree{"data.json": `[["a",1],["b",4],["a",2]]`}
	for mode, m := range walls(t, sandbox.Auto, sandbox.Landlock) {
		roomy := honest + "open('out/more', 'w').write('x' * 200_000)\n"
		for name, less := range map[string]func(l *sandbox.Limits){
			"no-processes":   func(l *sandbox.Limits) { l.Processes = 1 },
			"no-room":        func(l *sandbox.Limits) { l.Disk = 1 },
			"little-room":    func(l *sandbox.Limits) { l.Disk = 60 << 10 },
			"no-descriptors": func(l *sandbox.Limits) { l.Open = 5 },
			"no-memory":      func(l *sandbox.Limits) { l.Memory, l.Address = 8<<20, 16<<20 },
		} {
			if mode != sandbox.Auto && strings.Contains(name, "room") {
				continue // the watchdog counts there, and a small program is faster
			}
			t.Run(string(mode)+"/"+name, func(t *testing.T) {
				r, err := New(library, poor{m, less}).evaluate(t.Context(), in, data.With(world.Tree{"run.py": roomy}))
				var broken grader.BrokenError
				if !errors.As(err, &broken) || broken.Layer != grader.LayerToolRuntime && !strings.Contains(err.Error(), "sandbox: ") {
					t.Errorf("%v, %+v", err, r)
				}
			})
		}
		for name, run := range map[string]string{
			"kills-the-observer":  "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n",
			"fills-the-disk":      "i = 0\nwhile True:\n    i += 1\n    open('/tmp/f%d' % i, 'wb').write(b'x' * (8 << 20))\n",
			"forks-without-end":   "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n",
			"leaves-processes":    "import os, time\nfor _ in range(200):\n    try:\n        if os.fork() == 0:\n            os.setsid()\n            time.sleep(600)\n    except OSError:\n        pass\n",
			"says-that-room-ends": "import sys\nsys.exit('OSError: [Errno 28] No space left on device')\n",
			"takes-all-memory":    "x = []\nwhile True:\n    x.append(bytearray(8 << 20))\n",
		} {
			t.Run(string(mode)+"/"+name, func(t *testing.T) {
				r, err := New(library, m).evaluate(t.Context(), in, data.With(world.Tree{"run.py": run}))
				if err != nil || r.Success || r.Score > 0.5 {
					t.Errorf("%v\n%s", err, r.JSON())
				}
			})
		}
	}
}

// A library that lost a file which the observer needs is no agent's doing.
func TestALostLibraryIsTheMachines(t *testing.T) {
	for _, m := range walls(t, sandbox.Auto) {
		in := attacked(t, "")
		tree := world.Tree{"data.json": "[]", "run.py": honest}
		r, err := New(library, lost{m}).evaluate(t.Context(), in, tree)
		var broken grader.BrokenError
		if !errors.As(err, &broken) || broken.Layer != grader.LayerToolRuntime || !strings.Contains(err.Error(), "ModuleNotFoundError") {
			t.Errorf("%v, %+v", err, r)
		}
	}
}

// A lost machine's Python does not find a module of its library that the observer loads.
type lost struct{ *machine.Machine }

func (l lost) Observe(ctx context.Context, dir, script string, seed int, request []byte, limits sandbox.Limits) (sandbox.Result, error) {
	text, err := os.ReadFile(script)
	if err != nil {
		return sandbox.Result{}, err
	}
	without := strings.Replace(string(text), "import shutil\n", "sys.modules['shutil'] = None\nimport shutil\n", 1)
	without = strings.Replace(without, "import atexit\n", "import sys\nimport atexit\n", 1)
	if err := os.WriteFile(script, []byte(without), 0o644); err != nil {
		return sandbox.Result{}, err
	}
	return l.Machine.Observe(ctx, dir, script, seed, request, limits)
}
