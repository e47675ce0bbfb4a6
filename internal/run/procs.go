package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"benchwright/reports"
)

// Procs says which of a run's processes this is: `ginkgo --procs=N` starts several.
type Procs struct {
	Total int    // 1 for a run of one process
	Index int    // from 1
	Host  string // the address of the command that started them; they share it
}

// id is what the processes of one run have in common and no other run has at the same time.
func (p Procs) id() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", p.Host, os.Getppid()))
	return hex.EncodeToString(sum[:8])
}

// joinWait bounds how long a process waits for the first one to create the bundle: that one may
// have a model to load.
const joinWait = 10 * time.Minute

// note is how the processes of a run agree on a bundle: the first writes where it is.
// The note names the first process, so that one left by a dead run is not taken for this one's.
func (p Procs) note(own string) string { return filepath.Join(own, "procs", p.id()) }

func (p Procs) tell(own, bundle string) error {
	path := p.note(own)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.WriteFile(tmp, fmt.Appendf(nil, "%d\n%s\n", os.Getpid(), bundle), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// forget removes the note at the end of the run.
func (p Procs) forget(own string) { os.Remove(p.note(own)) }

// ask waits for the first process's note and returns the bundle.
func (p Procs) ask(own string) (string, error) {
	for end := time.Now().Add(joinWait); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		raw, err := os.ReadFile(p.note(own))
		if err != nil {
			continue
		}
		pid, bundle, ok := strings.Cut(strings.TrimSpace(string(raw)), "\n")
		var n int
		if _, err := fmt.Sscan(pid, &n); ok && err == nil && alive(n) {
			return bundle, nil
		}
	}
	return "", fmt.Errorf("process %d of %d waited %s for process 1 to create the bundle", p.Index, p.Total, joinWait)
}

// eventProcessDone is logged by a process of a run that has nothing left to do.
const eventProcessDone = "process_done"

// wait returns when every other process of the run has said that it is done, or is gone.
func (p Procs) wait(b *reports.Bundle) {
	for end := time.Now().Add(joinWait); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		r, err := reports.Open(b.Dir())
		if err != nil {
			return
		}
		events, err := r.Events()
		if err != nil {
			return
		}
		pids, done := map[int]bool{}, map[int]bool{}
		for _, e := range events {
			switch e.Event {
			case reports.EventJoined:
				pids[e.Pid] = true
			case eventProcessDone:
				done[e.Pid] = true
			}
		}
		waiting := len(pids) < p.Total-1 && time.Until(end) > joinWait-joinGrace
		for pid := range pids {
			waiting = waiting || !done[pid] && alive(pid)
		}
		if !waiting {
			return
		}
	}
}

// joinGrace is how long the first process waits for others that have not joined yet: one that
// found nothing left to do may never have to.
const joinGrace = 10 * time.Second
