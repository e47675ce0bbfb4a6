package files

import (
	"context"
	"time"

	"benchwright/sim/files/sandbox"
)

// A Machine runs the commands of agents. Package machine has the one that is meant.
//
// It is an interface so that who never runs a command need not carry a Python.
type Machine interface {
	// Ready says why no commands can be run here, if so.
	Ready(ctx context.Context) error
	// Run runs one command. What the command did is in the result, in which no path of the host
	// stands; an error is the machine's own.
	Run(ctx context.Context, c Command) (sandbox.Result, error)
}

// A Command is one that a tool was asked to run: a line for the shell, or a Python script with its
// arguments.
type Command struct {
	Dir    string // the folder on the host that it works in
	Line   string
	Script []string // takes the place of Line
	Wall   time.Duration
}

// noMachine stands for a machine that there is not.
type noMachine struct{}

func (noMachine) Ready(context.Context) error {
	return errorf("commands cannot be run: the world was made without a machine for them")
}

func (m noMachine) Run(ctx context.Context, _ Command) (sandbox.Result, error) {
	return sandbox.Result{}, m.Ready(ctx)
}
