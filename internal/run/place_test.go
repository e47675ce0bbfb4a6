package run

import (
	"path/filepath"
	"testing"
	"time"
)

func TestTheDefaultFolderIsNamedByTimeAndAgent(t *testing.T) {
	p := place{root: t.TempDir(), pkg: "sub/pkg"}
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for agent, want := range map[string]string{
		"certification":    "20260102T120000Z-certification",
		"ollama:qwen3/8b":  "20260102T120000Z-ollama_qwen3_8b",
		"../..\x1b[31m/..": "20260102T120000Z-31m",
	} {
		dir, free, err := p.bundle("", agent, noon)
		if want := filepath.Join(p.root, ".bench", "runs", want, "sub", "pkg"); err != nil || dir != want || !free {
			t.Errorf("%q: %s, %v, %v, want %s", agent, dir, free, err, want)
		}
	}
}
