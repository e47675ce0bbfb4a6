package wiki

import (
	"encoding/json"
	"slices"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
)

// A State is what a state of this world says, for graders. It is the reader's own, but what it
// points to is shared.
type State struct {
	Case          string               `json:"case"`
	Digests       Digests              `json:"digests"`
	Ledger        []fixture.LedgerLine `json:"ledger"`
	Pages         map[string]string    `json:"pages"` // texts by page id
	Stage         string               `json:"stage"` // the present one; Preparation before the first
	Stages        []StageState         `json:"stages"`
	StructureHash string               `json:"structure_hash"` // of the structure that the pages have
}

// Digests are those of the fixture, and of the read-only roots as they were computed when a stage
// began or was finished last.
type Digests struct {
	Fixture string `json:"fixture"`
	Skills  string `json:"skills"`
	Source  string `json:"source"`
}

// A StageState is what has become of a stage.
type StageState struct {
	Name     string          `json:"name"`
	Selected []string        `json:"selected"` // the pages that may be written in it, by the host's choice
	Locked   bool            `json:"locked"`
	Finished bool            `json:"finished"`
	Answer   json.RawMessage `json:"answer,omitempty"` // canonical; of finish
}

// ReadState returns what a state says. Keys that it does not know are ignored, because a recorded
// state may come from a later version.
func ReadState(s sim.State) (*State, error) {
	if m, ok := s.(*moment); ok {
		return m.state(), nil
	}
	if s == nil {
		return nil, errorf("there is no state")
	}
	var out State
	if err := json.Unmarshal(s.JSON(), &out); err != nil {
		return nil, errorf("state: %w", err)
	}
	return &out, nil
}

func (m *moment) state() *State {
	s := &State{
		Case: m.library.c.ID, Digests: m.digests, Ledger: m.lines(), Pages: make(map[string]string, len(m.wiki.pages)),
		Stage: m.name(), Stages: slices.Clone(m.stages), StructureHash: m.wiki.structureHash(),
	}
	for _, p := range m.wiki.pages {
		s.Pages[p.id] = p.text
	}
	return s
}
