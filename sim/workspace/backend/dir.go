package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"benchwright/internal/regular"
)

// OpenDir loads a backend from a folder: widgets.json, apps.json if there is one, and the answers
// that lie there; the package comment says how they are named. The manifests are validated as
// the product does, and what it refuses is an *[Invalid]. The backend is named after the folder.
// Links out of the folder are not followed.
func OpenDir(dir string) (*Backend, error) {
	b, err := openDir(dir)
	if err != nil {
		return nil, fmt.Errorf("backend folder %s: %w", dir, err)
	}
	return b, nil
}

func openDir(dir string) (*Backend, error) {
	root, err := os.OpenRoot(dir + "/.") // of a pipe that is an error, where its name alone would wait for a writer
	if err != nil {
		return nil, err
	}
	defer root.Close()
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	f := &folder{root: root, left: maxLoaded, used: map[string]bool{}}
	src := Source{Slug: Slug(filepath.Base(abs), "backend"), Name: filepath.Base(abs)}
	if src.Widgets, err = f.read("widgets.json", maxManifest); err != nil {
		return nil, err
	}
	if src.Apps, err = f.read("apps.json", maxManifest); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	b, err := Author(src)
	if err != nil {
		return nil, err
	}
	b.answers = map[string]*answer{}
	for _, d := range b.Widgets {
		if err := f.load(b, d); err != nil {
			return nil, fmt.Errorf("widget %q: %w", d.ID, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.used)) {
		if !f.used[name] {
			b.Notes = append(b.Notes, fmt.Sprintf("%s: no widget has these parameters", shown(name)))
		}
	}
	return b, b.seal()
}

// A folder reads answers from files.
type folder struct {
	root *os.Root
	left int64
	used map[string]bool // files with parameters in their name, and whether a widget took them
}

// read returns a file; one that is not there is fs.ErrNotExist.
func (f *folder) read(name string, most int64) ([]byte, error) {
	file, err := f.open(name, fs.FileMode.IsRegular, "file")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) > most {
		return nil, fmt.Errorf("%s: larger than %d MiB", name, most>>20)
	}
	if f.left -= int64(len(raw)); f.left < 0 {
		return nil, fmt.Errorf("%s: the folder's answers are larger than %d MiB", name, int64(maxLoaded)>>20)
	}
	return raw, nil
}

// open opens a file or folder of the folder, looking at what it is before and after: nothing waits
// for what is a pipe or a device, be it only since a moment ago.
func (f *folder) open(name string, is func(fs.FileMode) bool, want string) (*os.File, error) {
	check := func(info fs.FileInfo, err error) error {
		if err == nil && !is(info.Mode()) {
			err = fmt.Errorf("%s: it is %s, not a regular %s", shown(name), regular.What(info.Mode()), want)
		}
		return err
	}
	if err := check(f.root.Stat(name)); err != nil {
		return nil, err
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if err := check(file.Stat()); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// list returns what is in a folder of the folder, by name.
func (f *folder) list(name string) ([]fs.DirEntry, error) {
	file, err := f.open(name, fs.FileMode.IsDir, "folder")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	out, err := file.ReadDir(-1)
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return out, err
}

// extensions of answers, in the order in which they are looked for.
var extensions = []string{".json", ".html", ".md", ".txt"}

// load finds the answers of one widget.
func (f *folder) load(b *Backend, d *Definition) error {
	if err := f.loadOptions(b, d); err != nil {
		return err
	}
	if !d.asked() {
		b.unanswered(d)
		return nil
	}
	var payload json.RawMessage
	var variants []argsEntry
	static := staticQuery(d.Endpoint)
	files, err := f.answers(endpointPath(d.Endpoint))
	if err != nil {
		return err
	}
	exact := false // the file names the static query of the endpoint too
	for _, file := range files {
		args := maps.Clone(file.args)
		if len(args) > 0 && !within(static, args) {
			continue
		}
		maps.DeleteFunc(args, func(k, _ string) bool { _, ok := static[k]; return ok })
		if !declaredArgs(d, args) || len(args) == 0 && exact {
			continue
		}
		raw, err := f.read(file.name, maxAnswer)
		if err != nil {
			return err
		}
		data, err := d.freeze(raw, path.Ext(file.name) != ".json")
		if err != nil {
			return fmt.Errorf("%s: %w", file.name, err)
		}
		if len(file.args) > 0 {
			f.used[file.name] = true
		}
		if len(args) > 0 {
			variants = append(variants, argsEntry{args, data})
			continue
		}
		payload, exact = data, len(file.args) == len(static)
	}
	if payload == nil {
		b.unanswered(d)
		if len(variants) > 0 {
			b.answers[d.ID] = frozen(nil, unknownEndpoint(d.ID), variants)
		}
		return nil
	}
	b.noteAnswer(d, payload)
	b.answers[d.ID] = frozen(payload, nil, variants)
	return nil
}

func declaredArgs(d *Definition, args map[string]string) bool {
	for k := range args {
		if d.Param(k) == nil {
			return false
		}
	}
	return true
}

// An answerFile is a file and the parameters in its name.
type answerFile struct {
	name string
	args map[string]string
}

// answers lists the files that answer for a path: those with parameters first. Of files that
// differ by extension alone the first counts.
func (f *folder) answers(endpoint string) ([]answerFile, error) {
	p := strings.TrimPrefix(path.Clean(endpoint), "/")
	if !fs.ValidPath(p) || p == "." {
		return nil, nil
	}
	entries, err := f.list(path.Dir(p))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var with, without []answerFile
	taken := map[string]bool{}
	for _, ext := range extensions {
		for _, e := range entries {
			stem, ok := strings.CutSuffix(e.Name(), ext)
			if !ok || e.IsDir() || taken[stem] {
				continue
			}
			name := path.Join(path.Dir(p), e.Name())
			base, query, has := strings.Cut(stem, "@")
			switch {
			case stem == path.Base(p):
				without = append(without, answerFile{name: name})
			case has && base == path.Base(p):
				q, err := url.ParseQuery(query)
				if err != nil {
					return nil, fmt.Errorf("%s: the part behind @ is no query: %w", name, err)
				}
				args := map[string]string{}
				for k, v := range q {
					args[k] = strings.Join(v, ",")
				}
				with = append(with, answerFile{name, args})
				f.used[name] = f.used[name]
			default:
				continue
			}
			taken[stem] = true
		}
	}
	return append(with, without...), nil
}

func (f *folder) loadOptions(b *Backend, d *Definition) error {
	for i := range d.Params {
		p := &d.Params[i]
		if p.OptionsEndpoint == "" || absolute(p.OptionsEndpoint) {
			continue
		}
		name := strings.TrimPrefix(endpointPath(p.OptionsEndpoint), "/") + ".json"
		if !fs.ValidPath(name) {
			continue
		}
		raw, err := f.read(name, maxAnswer)
		if errors.Is(err, fs.ErrNotExist) {
			b.note(d, "nothing answers for the options of '%s'", shown(p.Name))
			continue
		} else if err != nil {
			return err
		}
		v, err := parse(raw)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		list, ok := choicesOf(v)
		if !ok {
			return fmt.Errorf("%s: want a list of options", name)
		}
		for _, c := range list {
			b.addChoice(d.ID, p.Name, c)
		}
	}
	return nil
}
