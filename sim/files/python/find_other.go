//go:build !linux

package python

import (
	"errors"
	"fmt"
	"runtime"
)

var errOther = fmt.Errorf("python: scripts run in the sandbox, which exists on Linux only, and this is %s: %w", runtime.GOOS, errors.ErrUnsupported)

// Embedded returns an error on this system, and nothing of Python is linked.
func Embedded() (Interpreter, error) { return Interpreter{}, errOther }

// Host returns an error on this system.
func Host() (Interpreter, error) { return Interpreter{}, errOther }
