package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchwright/tasks"
)

// Compile compiles a suite together with the tasks of BENCH_TASKS, and says which those are.
// The folder may hold features, strict JSON, or a pack that a kit of the suite can open.
func Compile(suite tasks.Suite, extra string) (all []tasks.Task, outside map[tasks.ID]bool, err error) {
	outside = map[tasks.ID]bool{}
	if suite.Features != nil || suite.Tasks != nil || suite.Packs != nil || len(suite.Generators) > 0 { // a package may have hand-written specs alone
		c, err := tasks.Compile(suite)
		if err != nil {
			return nil, nil, err
		}
		all = c.Tasks
	}
	if extra == "" {
		return all, outside, nil
	}
	if st, err := os.Stat(extra); err != nil || !st.IsDir() {
		return nil, nil, fmt.Errorf("BENCH_TASKS=%q: no such folder; want one of *.feature or *.json files, or of workspaces or packs", extra)
	}
	more, err := pack(suite, extra)
	if err != nil {
		return nil, nil, fmt.Errorf("BENCH_TASKS=%q:\n%w", extra, err)
	}
	if len(more) == 0 {
		return nil, nil, fmt.Errorf("BENCH_TASKS=%q holds no task: want *.feature or *.json files", extra)
	}
	byID := map[tasks.ID]tasks.Task{}
	for _, t := range all {
		byID[t.ID] = t
	}
	for _, t := range more {
		if old, dup := byID[t.ID]; dup {
			return nil, nil, fmt.Errorf("BENCH_TASKS: %s: task %s is also declared at %s", t.Source, t.ID, old.Source)
		}
		byID[t.ID] = t
		outside[t.ID] = true
		all = append(all, t)
	}
	return all, outside, nil
}

func pack(suite tasks.Suite, dir string) ([]tasks.Task, error) {
	root, err := os.OpenRoot(filepath.Join(dir, ".") + "/.") // a link out of the folder leads nowhere, and a pipe is no folder
	if err != nil {
		return nil, err
	}
	defer root.Close()
	fsys := root.FS()
	for _, k := range suite.Kits {
		if k.Open == nil {
			continue
		}
		if list, ok, err := k.Open(fsys); ok || err != nil {
			return list, err
		}
	}
	c, err := tasks.Compile(tasks.Suite{Name: suite.Name, Dir: filepath.ToSlash(dir), Kits: suite.Kits, Features: fsys, Tasks: fsys})
	if err != nil {
		return nil, err
	}
	return c.Tasks, nil
}

// Jobs returns a job for each task and trial, in order.
func Jobs(suite tasks.Suite, all []tasks.Task, c Config) []*Job {
	var jobs []*Job
	for _, t := range all {
		trials := c.Trials
		if t.Trials > 0 && !c.Certify() {
			trials = t.Trials
		}
		digest := t.Digest()
		for k := 1; k <= trials; k++ {
			jobs = append(jobs, &Job{Task: t, Kit: suite.Kit(t.World), Trial: k, Of: trials, Digest: digest})
		}
	}
	return jobs
}

// nothingSelected words what a filter that selects nothing could have named.
func nothingSelected(filter string, all []tasks.Task, onDemand []string) string {
	seen := map[string]bool{}
	var labels []string
	for _, t := range all {
		for _, l := range t.Labels {
			if !seen[l] {
				seen[l] = true
				labels = append(labels, l)
			}
		}
	}
	slices.Sort(labels)
	if filter == "" {
		return "there is nothing to run: the suite has no task and the package no spec"
	}
	text := fmt.Sprintf("the filter %q selects no task; labels are:\n  %s", filter, strings.Join(labels, "\n  "))
	if len(onDemand) > 0 {
		text += "\nand, for a filter that names them, suite:" + strings.Join(onDemand, ", suite:")
	}
	return text
}

// Tracked returns the tasks as the agents of a track meet them.
func Tracked(suite tasks.Suite, all []tasks.Task, track string) ([]tasks.Task, error) {
	if track == Guided {
		return all, nil
	}
	out, tracked := slices.Clone(all), false
	for i, t := range out {
		k := suite.Kit(t.World)
		if k == nil || k.Track == nil {
			continue
		}
		var err error
		if out[i], err = k.Track(t, track); err != nil {
			return nil, fmt.Errorf("BENCH_TRACK=%q: task %s: %w", track, t.ID, err)
		}
		tracked = true
	}
	if !tracked {
		return nil, fmt.Errorf("BENCH_TRACK=%q: no world of this suite has tracks", track)
	}
	return out, nil
}

// Attach loads the user's backends and returns their digests by name.
func Attach(ctx context.Context, suite tasks.Suite, list []Backend, root string) (map[string]string, error) {
	digests := map[string]string{}
	for _, b := range list {
		attached := false
		place := b.Place
		if !strings.Contains(place, "://") && !filepath.IsAbs(place) {
			place = filepath.Join(root, place)
		}
		for _, k := range suite.Kits {
			if k.Attach == nil {
				continue
			}
			digest, err := k.Attach(ctx, b.Name, place)
			if err != nil {
				return nil, fmt.Errorf("BENCH_BACKENDS: %s=%s: %w", b.Name, b.Place, err)
			}
			digests["backend:"+b.Name], attached = digest, true
		}
		if !attached {
			return nil, fmt.Errorf("BENCH_BACKENDS: %s=%s: no world of this suite takes backends", b.Name, b.Place)
		}
	}
	return digests, nil
}
