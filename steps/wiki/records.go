package wiki

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"benchwright/agent"
	rules "benchwright/grader/wiki"
	"benchwright/reports"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/sim/wiki/loops"
	"benchwright/tasks"
)

// records makes the five records of a run and their seal. What an agent wrote is marked in them where no
// record may hold it. Where one would hold such a thing of the host's own, it is left out, nothing is
// sealed, and the others say why there is no valid score.
func (p played) records(ctx context.Context) (map[string][]byte, error) {
	run := rules.Run{Case: p.c}
	if p.qualification != nil {
		q, err := p.qualification.played()
		if err != nil {
			return nil, err
		}
		run.Qualification = &q
	}
	for _, e := range p.trials {
		t, err := e.played()
		if err != nil {
			return nil, err
		}
		run.Trials = append(run.Trials, t)
	}
	files, err := p.write(ctx, run)
	if err != nil {
		return nil, err
	}
	hits := rules.Redacted(files)
	if len(hits) > 0 { // of what the agent wrote, perhaps, which is no fault of the records
		run = run.Muted()
		if files, err = p.write(ctx, run); err != nil {
			return nil, err
		}
		hits = rules.Redacted(files)
	}
	if len(hits) == 0 {
		files[rules.SealFile], err = rules.Seal(files)
		return files, err
	}
	if run.Qualification != nil {
		run.Qualification.Circumstances.Redaction = hits
	}
	for i := range run.Trials {
		run.Trials[i].Circumstances.Redaction = hits
	}
	if files, err = p.write(ctx, run); err != nil {
		return nil, err
	}
	for name, raw := range files {
		if len(rules.Redacted(map[string][]byte{name: raw})) > 0 {
			delete(files, name)
		}
	}
	return files, nil
}

// played is an episode with what it is held against.
func (e episode) played() (rules.Played, error) {
	out := rules.Played{Checks: e.task.Rubric.Checks, Circumstances: rules.Circumstances{Reads: reads}}
	if e.record == nil {
		out.Circumstances.Lost = true
		return out, nil
	}
	raw, err := json.Marshal(&e.record.Episode)
	if err == nil {
		out.Record, err = rules.ParseRecord(raw)
	}
	return out, err
}

// reads reports whether a reply that was not understood can be read, so that the fault would be the
// adapter's.
func reads(t rules.Turn) bool {
	_, err := Dialect{}.Parse(tasks.Envelope{}, t.Reply.Text)
	return err == nil
}

// write makes the five records.
func (p played) write(ctx context.Context, run rules.Run) (map[string][]byte, error) {
	g, err := rules.GradeRun(ctx, run)
	if err != nil {
		return nil, err
	}
	m := p.manifest()
	events, err := p.events(m, run, g)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{rules.ManifestFile: m.JSON(), rules.EventsFile: events, rules.GradingFile: g.JSON()}
	s := rules.Summarise(m, run, g, files)
	files[rules.SummaryFile] = s.JSON()
	files[rules.ReportFile] = rules.Report(m, g, s)
	return files, nil
}

// manifest says what ran. All of it is of run.json and of the tasks, which stood before the first
// request.
func (p played) manifest() rules.Manifest {
	run, c := p.run, p.c
	m := rules.Manifest{
		Schema: rules.ManifestSchema, RunID: run.ID, RunType: rules.QualificationRun,
		Case:   rules.ManifestCase{ID: c.ID, FixtureDigest: c.Fixture.Digests.Fixture, SkeletonHash: c.Fixture.Digests.Skeleton, Counts: c.Fixture.Counts},
		Budget: map[string]world.Budget{}, LoopLimits: map[string]int{}, Trials: len(p.trials), SelectedPages: []string{},
		PromptDigest: string(run.Prompts), SkillsDigest: c.Fixture.Digests.Skills, CreatedAt: run.Started.UTC().Format(time.RFC3339),
		Runtime: rules.Runtime{Harness: harness(run), Go: run.Go, OS: run.OS, Arch: run.Arch, Adapter: "benchwright loop, protocol " + run.Protocol, AdapterVersion: run.Grader},
		Profile: profile(run),
	}
	for _, k := range loops.Kinds() {
		m.LoopLimits[string(k)] = loops.Limit(k)
	}
	if len(p.trials) > 0 {
		m.RunType = rules.FormalRun
		if p.qualification != nil {
			m.QualificationRef = run.ID
		}
	}
	var all []episode
	if p.qualification != nil {
		all = append(all, *p.qualification)
	}
	for i, e := range append(all, p.trials...) {
		for _, st := range e.setup.Stages {
			m.Budget[st.Name] = st.Budget
		}
		if i > 0 {
			continue
		}
		m.Reproduce = reports.Rerun(run, e.task.Source.File, e.task.Source.Line)
		if tools, err := toolsOf(e.task); err == nil {
			m.ToolsDigest = string(tools)
		}
		for _, a := range e.task.Asks {
			var b Brief
			if json.Unmarshal(a.Context, &b) == nil {
				m.SelectedPages = append(m.SelectedPages, b.Selected...)
			}
		}
	}
	return m
}

// harness is the version of what ran the benchmark.
func harness(run reports.Run) string {
	if run.Commit != "" {
		return strings.TrimPrefix(run.Version+"+"+run.Commit, "+")
	}
	return run.Version
}

func profile(run reports.Run) rules.Profile {
	f := rules.Profile{
		Name: run.Agent, Provider: run.Model.Provider, Model: run.Model.Name, Digest: run.Model.Digest,
		Basis: rules.UncachedPlusOutput, Shape: rules.Inclusive, Streaming: run.Kind == reports.KindModel,
	}
	if run.Basis == agent.Total {
		f.Basis = rules.RawTotal
	}
	if think, ok := run.Options["think"]; ok {
		f.Reasoning = fmt.Sprint(think)
	}
	digest, err := tasks.DigestOf([]any{f, run.Options, run.Protocol})
	if err == nil { // options are JSON that was read
		f.Profile = string(digest)
	}
	return f
}

// toolsOf is the digest of the tools that a task offers.
func toolsOf(t tasks.Task) (tasks.Digest, error) {
	w, err := world.Kind.New(context.Background(), sim.Env{}, t.Setup, t.Tools)
	if err != nil {
		return "", err
	}
	defer w.Close()
	return tasks.DigestOf(w.Tools())
}

// events makes the lines of all episodes, numbered through.
func (p played) events(m rules.Manifest, run rules.Run, g rules.Grading) ([]byte, error) {
	var b bytes.Buffer
	seq := 0
	put := func(e rules.Event, at time.Time) error {
		seq++
		e.Seq, e.RunID = seq, m.RunID
		if !at.IsZero() {
			e.TS = at.UTC().Format("2006-01-02T15:04:05.000Z")
		}
		raw, err := sim.Canonical(e)
		b.Write(raw)
		b.WriteByte('\n')
		return err
	}
	tell := func(e episode, r rules.Played, stages []rules.StageGrading, trial int) error {
		at := p.run.Started
		launch := map[string]any{
			"provider": m.Profile.Provider, "model": m.Profile.Model, "reasoning": m.Profile.Reasoning, "run_type": m.RunType, "case": m.Case.ID,
			"budget": m.Budget, "task": string(e.task.ID),
		}
		queued := rules.Event{Trial: trial, Stage: world.Preparation, Type: "execution.queued", Data: sim.MustCanonical(launch)}
		if err := put(queued, at); err != nil {
			return err
		}
		if r.Record == nil {
			return put(rules.Event{Trial: trial, Stage: world.Preparation, Type: "execution.lost", Data: json.RawMessage("{}")}, time.Time{})
		}
		at = e.record.Started
		turn := 0
		for _, ev := range rules.Events(r.Record, stages, m.Profile.Basis, m.Budget) {
			switch ev.Type {
			case "execution.started":
				launch["pid_alive"] = true
				ev.Data = sim.MustCanonical(launch)
			case "model.response", "model.error": // as long as the reply took
				at = at.Add(e.record.Turns[turn].Duration)
				turn++
			}
			if err := put(ev, at); err != nil {
				return err
			}
		}
		return nil
	}
	if q := run.Qualification; q != nil {
		if err := tell(*p.qualification, *q, g.Stages, trialOf(p.qualification.record)); err != nil {
			return nil, err
		}
	}
	for i, t := range run.Trials {
		e, graded := p.trials[i], g.Trials[i]
		note := func(kind string, data any) error {
			return put(rules.Event{Trial: graded.Trial, Stage: world.Preparation, Type: kind, Data: sim.MustCanonical(data)}, time.Time{})
		}
		if err := note("trial.started", map[string]any{}); err != nil {
			return nil, err
		}
		if err := tell(e, t, graded.Stages, graded.Trial); err != nil {
			return nil, err
		}
		if err := note("trial.finished", map[string]any{"verdict": graded.Verdict}); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func trialOf(r *reports.Record) int {
	if r == nil {
		return 1
	}
	return r.Trial
}
