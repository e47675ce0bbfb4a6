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
	State string             `json:"state"`           // ok, failed or timeout
	Exit  *int               `json:"exit"`            // exit code, or minus the signal; nil at a timeout
	Said  string             `json:"said"`            // the end of what it printed, for diagnostics
	Value json.RawMessage    `json:"value,omitempty"` // what the calls returned, as a list
	Files map[string]*string `json:"files,omitempty"` // nil where there is no such regular file of text
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

// Request is what the observer of a run reads, of which 0 is the first: every case for every
// workspace, or, in a second run, those that have to come out the same. Workspaces are folders,
// relative to the one that the observer runs in.
func (s *Sheet) Request(run int, token string, workspaces ...string) []byte {
	jobs := []job{}
	for i, w := range workspaces {
		for _, c := range s.Cases {
			if run > 0 && !s.repeats(c) {
				continue
			}
			jobs = append(jobs, job{c, jobID(i, c), w})
		}
	}
	return sim.MustCanonical(map[string]any{"token": token, "seconds": s.Seconds, "jobs": jobs})
}

func (s *Sheet) repeats(c Case) bool {
	return slices.ContainsFunc(s.Checks, func(k Check) bool { return k.Case == c.ID && k.Aspect == Same })
}

func jobID(workspace int, c Case) string { return fmt.Sprintf("%d/%s", workspace, c.ID) }

// Observe runs the observer as often as the sheet wants it and returns the runs by workspace.
// Output that was tampered with counts as no observations.
func (s *Sheet) Observe(ctx context.Context, python Python, workspaces ...string) (map[string][]Run, error) {
	seen := map[string][]Run{}
	for run := range s.Runs {
		var secret [16]byte
		rand.Read(secret[:])
		token := hex.EncodeToString(secret[:])
		out, err := python(ctx, s.Request(run, token, workspaces...))
		if err != nil {
			return nil, err
		}
		runs, err := s.ParseRuns(token, out, len(workspaces))
		if err != nil {
			runs = make([]Run, len(workspaces))
		}
		for i, w := range workspaces {
			seen[w] = append(seen[w], runs[i])
		}
	}
	return seen, nil
}

// ParseRuns reads an observer's output: a run for each workspace, in the order of the request.
// The last line may have been cut off; that job was not observed.
func (s *Sheet) ParseRuns(token string, stdout []byte, workspaces int) ([]Run, error) {
	type place struct {
		workspace int
		id        string
	}
	places := map[string]place{}
	runs := make([]Run, workspaces)
	for i := range runs {
		runs[i] = Run{}
		for _, c := range s.Cases {
			places[jobID(i, c)] = place{i, c.ID}
		}
	}
	for line := range bytes.Lines(stdout) {
		rest, ours := bytes.CutPrefix(line, []byte(token+" "))
		if !ours {
			continue
		}
		raw, whole := bytes.CutSuffix(rest, []byte("\n"))
		if !whole {
			break
		}
		if _, err := sim.ParseJSON(raw); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrChannel, err)
		}
		var o struct {
			ID string `json:"id"`
			Observation
		}
		if err := json.Unmarshal(raw, &o); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrChannel, err)
		}
		p, ok := places[o.ID]
		if !ok {
			return nil, fmt.Errorf("%w: no job %q, or a second line for it", ErrChannel, o.ID)
		}
		delete(places, o.ID)
		runs[p.workspace][p.id] = o.Observation
	}
	return runs, nil
}
