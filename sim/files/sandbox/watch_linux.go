package sandbox

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"time"

	"benchwright/sim/files/sandbox/internal/stage"
)

const (
	watchMemory = 20 * time.Millisecond
	watchDisk   = 12 // times that
)

// watch stops the command when its processes together, or what it writes, go past the
// limits. RLIMIT_AS bounds one process, and nothing of the kernel's that an ordinary user
// may set bounds several.
func (p *process) watch(done <-chan struct{}) {
	tick := time.NewTicker(watchMemory)
	defer tick.Stop()
	most := 2 * p.limits.Processes // never reached where the kernel counts right
	if !p.level.namespaces && !p.level.nobody {
		most = p.limits.Processes
	}
	for n := 1; ; n++ {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		family := stage.Descendants(p.cmd.Process.Pid)
		if len(family) > most {
			p.stop(ProcessLimit)
		}
		if resident(family) > p.limits.Memory && inUse(family) > p.limits.Memory {
			p.stop(MemoryLimit)
		}
		if n%watchDisk != 0 {
			continue
		}
		for _, dir := range []string{p.dir, p.temp} {
			if dir != "" && errors.Is((&tree{owner: -1, limits: p.limits}).walk(dir), errBeyond) {
				p.stop(DiskLimit)
			}
		}
	}
}

// resident sums what the processes have in memory, beside files: an upper bound, since
// parents and children share pages until one writes.
func resident(family []int) (bytesInUse int64) {
	for _, pid := range family {
		bytesInUse += sum(stage.Read("/proc/"+strconv.Itoa(pid)+"/status"), "RssAnon:", "RssShmem:")
	}
	return bytesInUse
}

// inUse sums each process's share of the pages, which is exact and takes the kernel longer.
// Where it may not be read, what resident says stands.
func inUse(family []int) (bytesInUse int64) {
	for _, pid := range family {
		rollup := stage.Read("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
		if !bytes.Contains(rollup, []byte("Pss_Anon:")) {
			bytesInUse += resident([]int{pid})
			continue
		}
		bytesInUse += sum(rollup, "Pss_Anon:", "Pss_Shmem:")
	}
	return bytesInUse
}

// sum adds the values of the named lines, "Name:  12 kB".
func sum(lines []byte, names ...string) (total int64) {
	for line := range bytes.Lines(lines) {
		for _, name := range names {
			if value, ok := bytes.CutPrefix(line, []byte(name)); ok {
				number, _ := bytes.CutSuffix(bytes.TrimSpace(value), []byte(" kB"))
				n, _ := strconv.ParseInt(string(number), 10, 64)
				total += n << 10
			}
		}
	}
	return total
}

// tasksOf counts the threads that a user has on this machine.
func tasksOf(uid int) (n int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if c := e.Name()[0]; c < '0' || c > '9' {
			continue
		}
		mine := false
		for line := range bytes.Lines(stage.Read("/proc/" + e.Name() + "/status")) {
			f := bytes.Fields(line)
			switch {
			case len(f) < 2:
			case string(f[0]) == "Uid:":
				mine = string(f[1]) == strconv.Itoa(uid)
			case string(f[0]) == "Threads:" && mine:
				threads, _ := strconv.Atoi(string(f[1]))
				n += threads
			}
		}
	}
	return n
}
