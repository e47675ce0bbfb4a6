//go:build linux

package sandbox_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"benchwright/sim/files/sandbox"
)

var attacks = []attack{
	{
		name: "read-hidden", reason: "a hidden file is out of reach by any path",
		shell: `cat HIDDEN ../hidden/gold.json /workspace/../hidden/gold.json prepared
			ln -s HIDDEN own; cat own; ln HIDDEN hard; cat hard; ln -P prepared hard2; cat hard2; cp -r BASE/hidden stolen
			mv HIDDEN moved; cat moved
			find / -path /usr -prune -o -name gold.json -print 2>/dev/null | grep -q . && echo $A$B
			cat < HIDDEN; exec 5<HIDDEN && cat <&5; true`,
		check: func(t *testing.T, s *site, res sandbox.Result) {
			for _, name := range []string{"hard", "moved", "stolen/gold.json"} {
				if st, err := os.Lstat(filepath.Join(s.dir, name)); err == nil && st.Mode().IsRegular() {
					t.Errorf("%s is there", name)
				}
			}
		},
	},
	{
		name: "walk-proc", reason: "other processes' roots, environments, binaries and memory are closed",
		shell: `for p in /proc/[0-9]* /proc/self /proc/$PPID /proc/SELF; do
				cat $p/root/HIDDEN $p/cwd/../hidden/gold.json 2>/dev/null
				for f in $p/fd/*; do readlink $f | grep -q BASE && echo $A$B fd; done
				grep -q EMBEDDED $p/exe 2>/dev/null && echo $A$B exe
				cat $p/environ 2>/dev/null | grep -q -e BENCHWRIGHT_STAG[E] -e HOST_SECRE[T] && echo $A$B environ
				cat $p/maps 2>/dev/null | grep -q BASE && echo $A$B path
			done
			head -c 4 /proc/1/mem 2>/dev/null | grep -q . && echo $A$B mem
			true`,
		check: exits(0),
	},
	{
		name: "system-files", reason: "accounts and homes of the host are absent or closed",
		shell: `for f in /etc/shadow /etc/sudoers /etc/hostname /root/.bashrc /root/.profile; do cat $f 2>/dev/null && echo $A$B $f; done
			grep -q ^root: /etc/passwd 2>/dev/null && echo $A$B passwd
			for d in /root /home /var /srv /run /usr/src /sys /boot /usr/local /usr/local/bin /usr/local/lib /usr/local/go; do ls $d 2>/dev/null | grep -q . && echo $A$B $d; done; true`,
		check: exits(0),
	},
	{
		name: "write-outside", reason: "nothing but the workspace and a private /tmp can be written",
		shell: `for f in /usr/evil /evil /dev/shm/benchwright-evil /etc/evil /proc/sys/kernel/core_pattern BASE/evil HIDDEN /opt/python/evil; do (echo x > $f) 2>/dev/null && echo $A$B $f; done
			(echo x > /dev/tty) 2>/dev/null && echo $A$B tty
			(echo x > /tmp/benchwright-evil) 2>/dev/null; mkdir /usr/lib/evil BASE/evil2 2>/dev/null && echo $A$B mkdir
			mknod node c 1 3 2>/dev/null && echo $A$B mknod
			rm -rf BASE/hidden 2>/dev/null; (: > HIDDEN) 2>/dev/null; true`,
		check: exits(0),
	},
	{
		name: "change-metadata", reason: "mode, owner, times, size and attributes of what is outside stay",
		python: `
import stat
lent = os.path.realpath(sys.executable)
for p in ('HIDDEN', 'BASE/hidden', lent, 'prepared', '/usr/bin/env'):
    tries(os.chmod, p, 0o777); tries(os.chmod, p, 0); tries(os.utime, p, (1, 1)); tries(os.utime, p); tries(os.chown, p, os.getuid(), os.getgid())
    tries(os.setxattr, p, 'user.evil', b'1')
    if not os.path.isdir(p): tries(os.truncate, p, 0)
fd = os.open(lent, os.O_RDONLY)
tries(os.fchmod, fd, 0); tries(os.chown, fd, os.getuid(), -1); tries(os.setxattr, fd, 'user.evil', b'1'); tries(os.open, lent, os.O_RDONLY | os.O_TRUNC)
tries(os.utime, fd); tries(os.utime, fd, (1, 1))
tries(os.rename, 'HIDDEN', 'HIDDEN2'); tries(os.unlink, 'HIDDEN'); tries(os.link, 'HIDDEN', 'linked'); tries(os.symlink, 'x', 'BASE/evil')
print('through')`,
		check: says("through"),
	},
	{
		name: "devices", reason: "what the next command could read of a device stays as it is",
		python: `
now = (ctypes.c_long * 4)(0, (1 << 30) - 1, 0, (1 << 30) - 1)  # UTIME_NOW
def touch(dir, path):
    if libc.utimensat(dir, path, now, 0) < 0: raise OSError(ctypes.get_errno(), 'utimensat')
for p in ('/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'):
    for flags in (os.O_RDONLY, os.O_WRONLY):
        fd = os.open(p, flags)
        for f in (p, fd):
            tries(os.utime, f); tries(os.utime, f, (1, 1)); tries(os.chmod, f, 0o600); tries(os.chown, f, os.getuid(), -1)
            tries(os.setxattr, f, 'user.evil', b'1')
        tries(touch, -100, p.encode()); tries(touch, fd, None)
        os.read(fd, 1) if flags == os.O_RDONLY else p == '/dev/full' or os.write(fd, b'x')
print('through')`,
		check: says("through"),
	},
	{
		name: "watching", reason: "a command does not see another one read what both may",
		python: `
import fcntl, struct
lent = os.path.realpath(sys.executable)
if libc.inotify_init() >= 0 or libc.inotify_init1(0) >= 0: LEAK('inotify')
fd, folder = os.open(lent, os.O_RDONLY), os.open('/usr/bin', os.O_RDONLY)
tries(fcntl.fcntl, fd, fcntl.F_SETLEASE, fcntl.F_RDLCK); tries(fcntl.fcntl, folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS)
for request, arg in ((0x40086602, struct.pack('l', 0x40)), (0x401c5820, bytes(28)), (0x40087602, struct.pack('l', 7))):
    tries(fcntl.ioctl, fd, request, arg)  # flags, project and version
print('through')`,
		check: says("through"),
	},
	{
		name: "fork-many", limits: sandbox.Limits{Processes: 24}, reason: "processes are limited",
		python: `
n = 0
try:
    for i in range(200):
        if os.fork() == 0:
            time.sleep(60); os._exit(0)
        n += 1
except OSError as e: print(e)
if n > 190: LEAK(n)
print('forked', n)`,
		check: func(t *testing.T, s *site, res sandbox.Result) {
			_, count, _ := strings.Cut(string(res.Stdout), "forked ")
			n, _ := strconv.Atoi(strings.TrimSpace(count))
			if (n < 5 || n > 24) && res.Over != sandbox.ProcessLimit {
				t.Errorf("forked %q times, over %q; want nearly 24", count, res.Over)
			}
		},
	},
	{
		name: "fork-bomb", limits: sandbox.Limits{Processes: 24}, reason: "a fork bomb burns out and takes nothing with it",
		shell: `f() { f | f & }; f; sleep 0.5; true`,
	},
	{
		name: "memory-of-one", limits: sandbox.Limits{Memory: 40 << 20}, reason: "one process cannot take the machine's memory",
		python: "x = []\nwhile True: x.append(b'x' * (10 << 20))",
		check: func(t *testing.T, s *site, res sandbox.Result) {
			if res.Over != sandbox.MemoryLimit && !strings.Contains(string(res.Stderr), "MemoryError") {
				t.Errorf("over %q, stderr %.300q", res.Over, res.Stderr)
			}
		},
	},
	{
		name: "memory-of-several", limits: sandbox.Limits{Memory: 40 << 20}, reason: "processes together cannot either", ended: sandbox.MemoryLimit,
		python: `
for i in range(4):
    if os.fork() == 0:
        x = b'x' * (12 << 20)
        time.sleep(30); os._exit(0)
for i in range(4): os.wait()
LEAK()`,
	},
	{
		name: "memory-shared", limits: sandbox.Limits{Memory: 40 << 20}, reason: "memory of no single process counts as well", ended: sandbox.MemoryLimit,
		python: `
import mmap
if x86 and libc.syscall(319, b'x', 0) >= 0: LEAK('memfd')
for i in range(4):
    if os.fork() == 0:
        m = mmap.mmap(-1, 12 << 20)
        for k in range(0, 12 << 20, 4096): m[k] = 1
        time.sleep(30); os._exit(0)
for i in range(4): os.wait()
LEAK()`,
	},
	{
		name: "endless-output", reason: "output ends at the hard cap", ended: sandbox.OutputLimit,
		shell: `yes 0123456789 & yes 0123456789 >&2`,
		check: func(t *testing.T, s *site, res sandbox.Result) {
			if len(res.Stdout) > 64<<10 || len(res.Stderr) > 64<<10 {
				t.Errorf("kept %d and %d bytes", len(res.Stdout), len(res.Stderr))
			}
		},
	},
	{
		name: "big-file", limits: sandbox.Limits{FileSize: 1 << 20}, reason: "a file ends at its limit",
		shell: `head -c 10000000 /dev/zero > big; [ $(stat -c %s big) -gt 1048576 ] && echo $A$B; true`,
		check: exits(0),
	},
	{
		name: "full-disk", limits: sandbox.Limits{Disk: 4 << 20}, reason: "many files end the command", ended: sandbox.DiskLimit,
		shell: `for i in 1 2 3 4 5 6 7 8 9 10; do head -c 1000000 /dev/zero > f$i; done`,
	},
	{
		name: "many-files", reason: "so do many empty ones", ended: sandbox.DiskLimit, limits: sandbox.Limits{Entries: 500},
		python: "for i in range(600): open(f'f{i}', 'w').close()",
	},
	{
		name: "full-tmp", reason: "/tmp has a size", limits: sandbox.Limits{Disk: 2 << 20},
		shell: `for i in 1 2 3 4 5 6 7 8; do head -c 1000000 /dev/zero > $TMPDIR/f$i || exit 7; sleep 0.3; done; echo $A$B`,
		check: func(t *testing.T, s *site, res sandbox.Result) {
			if res.ExitCode != 7 && res.Over != sandbox.DiskLimit {
				t.Errorf("exit %d, over %q", res.ExitCode, res.Over)
			}
		},
	},
	{
		name: "network", reason: "no socket leads out",
		python: `
def tcp(): socket.create_connection(('127.0.0.1', PORT), 2)
def udp(): socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))
def path():
    s = socket.socket(socket.AF_UNIX); s.connect('SOCKET')
def abstract():
    s = socket.socket(socket.AF_UNIX); s.connect('\0ABSTRACT')
def pair():
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.sendto(b'x', 'SOCKET')
def family(n): socket.socket(n, socket.SOCK_STREAM)
def raw(): socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)
for f in (tcp, udp, path, abstract, pair, raw): tries(f)
for n in (16, 17, 38, 40): tries(family, n)  # netlink, packet, alg, vsock
print('through')`,
		check: says("through"),
	},
	{
		name: "signals", reason: "no process outside can be signalled, nor the supervisor",
		python: `
import signal, fcntl
for pid in (VICTIM, SELF):
    tries(os.kill, pid, 0); tries(os.kill, pid, 9)
    if x86 and libc.syscall(424, libc.syscall(434, pid, 0), 9, 0, 0) == 0: LEAK('pidfd')
    if x86 and libc.syscall(234, pid, pid, 9) == 0: LEAK('tgkill')
    if x86 and libc.syscall(129, pid, 9, ctypes.create_string_buffer(128)) == 0: LEAK('sigqueue')
    try:
        r, w = os.pipe()
        fcntl.fcntl(r, 10, 9); fcntl.fcntl(r, 8, pid)   # F_SETSIG, F_SETOWN
        fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK); os.write(w, b'x')
    except OSError as e: print(e)
for sig in (15, 2, 1, 6, 11, 9):
    try: os.kill(os.getppid(), sig)
    except OSError as e: print(e)
time.sleep(0.1)
print('through', flush=True)
try: os.kill(-1, 9)
except OSError as e: print(e)`,
		check: says("through"),
	},
	{
		name: "daemon", reason: "what was started ends with the command, in whatever session",
		python: `
def daemon(hold):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            if not hold:
                for i in range(3): os.close(i)
                for i in range(3): os.open('/dev/null', 2)
            os.execv('/bin/sleep', ['daemon-' + os.environ['A'], '600'])
        os._exit(0)
    os.wait()
daemon(True); daemon(False)
time.sleep(0.1); print('left')`,
		check: func(t *testing.T, s *site, res sandbox.Result) {
			if pids := alive("daemon-" + s.a); len(pids) > 0 || !strings.Contains(string(res.Stdout), "left") {
				t.Errorf("still there: %v; stdout %q stderr %.300q", pids, res.Stdout, res.Stderr)
			}
		},
	},
	{
		name: "privileges", reason: "no call gives rights, mounts, namespaces or another process",
		python: `
def call(name, *args):
    if libc[name](*args) in (0, 1): LEAK(name)
    else: print('refused', name)
call('mount', b'x', b'/mnt', b'tmpfs', 0, 0); call('unshare', 0x10000000); call('chroot', b'/'); call('setuid', 0)
call('ptrace', 16, VICTIM, 0, 0); call('ptrace', 16, os.getppid(), 0, 0)
for flag in (0x10000000, 0x20000, 0x40000000) if x86 else ():
    pid = libc.syscall(56, flag | 17, 0, 0, 0, 0)
    if pid == 0: os._exit(0)
    if pid > 0: LEAK('clone', hex(flag))
class Args(ctypes.Structure): _fields_ = [(n, ctypes.c_uint64) for n in 'flags pidfd child parent exit stack size tls settid n cgroup'.split()]
a = Args(flags=0x10000000, exit=17); pid = libc.syscall(435, ctypes.byref(a), ctypes.sizeof(a))
if pid == 0: os._exit(0)
if pid > 0: LEAK('clone3')
for nr in (425, 321, 298, 323, 310, 304, 250) if x86 else (): # io_uring, bpf, perf, userfaultfd, process_vm_readv, open_by_handle_at, keyctl
    if libc.syscall(nr, 1, 0, 0, 0, 0) >= 0: LEAK('syscall', nr)
import resource
for pid in (os.getppid(), SELF):
    tries(resource.prlimit, pid, resource.RLIMIT_CPU, (1, 1))
for c in (['su', '-c', 'true'], ['sudo', '-n', 'true'], ['mount', '-t', 'tmpfs', 'x', '/mnt'], ['unshare', '-U', 'true'], ['chroot', '/', 'true']):
    try: r = subprocess.run(c, capture_output=True, stdin=subprocess.DEVNULL)
    except OSError as e: print(e)
    else:
        if r.returncode == 0: LEAK(c)
print('through')`,
		check: says("through"),
	},
	{
		name: "set-user-id", reason: "no file is left that runs as its owner",
		python: `
open('f', 'w').close(); fd = os.open('f', os.O_RDONLY)
tries(os.chmod, 'f', 0o4755); tries(os.chmod, 'f', 0o2755); tries(os.chmod, fd, 0o4755); tries(os.mknod, 'n', 0o104755)
tries(os.open, 'o', os.O_CREAT | os.O_WRONLY, 0o4755); tries(os.open, '.', os.O_TMPFILE | os.O_WRONLY, 0o2755)
print('through')`,
		check: func(t *testing.T, s *site, res sandbox.Result) {
			for _, name := range []string{"f", "n", "o"} {
				if st, err := os.Lstat(filepath.Join(s.dir, name)); err == nil && st.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
					t.Errorf("%s has mode %v", name, st.Mode())
				}
			}
			says("through")(t, s, res)
		},
	},
	{
		name: "other-architecture", reason: "calls by int 0x80 have other numbers and would pass the filter",
		python: `
import mmap, platform
if platform.machine() != 'x86_64': sys.exit(0)
m = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
m.write(b'\xb8\x14\x00\x00\x00\xcd\x80\xc3')  # mov eax, 20 (getpid); int 0x80; ret
f = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))
if f() > 0: LEAK()`,
	},
	{
		name: "deaf", reason: "a command that ignores signals ends at the deadline", ended: sandbox.TimedOut,
		limits: sandbox.Limits{Wall: 700 * time.Millisecond},
		shell:  `trap '' TERM INT HUP; sleep 60 & sleep 60`, check: stops(4 * time.Second),
	},
	{
		name: "deaf-and-mute", reason: "so does one that closed its output", ended: sandbox.TimedOut,
		limits: sandbox.Limits{Wall: 700 * time.Millisecond},
		shell:  `exec <&- >&- 2>&-; sleep 60`, check: stops(4 * time.Second),
	},
	{
		name: "busy-loop", reason: "processor time is limited", ended: sandbox.CPULimit,
		limits: sandbox.Limits{CPU: time.Second},
		shell:  `while :; do :; done`,
	},
	{
		name: "environment", reason: "nothing is inherited",
		shell: `env | grep -v -e ^A= -e ^B= -e ^PATH= -e ^LANG=C.UTF-8 -e ^USER=agent -e ^HOME= -e ^TMP -e ^TEMP= -e ^PYTHON -e ^PWD= -e ^_= | grep . && echo $A$B; true`,
		check: exits(0),
	},
	{
		name: "descriptors", reason: "no open file of the parent is inherited",
		python: `
if inherited: LEAK(inherited)
print('through')`,
		check: says("through"),
	},
}
