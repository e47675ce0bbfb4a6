//go:build !linux

package sandbox

import (
	"context"
	"fmt"
	"os"
	"runtime"
)

func probe(context.Context, Mode) (*Sandbox, error) {
	return nil, fmt.Errorf("sandbox: %w: they can be confined on Linux only, and this is %s; run the suite in a Linux container or virtual machine", ErrRefused, runtime.GOOS)
}

// Run is never reached here, because Open always refuses.
func (s *Sandbox) Run(context.Context, Command) (Result, error) {
	return Result{}, fmt.Errorf("sandbox: %w: this is %s", ErrRefused, runtime.GOOS)
}

// Remove removes a folder that commands worked in.
func Remove(dir string) error { return os.RemoveAll(dir) }
