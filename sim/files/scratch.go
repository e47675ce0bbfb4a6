package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
	"time"
	"unicode/utf8"

	"benchwright/sim/files/sandbox"
)

// A workspace is on the disk only while a command runs: it is written to an empty folder, the
// command runs, what it left is read, and the folder is removed. So every command meets the same
// folder, whatever was forked or run before: no hard links, no special files, no modes and times
// but those that follow from the snapshot. And nothing is left when a process is killed between
// commands.

// epoch is when everything in a workspace was made, as far as its modification time says. What
// step n changed is n seconds younger, so that tools that compare times see the order of changes.
var epoch = time.Unix(1_700_000_000, 0)

// errBeyond says that a command left more than a workspace may hold.
var errBeyond = errors.New("the workspace holds more than it may")

// command runs a command in the workspace and returns what became of the workspace. It is the same
// where the command left more than may be there; then the result says so.
func (w *world) command(ctx context.Context, c Command) (after *snapshot, res sandbox.Result, err error) {
	if err := w.plan.machine.Ready(ctx); err != nil {
		return nil, res, err
	}
	c.Dir, err = os.MkdirTemp(w.plan.scratch, "workspace-")
	if err != nil {
		return nil, res, err
	}
	defer func() { err = errors.Join(err, sandbox.Remove(c.Dir)) }()
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return nil, res, err
	}
	defer root.Close()
	if err := w.files.write(root); err != nil {
		return nil, res, err
	}
	if res, err = w.plan.machine.Run(ctx, c); err != nil {
		return nil, res, err
	}
	if res.Over == sandbox.DiskLimit {
		return w.files, res, nil
	}
	after, err = w.files.read(root, w.steps+1)
	if errors.Is(err, errBeyond) {
		res.Over = sandbox.DiskLimit
		return w.files, res, nil
	}
	return after, res, err
}

// write writes the snapshot into an empty folder.
func (s *snapshot) write(root *os.Root) error {
	made := map[string]bool{".": true}
	var mkdir func(dir string) error
	mkdir = func(dir string) error {
		if made[dir] {
			return nil
		}
		made[dir] = true
		if err := mkdir(path.Dir(dir)); err != nil {
			return err
		}
		if err := root.Mkdir(dir, 0o755); err != nil {
			return err
		}
		return root.Chmod(dir, 0o755) // whatever the umask is
	}
	for _, e := range s.entries {
		dir := path.Dir(e.path)
		if e.node.kind == folder {
			dir = e.path
		}
		if err := mkdir(dir); err != nil {
			return err
		}
		switch e.node.kind {
		case link:
			if err := root.Symlink(e.node.text, e.path); err != nil {
				return err
			}
		case file:
			if err := e.node.write(root, e.path); err != nil {
				return err
			}
		}
	}
	for dir := range made {
		if err := root.Chtimes(dir, epoch, epoch); err != nil {
			return err
		}
	}
	return nil
}

func (n *node) write(root *os.Root, p string) error {
	mode := fs.FileMode(0o644)
	if n.exec {
		mode = 0o755
	}
	if err := root.WriteFile(p, []byte(n.text), mode); err != nil {
		return err
	}
	if err := root.Chmod(p, mode); err != nil {
		return err
	}
	at := epoch.Add(time.Duration(n.at) * time.Second)
	return root.Chtimes(p, at, at)
}

// read returns what a folder holds after a command of a step. Nodes that did not change are those
// of s. What a workspace cannot hold is passed over: what is neither file, folder nor link, and
// what has a name that is no text or too long.
func (s *snapshot) read(root *os.Root, step int) (*snapshot, error) {
	var entries []entry
	visited, bytes := 0, int64(0)
	held := map[string]bool{} // folders that hold something
	var folders []string
	err := fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case vanished(err):
			return nil
		case err != nil:
			return err
		}
		if visited++; visited > maxEntries {
			return errBeyond
		}
		if p == "." {
			return open(root, p, d)
		}
		if !storable(p) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		var n *node
		switch {
		case d.IsDir():
			folders = append(folders, p)
			held[path.Dir(p)] = true
			return open(root, p, d)
		case d.Type()&fs.ModeSymlink != 0:
			to, err := root.Readlink(p)
			if err != nil || !utf8.ValidString(to) {
				return ignore(err)
			}
			n = &node{kind: link, text: to, at: step}
		case d.Type().IsRegular():
			if n, err = readNode(root, p, step); n == nil {
				return ignore(err)
			}
		default:
			return nil
		}
		if bytes += n.length(); bytes > maxBytes {
			return errBeyond
		}
		if was := s.find(p); was != nil && was.same(n) {
			n = was
		}
		held[path.Dir(p)] = true
		entries = append(entries, entry{p, n})
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, p := range folders {
		if !held[p] {
			entries = append(entries, entry{p, &node{kind: folder, at: step}})
		}
	}
	return newSnapshot(entries), nil
}

// readNode reads a file; nil means that it could not be read.
func readNode(root *os.Root, p string, step int) (*node, error) {
	f, err := root.Open(p)
	if errors.Is(err, fs.ErrPermission) && root.Chmod(p, 0o600) == nil {
		f, err = root.Open(p)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	if info.Size() > maxWritten {
		return nil, errBeyond
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxWritten+1))
	switch {
	case err != nil:
		return nil, err
	case len(raw) > maxWritten:
		return nil, errBeyond
	}
	return &node{text: string(raw), exec: info.Mode()&0o100 != 0, at: step}, nil
}

// open lets the walk into a folder that a command closed.
func open(root *os.Root, p string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil || info.Mode()&0o700 == 0o700 {
		return ignore(err)
	}
	return ignore(root.Chmod(p, 0o755))
}

// vanished reports whether something cannot be read because of what the command did.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENAMETOOLONG)
}

func ignore(err error) error {
	if vanished(err) {
		return nil
	}
	return err
}
