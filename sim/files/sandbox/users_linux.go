package sandbox

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"benchwright/sim/files/sandbox/internal/stage"
)

// parallel is how many commands a process of root runs at a time, each as its own user.
const parallel = 128

// strangers is where user ids begin that no system hands out.
const strangers = 0x7000_0000

// users are ids for the commands of root: 128 for each process id, so that two runs on one
// machine do not meet either.
var users = func() chan int {
	c := make(chan int, parallel)
	for i := range parallel {
		c <- strangers + (os.Getpid()&0x3f_ffff)*parallel + i
	}
	return c
}()

// mayBecome reports whether this process can run commands as somebody else: root, with the
// rights of root, and with the ids to give. Root in a rootless container may lack both.
func mayBecome() bool {
	if os.Geteuid() != 0 || mapped("/proc/self/uid_map") < strangers*2 || mapped("/proc/self/gid_map") < strangers*2 {
		return false
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var has [2]unix.CapUserData
	if unix.Capget(&head, &has[0]) != nil {
		return false
	}
	for _, c := range []int{unix.CAP_SETUID, unix.CAP_SETGID, unix.CAP_CHOWN, unix.CAP_KILL, unix.CAP_DAC_OVERRIDE} {
		if has[c/32].Effective&(1<<(c%32)) == 0 {
			return false
		}
	}
	return true
}

// mapped returns how many ids from 0 up exist for this process.
func mapped(file string) uint64 {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		var inside, outside, n uint64
		if _, err := fmt.Sscan(line, &inside, &outside, &n); err == nil && inside == 0 {
			return n
		}
	}
	return 0
}

// attributes says how the supervisor is started: in namespaces, and in a process group of
// its own, so that a terminal's interrupt reaches the parent alone.
//
// There is no death signal: it would follow the thread that this goroutine happens to be on,
// and leave a command's daemons behind where there is no namespace. The leash does it.
func (p *process) attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true}
	if !p.level.namespaces {
		return a
	}
	a.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS
	if !p.level.nobody {
		// The only map that an ordinary user may write. The user inside is not 0, so that
		// no program takes itself for root; the supervisor then keeps its rights across
		// execve as ambient ones.
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: stage.User, HostID: os.Geteuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: stage.User, HostID: os.Getegid(), Size: 1}}
		for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
			a.AmbientCaps = append(a.AmbientCaps, c)
		}
		return a
	}
	// Root keeps its ids in the supervisor, which so can pass folders that only their owner
	// may, until it gives up its rights; the command's user changes places with the id that
	// it has inside.
	m := []syscall.SysProcIDMap{
		{ContainerID: 0, HostID: 0, Size: stage.User},
		{ContainerID: stage.User, HostID: p.user, Size: 1},
		{ContainerID: stage.User + 1, HostID: stage.User + 1, Size: p.user - stage.User - 1},
		{ContainerID: p.user, HostID: stage.User, Size: 1},
	}
	a.UidMappings, a.GidMappings = m, m
	a.GidMappingsEnableSetgroups = true // to give up the groups of root
	return a
}
