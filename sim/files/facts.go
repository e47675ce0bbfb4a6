package files

import (
	"encoding/json"

	"benchwright/sim"
)

// Facts is what a world notes about a call, for graders and records alone: [sim.Result.Facts].
type Facts struct {
	Before  string            `json:"before"` // workspace digests, whether they are shown or not
	After   string            `json:"after"`
	Changed map[string]Change `json:"changed,omitempty"` // files and links, by path; the first thousand
	More    int               `json:"more,omitempty"`    // that changed beside them
	Read    string            `json:"read,omitempty"`    // the file that was read, links followed
}

// A Change is what became of a file, as digests of its content; null is no file.
type Change struct {
	Before *string `json:"before"`
	After  *string `json:"after"`
}

// mostChanged is how many changes of one call are noted.
const mostChanged = 1000

// facts compares the workspace with what it was.
func facts(before, after *snapshot, read string) json.RawMessage {
	f := Facts{Before: before.sum(), After: after.sum(), Read: read}
	paths := changed(before, after)
	if n := len(paths) - mostChanged; n > 0 {
		f.More, paths = n, paths[:mostChanged]
	}
	for _, p := range paths {
		if f.Changed == nil {
			f.Changed = make(map[string]Change, len(paths))
		}
		f.Changed[p] = Change{before.digestOf(p), after.digestOf(p)}
	}
	return sim.MustCanonical(f)
}

// digestOf is the digest of what is at a path, or nil.
func (s *snapshot) digestOf(p string) *string {
	n := s.find(p)
	if n == nil || n.kind == folder {
		return nil
	}
	d := n.digest()
	return &d
}

// ParseFacts reads what a world of this package noted about a call.
func ParseFacts(raw json.RawMessage) (Facts, error) {
	var f Facts
	if err := strict(raw, &f); err != nil {
		return f, errorf("facts: %w", err)
	}
	return f, nil
}
