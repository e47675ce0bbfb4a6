package machine

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"benchwright/sim/files/sandbox"
)

// Observe runs a grader's own script with the argument --observe in dir, where it meets what
// agents left: it is lent, to be read, and imports nothing from there by itself. seed is that of
// Python's hashes, so that what depends on the order of a set comes out the same at every grading,
// and differs between two seeds.
func (m *Machine) Observe(ctx context.Context, dir, script string, seed int, request []byte, limits sandbox.Limits) (sandbox.Result, error) {
	box, py, err := m.Open(ctx)
	if err != nil {
		return sandbox.Result{}, err
	}
	lent := sandbox.Mount{Host: script, Inside: "/mnt/" + filepath.Base(script)}
	c := py.Command(box, dir, "-P", "-s", lent.Path(box), "--observe")
	c.Lent = append(c.Lent, lent)
	const hashes = "PYTHONHASHSEED="
	for i, v := range c.Env {
		if strings.HasPrefix(v, hashes) {
			c.Env[i] = hashes + strconv.Itoa(seed)
		}
	}
	c.Stdin, c.Limits = request, limits
	res, err := box.Run(ctx, c)
	if err != nil {
		return res, fmt.Errorf("machine: %w", err)
	}
	return res, nil
}
