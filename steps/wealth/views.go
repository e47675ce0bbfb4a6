package wealth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/grader/wealth/scorer"
	"benchwright/reports"
	"benchwright/tasks"
)

// views derives the published run bundle from a bundle: for each suite with published cases a
// folder named after it, with bundle.json and the files that it vouches for. With several
// trials the folder holds the first, and trial-2, trial-3 … below it the others.
//
// all are the tasks of the world, those that were not selected included: they are the
// denominator. The files follow from the bundle and the tasks alone, byte for byte. A bundle of
// a certification has none, and neither has one in which no published case was selected.
func views(_ context.Context, bundle fs.FS, all []tasks.Task) (map[string][]byte, error) {
	r, err := reports.OpenFS(bundle, "of the views")
	if err != nil {
		return nil, err
	}
	run := r.Run()
	if run.Kind == reports.KindCertification {
		return nil, nil
	}
	bySuite := map[string][]tasks.Task{}
	for _, t := range all {
		if _, ok := t.Label("case"); ok {
			bySuite[t.ID.Suite()] = append(bySuite[t.ID.Suite()], t)
		}
	}
	out := map[string][]byte{}
	for _, suite := range slices.Sorted(maps.Keys(bySuite)) {
		trials, err := predictions(r, bySuite[suite])
		if err != nil {
			return nil, err
		}
		if len(trials[1]) == 0 && !selected(run, suite) {
			continue
		}
		src, err := Files(bySuite[suite])
		if err != nil {
			return nil, err
		}
		for trial, lines := range trials {
			files, err := scorer.Assemble(lines, src, manifest(run, src), candidate(run, bySuite[suite]), environment(run))
			if err != nil {
				return nil, fmt.Errorf("suite %s, trial %d: %w", suite, trial, err)
			}
			folder := suite
			if trial > 1 {
				folder = path.Join(suite, fmt.Sprintf("trial-%d", trial))
			}
			for name, data := range files {
				out[path.Join(folder, name)] = data
			}
		}
	}
	return out, nil
}

// selected reports whether the run meant to play anything of a suite.
func selected(run reports.Run, suite string) bool {
	return slices.ContainsFunc(run.Tasks, func(s reports.Selected) bool { return s.ID.Suite() == suite })
}

// Files returns the task files that the run bundles of a suite refer to, and the digests of the
// system texts that a model may have been sent.
func Files(all []tasks.Task) (src scorer.Sources, err error) {
	var errs [3]error
	src.Inputs, errs[0] = candidateInputs(all)
	src.Cases, errs[1] = casesFile(all)
	src.Fixtures, errs[2] = fixturesFile(all)
	if err := errors.Join(errs[:]...); err != nil {
		return src, err
	}
	cases, err := publish(all)
	if err != nil {
		return src, err
	}
	for _, turns := range []string{jsonTurns, toolsTurns} {
		src.Protocols = append(src.Protocols, protocolDigest(turns, cases))
	}
	return src, nil
}

// protocolDigest is the digest of the system text, or of all of them where tasks bring their own.
func protocolDigest(turns string, cases []published) string {
	var texts []string
	for _, c := range cases {
		rules := c.System
		if rules == "" {
			rules = Rules
		}
		texts = append(texts, turns+"\n\n"+rules)
	}
	slices.Sort(texts)
	return digest(strings.Join(slices.Compact(texts), "\n\n"))
}

// predictions returns the predictions file of each trial. What was skipped has no record.
func predictions(r *reports.Reader, all []tasks.Task) (map[int][]byte, error) {
	cases, err := publish(all)
	if err != nil {
		return nil, err
	}
	run := r.Run()
	lines := map[int]map[string][]byte{1: {}} // by trial and case
	for rec, err := range r.Records() {
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(cases, func(c published) bool { return c.ID == rec.Task })
		if i < 0 || rec.Outcome == grader.Skipped {
			continue
		}
		if rec.TaskDigest != cases[i].Digest() {
			return nil, fmt.Errorf("record %s: the task has changed since it was played (digest %.12s, now %.12s)", rec.Key(), rec.TaskDigest, cases[i].Digest())
		}
		p, err := cases[i].prediction(run, &rec.Episode)
		if err != nil {
			return nil, err
		}
		line, err := p.Line()
		if err != nil {
			return nil, err
		}
		if lines[rec.Trial] == nil {
			lines[rec.Trial] = map[string][]byte{}
		}
		lines[rec.Trial][p.CaseID] = line
	}
	out := map[int][]byte{}
	for trial, byCase := range lines {
		var b bytes.Buffer
		for _, c := range cases {
			b.Write(byCase[c.caseID])
		}
		out[trial] = b.Bytes()
	}
	return out, nil
}

func manifest(run reports.Run, src scorer.Sources) scorer.Manifest {
	m := scorer.Manifest{RunKind: runKind(run), CreatedAt: run.Started, ProtocolDigest: src.Protocols[0]}
	if run.Protocol == agent.ProtocolTools {
		m.ProtocolDigest = src.Protocols[1]
	}
	return m
}

// candidate says what answered, as far as the run knows.
func candidate(run reports.Run, all []tasks.Task) scorer.Candidate {
	model := modelOf(run)
	c := scorer.Candidate{Model: model.Name, Digest: model.Digest, EndpointHostClass: "none", Options: run.Model.Options, Limits: limits(all)}
	if runKind(run) != scorer.KindModel {
		return c
	}
	text := func(key, otherwise string) string {
		if s, ok := run.Model.Details[key].(string); ok {
			return s
		}
		return otherwise
	}
	c.TemplateSHA256, c.Quantization, c.RuntimeVersion = text("template_sha256", ""), text("quantization", ""), run.Model.Version
	c.EndpointHostClass = text("endpoint_host_class", "unknown")
	list, _ := run.Model.Details["parameters"].([]any)
	for _, p := range list {
		if s, ok := p.(string); ok {
			c.Parameters = append(c.Parameters, s)
		}
	}
	for _, known := range []any{run.Model.Details["http_retries"], run.Options["retries"]} {
		if n, ok := whole(known); ok && c.HTTPRetries == nil {
			c.HTTPRetries = &n
		}
	}
	return c
}

// whole reads a whole number that went through JSON.
func whole(v any) (int, bool) {
	switch n := v.(type) {
	case float64:
		return int(n), n == float64(int(n))
	case json.Number:
		i, err := n.Int64()
		return int(i), err == nil
	}
	return 0, false
}

// limits are those that all cases share.
func limits(all []tasks.Task) scorer.Limits {
	var l scorer.Limits
	first := all[0].Limits
	agree := func(limit func(tasks.Limits) int64) bool {
		return limit(first) != 0 && !slices.ContainsFunc(all, func(t tasks.Task) bool { return limit(t.Limits) != limit(first) })
	}
	if agree(func(l tasks.Limits) int64 { return int64(l.Turns) }) {
		l.Decisions = &first.Turns
	}
	if agree(func(l tasks.Limits) int64 { return int64(l.Wall) }) {
		seconds := time.Duration(first.Wall).Seconds()
		l.Seconds = &seconds
	}
	if agree(func(l tasks.Limits) int64 { return int64(l.OutputTokens) }) {
		l.Tokens = &first.OutputTokens
	}
	return l
}

func environment(run reports.Run) scorer.Environment {
	e := scorer.Environment{OS: run.OS, Arch: run.Arch, GoVersion: run.Go, ModuleVersion: run.Version}
	if run.CPUs > 0 {
		e.CPUCount = &run.CPUs
	}
	return e
}
