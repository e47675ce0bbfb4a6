package files_test

import (
	"encoding/json"
	"testing"

	"benchwright/sim/files"
)

// What is taken is valid, and is read back the same.
func FuzzParseSpec(f *testing.F) {
	f.Add([]byte(`{"env_family":"tabular","difficulty":"medium","seed":7,"generation_params":{"split":"train"}}`))
	f.Add([]byte(`{"env_family":"t","difficulty":5,"seed":0,"complexity_profile":{"file_count":3}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := files.ParseSpec(raw)
		if err != nil {
			return
		}
		written, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := files.ParseSpec(written)
		if err != nil || again.ID() != s.ID() {
			t.Errorf("read back: %v, %s and %s", err, again.ID(), s.ID())
		}
	})
}

// A manifest that is taken names no path outside of its folder, and has limits.
func FuzzParseManifest(f *testing.F) {
	f.Add([]byte(bundle()["manifest.json"].Data))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := files.ParseManifest(raw)
		if err != nil {
			return
		}
		if m.MaxSteps <= 0 || m.WorkspaceRoot != "visible" || m.HiddenRoot != "hidden" || m.Difficulty < 1 || m.Difficulty > 5 {
			t.Errorf("taken: %+v", m)
		}
	})
}
