package files

import (
	"context"
	"errors"
	"fmt"

	"benchwright/sim/files/machine"
	"benchwright/sim/files/sandbox"
	"benchwright/tasks"
)

// isolate returns the hook of a kit whose commands run on the machine.
func isolate(m *machine.Machine) func(ctx context.Context, mode, python string) (tasks.Isolation, error) {
	return func(ctx context.Context, mode, python string) (tasks.Isolation, error) {
		m.Set(mode, python)
		level, err := m.Level(ctx)
		if err != nil {
			if errors.Is(err, sandbox.ErrRefused) {
				err = fmt.Errorf("%w: %w", err, errors.ErrUnsupported)
			}
			return tasks.Isolation{}, err
		}
		interpreter, err := m.Interpreter(ctx)
		if err != nil {
			return tasks.Isolation{}, err
		}
		if python == "" {
			python = "embedded"
		}
		return tasks.Isolation{Level: level, Python: python + " " + interpreter}, nil
	}
}
