package cmd

import (
	"context"
	"errors"
	"os"

	"benchwright/internal/run"
	"benchwright/tasks"
)

// readied readies what the world of a task runs commands in, as BENCH_SANDBOX and BENCH_PYTHON
// spell it. Where the machine can run none, making the world says so, if the task needs them.
func readied(ctx context.Context, suite tasks.Suite, t tasks.Task) error {
	if ctx == nil {
		ctx = context.Background()
	}
	var set []string
	for _, name := range []string{"BENCH_SANDBOX", "BENCH_PYTHON"} {
		set = append(set, name+"="+os.Getenv(name))
	}
	c, err := run.FromEnv(set)
	if err != nil {
		return err
	}
	boxes, err := run.NewBoxes(suite, c)
	if err != nil {
		return err
	}
	if err := boxes.Ready(ctx, suite.Kit(t.World)); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
