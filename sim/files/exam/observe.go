package exam

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"benchwright/sim"
)

// OutputLimit is how many bytes of a runner's standard output have to be kept: those of files and
// values that a workspace may make, as long as they are near what is wanted.
const OutputLimit = 8 << 20

// Python runs the observer on a request and returns what it wrote to its standard output. However
// the process ended is no error of Python's; that it could not be started is.
type Python func(ctx context.Context, request []byte) (stdout []byte, err error)

// An Observation is what came of a case.
type Observation struct {
	State   string             `json:"state"`             // ok, failed or timeout
	Exit    *int               `json:"exit"`              // exit code, or minus the signal; nil at a timeout
	Said    string             `json:"said"`              // the end of what it printed, for diagnostics
	Value   json.RawMessage    `json:"value,omitempty"`   // what the calls returned, as a list
	Files   map[string]*string `json:"files,omitempty"`   // nil where there is no such regular file of text
	Trouble string             `json:"trouble,omitempty"` // what kept the observer from observing it
}

// A Run is what one observer saw of one workspace, by case.
type Run map[string]Observation

// ErrChannel is wrapped by ParseRuns's error where an observer's output is not what an observer
// writes. Only code of the workspace can bring that about.
var ErrChannel = errors.New("the observations were tampered with")

type job struct {
	Case
	ID        string `json:"id"`
	Workspace string `json:"workspace"`
}

// Asked is what a start of the observer is to do in a workspace: a folder, relative to the one that
// the observer runs in.
type Asked struct {
	Workspace string
	Cases     []Case
}

// Start lists the cases of a start of the observer, of which 0 is the first, in the order in which
// they are done. What a case is given reaches the observer when those before it are over, so that
// it is no news to them: cases that are given less come first. Of a sheet with two runs the first
// start has the cases on the workspace's own state, and those that have to come out the same; the
// second has those again, and all others.
func (s *Sheet) Start(n int) []Case {
	var list []Case
	for _, unit := range s.units() {
		repeats := slices.ContainsFunc(unit, s.Repeats)
		own := !slices.ContainsFunc(unit, func(c Case) bool { return len(c.Files) > 0 })
		if s.Runs == 1 && n == 0 || s.Runs > 1 && (repeats || own == (n == 0)) {
			list = append(list, unit...)
		}
	}
	return list
}

// Repeats reports whether a case has to come out the same twice.
func (s *Sheet) Repeats(c Case) bool {
	return slices.ContainsFunc(s.Checks, func(k Check) bool { return k.Case == c.ID && k.Aspect == Same })
}

func (s *Sheet) units() [][]Case {
	list := units(s.Cases)
	slices.SortStableFunc(list, func(a, b []Case) int { return given(a) - given(b) })
	return list
}

// units groups cases by the copy and process that they share: each script has its own, neighbouring
// calls one.
func units(cases []Case) [][]Case {
	var list [][]Case
	for i, c := range cases {
		if i > 0 && len(c.Script) == 0 && len(cases[i-1].Script) == 0 {
			list[len(list)-1] = append(list[len(list)-1], c)
			continue
		}
		list = append(list, []Case{c})
	}
	return list
}

// given is how many files are laid over a unit's copy.
func given(unit []Case) int {
	names := map[string]bool{}
	for _, c := range unit {
		for p := range c.Files {
			names[p] = true
		}
	}
	return len(names)
}

// Request is what the observer reads: a message that says what comes, and one for each unit.
func (s *Sheet) Request(token string, asked ...Asked) []byte {
	var messages [][]byte
	for i, a := range asked {
		for _, unit := range units(a.Cases) {
			jobs := make([]job, len(unit))
			for j, c := range unit {
				jobs[j] = job{c, jobID(i, c), a.Workspace}
			}
			messages = append(messages, sim.MustCanonical(jobs))
		}
	}
	request := map[string]any{"token": token, "seconds": s.Seconds, "units": len(messages)}
	if s.Together {
		request["together"] = true
	}
	var out []byte
	for _, m := range append([][]byte{sim.MustCanonical(request)}, messages...) {
		out = append(fmt.Appendf(out, "%d\n", len(m)), m...)
	}
	return out
}

func jobID(workspace int, c Case) string { return fmt.Sprintf("%d/%s", workspace, c.ID) }

// Join makes the runs of a workspace from what its starts saw: the first of each case, and what was
// seen again of those that have to come out the same.
func (s *Sheet) Join(starts []Run) []Run {
	runs := []Run{{}, {}}[:s.Runs]
	for n, seen := range starts {
		for _, c := range s.Start(n) {
			o, there := seen[c.ID]
			if !there {
				continue
			}
			if n == 0 || !slices.ContainsFunc(s.Start(0), func(first Case) bool { return first.ID == c.ID }) {
				runs[0][c.ID] = o
			} else {
				runs[1][c.ID] = o
			}
		}
	}
	return runs
}

// Observe runs the observer as often as the sheet wants it and returns the runs by workspace.
// Output that was tampered with counts as no observations.
func (s *Sheet) Observe(ctx context.Context, python Python, workspaces ...string) (map[string][]Run, error) {
	starts := make([][]Run, len(workspaces))
	for n := range s.Runs {
		var secret [16]byte
		rand.Read(secret[:])
		token := hex.EncodeToString(secret[:])
		asked := make([]Asked, len(workspaces))
		for i, w := range workspaces {
			asked[i] = Asked{w, s.Start(n)}
		}
		out, err := python(ctx, s.Request(token, asked...))
		if err != nil {
			return nil, err
		}
		runs, _, err := ParseRuns(token, out, asked...)
		if err != nil {
			runs = make([]Run, len(workspaces))
		}
		for i := range workspaces {
			starts[i] = append(starts[i], runs[i])
		}
	}
	seen := map[string][]Run{}
	for i, w := range workspaces {
		seen[w] = s.Join(starts[i])
	}
	return seen, nil
}

// ParseRuns reads an observer's output: a run for each workspace, in the order of the request, and
// whether the observer came to its end and has observed all that it was asked. The last line may
// have been cut off; that job was not observed.
func ParseRuns(token string, stdout []byte, asked ...Asked) (runs []Run, whole bool, err error) {
	type place struct {
		workspace int
		id        string
	}
	places := map[string]place{}
	runs = make([]Run, len(asked))
	for i, a := range asked {
		runs[i] = Run{}
		for _, c := range a.Cases {
			places[jobID(i, c)] = place{i, c.ID}
		}
	}
	jobs := len(places)
	for line := range bytes.Lines(stdout) {
		rest, ours := bytes.CutPrefix(line, []byte(token+" "))
		if !ours {
			continue
		}
		raw, complete := bytes.CutSuffix(rest, []byte("\n"))
		if !complete {
			break
		}
		if _, err := sim.ParseJSON(raw); err != nil {
			return nil, false, fmt.Errorf("%w: %w", ErrChannel, err)
		}
		var o struct {
			ID       string `json:"id"`
			Observed *int   `json:"observed"`
			Observation
		}
		if err := json.Unmarshal(raw, &o); err != nil {
			return nil, false, fmt.Errorf("%w: %w", ErrChannel, err)
		}
		if o.Observed != nil && !whole && len(places) == 0 && *o.Observed == jobs {
			whole = true
			continue
		}
		p, ok := places[o.ID]
		if !ok || o.Observed != nil {
			return nil, false, fmt.Errorf("%w: no job %q, or a second line for it", ErrChannel, o.ID)
		}
		delete(places, o.ID)
		runs[p.workspace][p.id] = o.Observation
	}
	return runs, whole, nil
}
