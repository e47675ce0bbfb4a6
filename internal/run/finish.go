package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"benchwright/reports"
	"benchwright/tasks"
)

// Finish closes the run: nothing is in flight when it returns, what was never reached is
// recorded as skipped, the reports are written and the verdict of the gate is the last line.
// strays are failures that no task's record tells; they fail the run whatever its gate says.
// Only the first process of a run writes the reports, once the others are done.
func (s *Session) Finish(strays []string) (exit int, reason string) {
	s.sched.Close()
	s.beat()
	b := s.runner.Bundle
	if s.procs.Total > 1 && s.procs.Index > 1 {
		b.Log(reports.Event{Event: eventProcessDone, Name: fmt.Sprint(s.procs.Index)})
		if lost := s.runner.Lost(); len(lost) > 0 {
			return 1, lost[0]
		}
		return min(len(strays), 1), ""
	}
	if s.procs.Total > 1 {
		s.procs.wait(b)
		s.procs.forget(s.own)
	}
	s.unreached()
	if s.progress != nil {
		s.progress.Close()
	}
	exit, reason = s.close(strays)
	if err := b.End(exit, reason); err != nil {
		exit, reason = 1, err.Error()
	}
	if err := s.place.latest(b.Dir()); err != nil {
		exit, reason = 1, err.Error()
	}
	fmt.Fprintf(s.Out, "%s: exit %d: %s\n", s.what(), exit, reason)
	return exit, reason
}

// unreached records a skipped episode for every selected job that has none.
func (s *Session) unreached() {
	for _, j := range s.selected {
		path := s.record(j.Task.ID, j.Trial)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			reason := s.sched.Halted()
			if reason == "" {
				reason = notBegun
			}
			s.runner.Skip(j, reason, true)
		}
	}
}

// close writes the reports and judges the run.
func (s *Session) close(strays []string) (int, string) {
	b := s.runner.Bundle
	summary, failed := b.Finish()
	if err := s.views(b.Dir()); err != nil { // derived files say nothing about the tasks
		fmt.Fprintf(s.Out, "some views were not written: %s\n", reports.Clean(err.Error(), 500))
	}
	r, err := b.Reader()
	if err == nil {
		err = r.WriteTable(s.Out, reports.Table{Dir: s.display(b.Dir()), Env: s.env()})
	}
	if failed == nil {
		failed = err
	}
	exit, reason := s.Config.Gate.Judge(summary)
	changed := s.changed()
	switch lost := s.runner.Lost(); {
	case failed != nil:
		return 1, failed.Error()
	case len(lost) > 0:
		return 1, fmt.Sprintf("%d records could not be written, first %s", len(lost), lost[0])
	case s.broken != "":
		return 1, s.broken
	case changed != nil:
		return 1, changed.Error()
	case len(strays) > 0:
		return 1, fmt.Sprintf("%d failures beside the tasks, first %s", len(strays), reports.Clean(strays[0], 300))
	}
	return exit, reason
}

// changed reports that the model at the end is not the one that was identified at the start.
func (s *Session) changed() error {
	if s.player == nil || s.player.Verify == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return s.player.Verify(ctx)
}

// views writes the published record files of the worlds that were played.
func (s *Session) views(dir string) error {
	if s.player == nil {
		return nil
	}
	type part struct{ world, suite string }
	selected := map[part]bool{}
	for _, j := range s.selected {
		selected[part{j.Task.World, j.Task.ID.Suite()}] = true
	}
	byWorld := map[string][]tasks.Task{} // whole suites: what was not selected is missing, not gone
	for _, t := range s.all {
		if selected[part{t.World, t.ID.Suite()}] {
			byWorld[t.World] = append(byWorld[t.World], t)
		}
	}
	for i := range s.Suite.Kits {
		k := &s.Suite.Kits[i]
		mine := byWorld[k.Kind.Name]
		if k.Views == nil || len(mine) == 0 {
			continue
		}
		files, err := k.Views(context.Background(), os.DirFS(dir), mine)
		if err != nil {
			return fmt.Errorf("views of world %s: %w", k.Kind.Name, err)
		}
		if err := reports.WriteFiles(filepath.Join(dir, "views"), files); err != nil {
			return err
		}
	}
	return nil
}
