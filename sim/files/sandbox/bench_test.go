//go:build linux

package sandbox_test

import (
	"context"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"benchwright/sim/files/sandbox"
)

// BenchmarkCommand is the cost of the smallest command at each level; bare is what it costs
// without this package.
func BenchmarkCommand(b *testing.B) {
	b.Run("bare", func(b *testing.B) {
		_, dir := folder(b)
		for b.Loop() {
			cmd := exec.Command("/bin/sh", "-c", "true")
			cmd.Dir = dir
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, mode := range []sandbox.Mode{sandbox.None, sandbox.Landlock, sandbox.Auto} {
		box, err := sandbox.Open(context.Background(), mode)
		if err != nil {
			b.Log(err)
			continue
		}
		b.Run(box.Level().String(), func(b *testing.B) {
			_, dir := folder(b)
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if res, err := box.Run(context.Background(), shell(dir, "true")); err != nil || !res.OK() {
					b.Fatal(res, err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
		})
		b.Run(box.Level().String()+"/four-at-once", func(b *testing.B) {
			var all sync.WaitGroup
			for w := range 4 {
				_, dir := folder(b)
				n := (b.N + w) / 4
				all.Go(func() {
					for range n {
						if res, err := box.Run(context.Background(), shell(dir, "true")); err != nil || !res.OK() {
							b.Error(res, err)
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// BenchmarkPython is the start of a script, and of one that imports what graders do.
func BenchmarkPython(b *testing.B) {
	box, err := sandbox.Open(context.Background(), sandbox.Auto)
	if err != nil {
		b.Skip(err)
	}
	py := interpreter(b)
	for name, script := range map[string]string{"pass": "pass", "imports": "import csv, json, datetime, pathlib, unittest"} {
		b.Run(name, func(b *testing.B) {
			_, dir := folder(b)
			for b.Loop() {
				if res, err := box.Run(context.Background(), py.Command(box, dir, "-c", script)); err != nil || !res.OK() {
					b.Fatal(res, err)
				}
			}
		})
	}
}
