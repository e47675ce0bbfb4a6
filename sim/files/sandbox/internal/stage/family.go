//go:build linux

package stage

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// killDescendants kills all that descends from this process, until nothing does.
//
// Whatever loses its parent becomes a child of this one, the sub-reaper: so without children
// there are no descendants. All are stopped before any is killed. A fork bomb whose processes
// are killed one by one has room for new ones at once, and outruns a slow machine; stopped
// ones still count against its limit, until none is left that could fork.
func killDescendants() {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if err == syscall.ECHILD {
				return
			}
			if pid <= 0 && err != syscall.EINTR {
				break
			}
		}
		stopped := map[int]bool{}
		for again := true; again && time.Now().Before(end); {
			again = false
			for _, pid := range Descendants(os.Getpid()) {
				if !stopped[pid] {
					syscall.Kill(pid, syscall.SIGSTOP)
					stopped[pid], again = true, true
				}
			}
		}
		for pid := range stopped {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	fail("ending the command", errors.New("processes of it outlived SIGKILL for a minute"))
}

// Descendants lists the processes below a supervisor. Orphans are handed to it, so nothing of
// the command is anywhere else; and of its threads only the first one has children.
func Descendants(supervisor int) []int {
	first := strconv.Itoa(supervisor)
	own := Read("/proc/" + first + "/task/" + first + "/children")
	if own == nil {
		if !exists("/proc/" + first) { // it has ended, and nothing is below it any more
			return nil
		}
		return search(supervisor) // not every kernel is built to list them
	}
	found := numbers(nil, own)
	for i := 0; i < len(found); i++ {
		tasks := "/proc/" + strconv.Itoa(found[i]) + "/task"
		threads, err := os.ReadDir(tasks)
		if err != nil {
			continue
		}
		for _, t := range threads {
			found = numbers(found, Read(tasks+"/"+t.Name()+"/children"))
		}
	}
	return found
}

func numbers(to []int, list []byte) []int {
	for f := range strings.FieldsSeq(string(list)) {
		if n, err := strconv.Atoi(f); err == nil {
			to = append(to, n)
		}
	}
	return to
}

// Read returns what a file of /proc holds, nil where it cannot be read. os.ReadFile would
// take three times the system calls, and these are read often.
func Read(path string) []byte {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	b := make([]byte, 0, 4096)
	for {
		n, err := unix.Read(fd, b[len(b):cap(b)])
		if err == unix.EINTR {
			continue
		}
		if n <= 0 {
			return b
		}
		if b = b[:len(b)+n]; len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}

// search finds the descendants by a look at every process of the machine.
func search(root int) (found []int) {
	parents, _ := table()
	for pid := range parents {
		for p := pid; p != 0; p = parents[p] {
			if p == root {
				if pid != root {
					found = append(found, pid)
				}
				break
			}
		}
	}
	return found
}

// groupMembers lists the living processes of a process group.
func groupMembers(group int) ([]int, error) {
	_, groups := table()
	var found []int
	for pid, g := range groups {
		if g == group {
			found = append(found, pid)
		}
	}
	if len(found) == 0 {
		return nil, unix.ESRCH
	}
	return found, nil
}

// table returns the parent and the process group of every living process.
func table() (parents, groups map[int]int) {
	parents, groups = map[int]int{}, map[int]int{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return parents, groups
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat := string(Read("/proc/" + e.Name() + "/stat"))
		// The name, in brackets, may hold anything: what follows the last one is the state,
		// the parent and the group.
		f := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
		if len(f) < 3 || f[0] == "Z" || f[0] == "X" {
			continue
		}
		parents[pid], _ = strconv.Atoi(f[1])
		groups[pid], _ = strconv.Atoi(f[2])
	}
	return parents, groups
}
