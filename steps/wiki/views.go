package wiki

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"

	fixture "benchwright/fixtures/wiki"
	"benchwright/reports"
	world "benchwright/sim/wiki"
	"benchwright/tasks"
)

// views derives the five records of every run in a bundle, and their seal: those of a qualification
// with the trials of the tasks that require it, in a folder that is named like it. They follow from the
// bundle and the tasks alone, byte for byte. A certification has none.
func views(ctx context.Context, bundle fs.FS, all []tasks.Task) (map[string][]byte, error) {
	r, err := reports.OpenFS(bundle, "of the views")
	if err != nil {
		return nil, err
	}
	if r.Run().Kind == reports.KindCertification {
		return nil, nil
	}
	c, err := fixture.Plugins()
	if err != nil {
		return nil, err
	}
	g, err := gather(r, all)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, one := range g {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one.c, one.run = c, r.Run()
		files, err := one.records(ctx)
		if err != nil {
			return nil, fmt.Errorf("records of %s: %w", one.folder, err)
		}
		for name, raw := range files {
			out[path.Join(one.folder, name)] = raw
		}
	}
	return out, nil
}

// A played is a run as its records are made of it: a qualification, which may be missing, and the
// episodes of what requires it.
type played struct {
	folder        string
	c             *fixture.Case
	run           reports.Run
	qualification *episode
	trials        []episode
}

// An episode is what a bundle has of one.
type episode struct {
	task   tasks.Task
	setup  world.Setup
	record *reports.Record // nil when it is lost
}

// formal reports whether an episode is about the whole wiki.
func (e episode) formal() bool {
	return slices.ContainsFunc(e.setup.Stages, func(st world.Stage) bool { return st.Name == world.Formal })
}

// gather finds the runs in a bundle, in the order of the tasks.
func gather(r *reports.Reader, all []tasks.Task) ([]played, error) {
	byTask := map[tasks.ID][]episode{}
	for _, t := range all {
		setup, err := parsed(t)
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", t.ID, err)
		}
		episodes, err := recorded(r, t)
		if err != nil {
			return nil, err
		}
		for _, rec := range episodes {
			byTask[t.ID] = append(byTask[t.ID], episode{t, setup, rec})
		}
	}
	var out []played
	at := map[tasks.ID]int{}
	add := func(t tasks.Task, p played) {
		p.folder = path.Join(t.ID.Suite(), t.ID.Name())
		for n := 2; slices.ContainsFunc(out, func(o played) bool { return o.folder == p.folder }); n++ {
			p.folder = path.Join(t.ID.Suite(), t.ID.Name()+"-"+strconv.Itoa(n))
		}
		out = append(out, p)
	}
	for _, t := range all {
		for i, e := range byTask[t.ID] {
			if e.formal() {
				break
			}
			if i == 0 { // what is required is played once, or each trial of it has to pass
				at[t.ID] = len(out)
			}
			add(t, played{qualification: &e})
		}
	}
	for _, t := range all {
		mine := slices.DeleteFunc(slices.Clone(byTask[t.ID]), func(e episode) bool { return !e.formal() })
		if len(mine) == 0 {
			continue
		}
		if i, ok := at[t.Requires]; ok {
			out[i].trials = append(out[i].trials, mine...)
			continue
		}
		add(t, played{trials: mine})
	}
	return out, nil
}

// recorded returns the records of a task's trials: nil for one that began and left none. One that
// was skipped was not played and is left out.
func recorded(r *reports.Reader, t tasks.Task) ([]*reports.Record, error) {
	all, err := r.Executions(reports.Watch{})
	if err != nil {
		return nil, err
	}
	keys, err := r.Keys()
	if err != nil {
		return nil, err
	}
	var out []*reports.Record
	for _, x := range all {
		if x.Task != t.ID || x.State == reports.Cancelled || x.State == reports.Lost && x.Pid == 0 {
			continue
		}
		key, err := reports.RecordKey(x.Task, x.Trial)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(keys, key) {
			out = append(out, nil)
			continue
		}
		rec, err := r.Record(key)
		switch {
		case err != nil:
			return nil, err
		case rec.TaskDigest != t.Digest():
			return nil, fmt.Errorf("record %s: the task has changed since it was played (digest %.12s, now %.12s)", key, rec.TaskDigest, t.Digest())
		default:
			out = append(out, rec)
		}
	}
	return out, nil
}

// parsed is what a task's world is built from.
func parsed(t tasks.Task) (world.Setup, error) { return world.ParseSetup(t.Setup) }
