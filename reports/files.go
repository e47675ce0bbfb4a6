package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"benchwright/internal/regular"
)

// How large a file may be that is read.
const (
	maxRecord = 512 << 20
	maxLines  = 1 << 30 // results.jsonl and events.jsonl
	maxRun    = 64 << 20
)

// readFile reads a file of a bundle, of at most so many bytes. It looks before it opens: a pipe
// or a device would keep its reader waiting, and a link shows what is not the bundle's. So only
// files are read, and only from folders.
func readFile(fsys fs.FS, name string, most int64) ([]byte, error) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if info, err := fs.Lstat(fsys, dir); err == nil && !info.IsDir() {
			return nil, &fs.PathError{Op: "read", Path: dir, Err: fmt.Errorf("it is %s, not a folder", regular.What(info.Mode()))}
		}
	}
	info, err := fs.Lstat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notAFile(name, info.Mode())
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() { // exchanged a moment ago
		return nil, notAFile(name, info.Mode())
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%d bytes are more than the %d that are read", info.Size(), most)
	}
	b := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(f, most)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func notAFile(name string, mode fs.FileMode) error {
	return &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("it is %s, not a file", regular.What(mode))}
}

// WriteFiles writes files, by their slash-separated names, below the folder dir, which is made
// if it is not there. What it finds there is exchanged whole. Nothing is written outside of dir,
// whatever the names are and whatever somebody has planted there before: a symbolic link in the
// way, dir itself included, is an error, and so is anything else that is neither a file nor a
// folder.
//
// A file that cannot be written does not keep the others from being written; the error names all
// that are missing.
func WriteFiles(dir string, files map[string][]byte) error {
	root, err := openFolder(dir)
	if err != nil {
		return fmt.Errorf("folder %s: %w", dir, err)
	}
	defer root.Close()
	var missing []string
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := writeBelow(root, name, files[name]); err != nil {
			missing, errs = append(missing, Clean(name, 200)), append(errs, err)
		}
	}
	if errs == nil {
		return nil
	}
	return fmt.Errorf("folder %s: %w", dir, notWritten(missing, errs))
}

// openFolder opens a folder, or makes it. Links lead to the folders above it, as they may
// anywhere; the folder itself must be one.
func openFolder(dir string) (*os.Root, error) {
	above, name := filepath.Dir(dir), filepath.Base(dir)
	if err := os.MkdirAll(above, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(above)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if name == "." || name == ".." || name == string(filepath.Separator) {
		return root.OpenRoot(name)
	}
	return folder(root, name)
}

// folder opens the folder name of root, or makes it.
func folder(root *os.Root, name string) (*os.Root, error) {
	if err := root.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	seen, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !seen.IsDir() {
		return nil, fmt.Errorf("%s is %s, not a folder: remove it", Clean(name, 200), regular.What(seen.Mode()))
	}
	in, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if opened, err := in.Stat("."); err != nil || !os.SameFile(seen, opened) {
		in.Close()
		return nil, fmt.Errorf("%s was exchanged while it was opened: %w", Clean(name, 200), errors.Join(fs.ErrInvalid, err))
	}
	return in, nil
}

func writeBelow(root *os.Root, name string, data []byte) error {
	if !fs.ValidPath(name) || name == "." || !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsRune(name, '\\') {
		return errors.New("not the name of a file below the folder")
	}
	for {
		first, rest, more := strings.Cut(name, "/")
		if !more {
			break
		}
		in, err := folder(root, first)
		if err != nil {
			return err
		}
		defer in.Close()
		root, name = in, rest
	}
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("there is %s: remove it", regular.What(info.Mode()))
	}
	var tmp string
	var f *os.File
	for err := fs.ErrExist; errors.Is(err, fs.ErrExist); { // one may be left by a process of the same number
		tmp = temporaryName(name)
		if f, err = root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	_, err := f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		root.Remove(tmp)
	}
	return err
}

// notWritten says what is missing, with each reason once.
func notWritten(names []string, errs []error) error {
	const most = 10
	list := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	seen := map[string]bool{}
	why := &problems{}
	for _, err := range errs {
		var p *fs.PathError
		var l *os.LinkError
		switch { // the names are listed, and those of temporary files tell nothing
		case errors.As(err, &p):
			err = p.Err
		case errors.As(err, &l):
			err = l.Err
		}
		if !seen[err.Error()] {
			seen[err.Error()] = true
			why.all = append(why.all, err)
		}
	}
	return fmt.Errorf("%s could not be written: %w", list, why)
}

// problems are errors in one line, the first few of them in words.
type problems struct{ all []error }

func (p *problems) Error() string {
	const most = 5
	var words []string
	for _, err := range p.all[:min(len(p.all), most)] {
		words = append(words, err.Error())
	}
	if more := len(p.all) - most; more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, "; ")
}

func (p *problems) Unwrap() []error { return p.all }
