package files

import (
	"context"
	"errors"
	"fmt"

	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// sound asks of a machine somewhat more than honest workspaces do: of room, processes, memory and
// library. It is what a control runs.
const sound = `import argparse, collections, csv, dataclasses, datetime, decimal, functools, importlib, itertools
import json, os, pathlib, re, shutil, signal, statistics, subprocess, tempfile, time, typing, zoneinfo

held = bytearray(b"x" * (32 << 20))
with open("room", "wb") as file:
    file.write(held[: 4 << 20])
children = []
try:
    for _ in range(8):
        child = os.fork()
        if not child:
            time.sleep(60)
            os._exit(0)
        children.append(child)
finally:
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
pathlib.Path("out.json").write_text(json.dumps({"sound": True}))
`

// control decides whose doing it is that an observer did not observe all, or that a machine had no
// more of something: it starts the observer in the same way on a workspace of the grader's own. If
// that fails too the machine is to blame, and the error says in what.
func control(ctx context.Context, m Machine, dir, script string) error {
	sheet := &exam.Sheet{
		Runs: 1, Seconds: 30,
		Cases: []exam.Case{
			{ID: "sound", Script: []string{"sound.py"}, Read: []string{"out.json"}},
			{ID: "again", Script: []string{"sound.py"}, Read: []string{"out.json"}, Files: world.Tree{"data.json": "[]\n"}},
		},
	}
	if err := write(dir+"/w0", world.Tree{"sound.py": sound}); err != nil {
		return err
	}
	asked := exam.Asked{Workspace: "w0", Cases: sheet.Start(0)}
	runs, trouble, err := start(ctx, m, sheet, 0, dir, script, []exam.Asked{asked})
	switch {
	case err != nil:
		return err
	case trouble != "":
		return errors.New(trouble)
	}
	for _, c := range asked.Cases {
		o := runs[0][c.ID]
		if text := o.Files["out.json"]; o.State != "ok" || text == nil || *text != `{"sound": true}` {
			return fmt.Errorf("case %s: %v", c.ID, story(o))
		}
	}
	return nil
}
