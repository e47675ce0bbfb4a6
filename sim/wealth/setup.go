package wealth

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/sim"
)

// A Setup is what a world is built from. The JSON has exactly these three keys.
type Setup struct {
	Fixture   string `json:"fixture"`   // id of a fixture; never shown to an agent
	Household string `json:"household"` // the household that the agent acts for
	Today     string `json:"today"`     // the date of the request, 2006-01-02
}

// ParseSetup reads a setup. A missing or unknown key, and one that is named twice, is an error;
// so is a date that is none. Whether fixture and household exist is found out by Check.
func ParseSetup(raw json.RawMessage) (Setup, error) {
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return Setup{}, fmt.Errorf("wealth: setup: %w", err)
	}
	var s Setup
	fields := map[string]*string{"fixture": &s.Fixture, "household": &s.Household, "today": &s.Today}
	object, _ := v.(map[string]any)
	for key, field := range fields {
		*field, _ = object[key].(string)
	}
	if len(object) != len(fields) || s.Fixture == "" || s.Household == "" || s.Today == "" {
		return Setup{}, fmt.Errorf("wealth: setup: want an object with the strings %s and no others",
			strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
	}
	if !validDate(s.Today) {
		return Setup{}, fmt.Errorf("wealth: setup: today %q: want a date like 2006-01-02", s.Today)
	}
	return s, nil
}

// Check reports whether the fixture and the household exist and no record of the fixture is
// from after today.
func (s Setup) Check() error {
	_, err := s.fixture()
	return err
}

func (s Setup) fixture() (*fixture, error) {
	fixtures, err := load()
	if err != nil {
		return nil, err
	}
	return s.in(fixtures)
}

func (s Setup) in(fixtures map[string]*fixture) (*fixture, error) {
	f := fixtures[s.Fixture]
	if f == nil {
		return nil, fmt.Errorf("wealth: setup: unknown fixture %q; there are %s",
			s.Fixture, strings.Join(slices.Sorted(maps.Keys(fixtures)), ", "))
	}
	if f.households[s.Household] == nil {
		return nil, fmt.Errorf("wealth: setup: fixture %q has no household %q; there are %s",
			s.Fixture, s.Household, strings.Join(slices.Sorted(maps.Keys(f.households)), ", "))
	}
	if !validDate(s.Today) {
		return nil, fmt.Errorf("wealth: setup: today %q: want a date like 2006-01-02", s.Today)
	}
	if f.latest > s.Today {
		return nil, fmt.Errorf("wealth: setup: fixture %q has a record of %s, which is after today, %s",
			s.Fixture, f.latest, s.Today)
	}
	return f, nil
}
