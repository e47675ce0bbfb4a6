//go:build linux

package stage

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// systemFolders are what a command may read of the host's /usr. The rest of it stays out:
// container images keep sources, and with them a suite's hidden files, in /usr/src, and what
// somebody installs by hand, such as this program, in /usr/local.
var systemFolders = []string{
	"/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/usr/libexec", "/usr/share",
}

// localFolders are what it may read besides where its interpreter lives in /usr/local.
var localFolders = []string{"/usr/local/bin", "/usr/local/lib", "/usr/local/lib64"}

// system returns the folders and files of the system that the command may read.
func (s Spec) system() []string {
	all := append(append([]string{}, systemFolders...), systemFiles...)
	if s.Local {
		all = append(all, localFolders...)
	}
	return all
}

// rootFolders are links into /usr on most systems, and folders on the others.
var rootFolders = []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// systemFiles are what dynamic linking, local time and Debian's choice of programs need.
var systemFiles = []string{"/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/etc/ld-musl-x86_64.path", "/etc/ld-musl-aarch64.path"}

var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// What is mounted to be read keeps its attributes, the times of reading among them. That holds
// for a device too, which is written to all the same: its times would be memory that outlasts
// the command, for the next one to read.
const (
	readOnly = unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	writable = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	device   = unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NOEXEC
)

// A graft is a piece of the host's tree, cut out before the new root hides it.
type graft struct {
	fd     int
	inside string
	folder bool
	cover  string // where this program's own file would be inside, if it is among this
}

// cut clones the tree at host and restricts it while nothing can reach it yet: there is no
// path in between that could be exchanged.
func cut(host, inside string, attributes uint64) (graft, error) {
	fd, err := unix.OpenTree(-1, host, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return graft{}, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return graft{}, err
	}
	attr := unix.MountAttr{Attr_set: attributes, Propagation: unix.MS_PRIVATE}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr); err != nil {
		return graft{}, err
	}
	return graft{fd: fd, inside: inside, folder: st.Mode&unix.S_IFMT == unix.S_IFDIR}, nil
}

// newRoot gives this process, and the second stage with it, a file system that holds what
// the command may see.
func newRoot(s Spec) {
	must("making mounts private", unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))

	self := own()
	var grafts []graft
	take := func(host, inside string, attributes uint64) {
		g, err := cut(host, inside, attributes)
		must("mounting "+host, err)
		if rest, within := self.below(host); within {
			g.cover = inside + "/" + rest
		} else if self.at(host) {
			g.cover = inside
		}
		grafts = append(grafts, g)
	}
	links := map[string]string{}
	for _, p := range rootFolders {
		if to, err := os.Readlink(p); err == nil {
			links[p] = to
		} else if exists(p) {
			take(p, p, readOnly)
		}
	}
	for _, p := range s.system() {
		if exists(p) {
			take(p, p, readOnly)
		}
	}
	for _, p := range devices {
		if exists(p) {
			take(p, p, device)
		}
	}
	for _, m := range s.Lent {
		take(m.Host, m.Inside, readOnly)
	}
	take(s.Dir, Workspace, writable)

	root := cover()
	must("making the root", unix.Mount("tmpfs", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=1m,nr_inodes=1k"))
	// Mounted before the grafts, so that none of them could vanish below it.
	must("making /tmp", os.Mkdir(root+Temp, 0o777))
	must("making /tmp", unix.Mount("tmpfs", root+Temp, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV,
		"mode=1777,size="+strconv.FormatInt(s.Disk, 10)+",nr_inodes="+strconv.Itoa(s.Entries+1)))
	must("making the cover", writeFile(root+"/cover", ""))
	for _, g := range grafts {
		must("placing "+g.inside, place(g, root+g.inside))
		if g.cover != "" {
			must("covering "+g.inside, unix.Mount(root+"/cover", root+g.cover, "", unix.MS_BIND, ""))
		}
	}
	must("removing the cover", os.Remove(root+"/cover")) // it stays where it is mounted
	for p, to := range links {
		must("linking "+p, os.Symlink(to, root+p))
	}
	id := strconv.Itoa(User)
	must("writing /etc/passwd", writeFile(root+"/etc/passwd", "agent:x:"+id+":"+id+":agent:"+Temp+":/bin/sh\n"))
	must("writing /etc/group", writeFile(root+"/etc/group", "agent:x:"+id+":\n"))
	for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"} {
		must("linking /dev/"+name, os.Symlink(to, root+"/dev/"+name))
	}
	must("making /proc", os.Mkdir(root+"/proc", 0o555))
	// Refused in containers that mask parts of /proc. Commands get by with an empty one, and
	// the host's must not take its place.
	unix.Mount("proc", root+"/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")

	must("making the old root's place", os.Mkdir(root+"/old", 0o700))
	must("changing the root", unix.PivotRoot(root, root+"/old"))
	must("entering the root", os.Chdir("/"))
	must("leaving the old root", unix.Unmount("/old", unix.MNT_DETACH))
	must("leaving the old root", os.Remove("/old"))
	must("closing the root", unix.MountSetattr(-1, "/", 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}))
	must("naming the host", unix.Sethostname([]byte("sandbox")))
}

// cover returns a folder of the host to build the new root over, in this namespace alone.
func cover() string {
	for _, p := range []string{"/tmp", "/var", "/usr", "/etc"} {
		if st, err := os.Lstat(p); err == nil && st.IsDir() {
			return p
		}
	}
	return "/dev"
}

func place(g graft, at string) error {
	if err := os.MkdirAll(at[:strings.LastIndexByte(at, '/')], 0o755); err != nil {
		return err
	}
	if g.folder {
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
	} else if err := writeFile(at, ""); err != nil {
		return err
	}
	defer unix.Close(g.fd)
	return unix.MoveMount(g.fd, "", -1, at, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(path[:strings.LastIndexByte(path, '/')], 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
