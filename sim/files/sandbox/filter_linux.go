package sandbox

import (
	"fmt"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// Calls that no command needs and that reach for other processes, the kernel or mounts.
var deniedAlways = []string{
	"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_getfd",
	"migrate_pages", "move_pages",
	"keyctl", "add_key", "request_key", "bpf", "perf_event_open", "userfaultfd", "fanotify_init", "lookup_dcookie",
	"mount", "umount2", "pivot_root", "chroot", "unshare", "setns",
	"fsopen", "fsmount", "fsconfig", "fspick", "move_mount", "open_tree", "open_tree_attr", "mount_setattr", "statmount", "listmount",
	"open_by_handle_at", "name_to_handle_at", "quotactl", "quotactl_fd", "swapon", "swapoff", "acct", "nfsservctl",
	"kexec_load", "kexec_file_load", "init_module", "finit_module", "create_module", "delete_module", "query_module",
	"reboot", "syslog", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime", "sethostname", "setdomainname",
	"iopl", "ioperm", "modify_ldt", "uselib", "vhangup",
}

// Calls that are answered as by a kernel without them, because programs then do without.
// glibc starts no thread where clone3 is forbidden, but does where it is missing; it has to
// be, since its flags are out of a filter's sight. A memfd would be memory that belongs to no
// process, which the watchdog could not see.
// openat2 keeps its flags in memory too. By inotify a command would see another one open the
// files that both may read.
var missing = []string{
	"clone3", "openat2", "io_uring_setup", "io_uring_enter", "io_uring_register", "memfd_create", "memfd_secret",
	"inotify_init", "inotify_init1",
}

// Without namespaces, also what reaches beyond the process by other means than a path.
var deniedOutside = []string{
	"socket", "shmget", "shmat", "shmctl", "semget", "semctl", "semop", "semtimedop", "msgget", "msgctl", "msgsnd", "msgrcv",
	"mq_open", "mq_unlink",
}

// Without namespaces Landlock does not govern what these change: the first wherever anybody
// may write to a file, the second on all files of the user. The supervisor makes the second
// where they are the command's own files; see broker in package stage. A command of root is
// a user of its own, who has no other files, but for the times of those of everybody.
var (
	noAttributes = []string{ // as on a file system that has none: cp and sed then do without
		"setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr",
	}
	brokeredTimes = []string{"utime", "utimes", "futimesat", "utimensat"}
	brokeredModes = append([]string{"chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"}, brokeredTimes...)
	// Flags, version and project of a file that is open to be read, in both sizes of a long.
	attributeRequests = []uint32{0x40086602, 0x40046602, 0x40087602, 0x40047602, 0x401c5820}
)

const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// filter writes the system call filter for a level. calls are those that it leaves to a
// broker, by number.
func filter(l Level) ([]byte, map[int]string, error) {
	info, err := arch.GetInfo("")
	if err != nil {
		return nil, nil, fmt.Errorf("system call filter: %w", err)
	}
	var rules []rule
	calls := map[int]string{}
	// Each architecture lacks some of the calls; and where rules overlap, the first counts.
	add := func(action uint32, name string, all ...condition) {
		if nr, ok := info.SyscallNames[name]; ok {
			rules = append(rules, rule{nr, all, action})
			if action == leaveToBroker {
				calls[nr] = name
			}
		}
	}
	deny := func(names ...string) {
		for _, n := range names {
			add(answerEPERM, n)
		}
	}
	leave := func(name string, all ...condition) {
		if l.broker {
			add(leaveToBroker, name, all...)
		} else {
			add(answerEPERM, name, all...)
		}
	}

	finish := func() ([]byte, map[int]string, error) {
		program, err := encode(assemble(info, rules))
		return program, calls, err
	}

	for _, n := range missing {
		add(answerENOSYS, n)
	}
	deny(deniedAlways...)
	add(answerEPERM, "clone", anySet(0, namespaces))
	for _, c := range []uint32{unix.F_NOTIFY, unix.F_SETLEASE} { // who else opens a file
		add(answerEPERM, "fcntl", is(1, c))
	}
	add(answerEPERM, "prlimit64", not(0, 0)) // limits of the supervisor, or of the user's other processes
	// A file of the host's user that runs as its owner would be a way back for whoever else
	// is on the machine.
	const special, create = unix.S_ISUID | unix.S_ISGID, unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY
	for _, c := range []struct {
		name string
		mode int
	}{{"chmod", 1}, {"fchmod", 1}, {"fchmodat", 2}, {"fchmodat2", 2}, {"creat", 1}, {"mknod", 1}, {"mknodat", 2}} {
		add(answerEPERM, c.name, anySet(c.mode, special))
	}
	add(answerEPERM, "open", anySet(1, create), anySet(2, special))
	add(answerEPERM, "openat", anySet(2, create), anySet(3, special))
	if l.namespaces {
		// Not every address family has a namespace: a virtual machine's host is reached by
		// AF_VSOCK from anywhere.
		add(answerEPERM, "socket", not(0, unix.AF_UNIX), not(0, unix.AF_INET), not(0, unix.AF_INET6))
		return finish()
	}

	deny(deniedOutside...)
	// A pair of datagram sockets could be sent elsewhere; what asyncio wants is connected.
	const kinds = unix.SOCK_CLOEXEC | unix.SOCK_NONBLOCK
	add(answerEPERM, "socketpair", not(1, unix.SOCK_STREAM), not(1, unix.SOCK_STREAM|unix.SOCK_CLOEXEC),
		not(1, unix.SOCK_STREAM|unix.SOCK_NONBLOCK), not(1, unix.SOCK_STREAM|kinds))
	for _, n := range []string{"sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"} {
		add(answerEPERM, n, not(0, 0))
	}
	add(answerEPERM, "setpriority", not(1, 0))
	add(answerEPERM, "ioprio_set", not(1, 0))
	for _, n := range noAttributes {
		add(answerENOTSUP, n)
	}
	for _, c := range attributeRequests {
		add(answerENOTTY, "ioctl", is(1, c))
	}
	changes := brokeredModes
	if l.nobody { // who may set the time to now wherever anybody may write, and nothing else
		changes = brokeredTimes
	}
	for _, n := range changes {
		leave(n)
	}
	if !l.nobody && l.landlock < 3 { // truncation is not governed yet, even of what is open to read
		deny("truncate")
		add(answerEPERM, "open", anySet(1, unix.O_TRUNC), noneSet(1, unix.O_WRONLY|unix.O_RDWR))
		add(answerEPERM, "openat", anySet(2, unix.O_TRUNC), noneSet(2, unix.O_WRONLY|unix.O_RDWR))
	}
	if !l.nobody && l.landlock < 6 {
		// Until signals are scoped, a command may signal its own group, which the supervisor
		// is not in, and with a broker all its processes.
		leave("kill", not(0, 0))
		leave("tkill")
		leave("tgkill")
		deny("rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal")
		add(answerEPERM, "fcntl", is(1, unix.F_SETOWN))
		add(answerEPERM, "fcntl", is(1, unix.F_SETOWN_EX))
	}
	return finish()
}
