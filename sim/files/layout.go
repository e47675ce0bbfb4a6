package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"benchwright/sim"
)

// Bounds on what [Load] reads of somebody else's.
const (
	maxFiles    = 2000
	maxFileSize = 8 << 20
	maxTreeSize = 64 << 20
)

// MarshalManifest returns manifest.json.
func (in *Instance) MarshalManifest() string { return JSON(in.Manifest) }

// Write writes the instance into dir/<env_id>, in place of what stood there, and returns that
// folder, which is whole or not there at all.
func (in *Instance) Write(dir string) (string, error) {
	id := in.Manifest.EnvID
	if !fs.ValidPath(id) || id == "." || strings.ContainsAny(id, `/\`) {
		return "", fmt.Errorf("write instance: %q is not the name of a folder", clip(id))
	}
	root := filepath.Join(dir, id)
	files := Tree{"manifest.json": in.MarshalManifest()}
	for p, text := range in.Visible {
		files["visible/"+p] = text
	}
	for p, text := range in.Hidden {
		files["hidden/"+p] = text
	}
	if err := files.Check("instance " + id); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("write instance: %w", err)
	}
	half, err := os.MkdirTemp(dir, ".writing-") // nobody takes a folder that begins with a dot for an instance
	if err != nil {
		return "", fmt.Errorf("write instance: %w", err)
	}
	defer os.RemoveAll(half)
	whole := filepath.Join(half, id)
	if err := files.Write(whole); err != nil {
		return "", fmt.Errorf("write instance: %w", err)
	}
	if err := os.RemoveAll(root); err != nil {
		return "", fmt.Errorf("write instance: %w", err)
	}
	if err := os.Rename(whole, root); err != nil {
		return "", fmt.Errorf("write instance: %w", err)
	}
	return root, nil
}

// Write writes the tree below a folder, which is made where it is missing.
func (t Tree) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, p := range t.Paths() {
		if err := root.MkdirAll(path.Dir(p), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(p, []byte(t[p]), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Load reads an instance in the published layout. Fields of a manifest that are not known are
// passed over; what is known must have its type, the lists of files must be the files that there
// are, and nothing but files and folders may lie there.
func Load(root fs.FS) (*Instance, error) {
	raw, err := loadFile(root, "manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("manifest.json: there is none: a compiled workspace is a folder with manifest.json, visible and hidden")
	}
	if err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	in := &Instance{}
	if in.Manifest, err = ParseManifest(raw); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	m := &in.Manifest
	if in.Visible, err = ReadTree(root, m.WorkspaceRoot); err != nil {
		return nil, err
	}
	if in.Hidden, err = ReadTree(root, m.HiddenRoot); err != nil {
		return nil, err
	}
	for _, t := range []struct {
		name   string
		listed []string
		tree   Tree
	}{{"visible_files", m.VisibleFiles, in.Visible}, {"hidden_files", m.HiddenFiles, in.Hidden}} {
		if listed := slices.Sorted(slices.Values(t.listed)); !slices.Equal(listed, t.tree.Paths()) {
			return nil, fmt.Errorf("manifest.json: %s: lists %s; the folder holds %s", t.name, few(listed), few(t.tree.Paths()))
		}
	}
	return in, nil
}

// ParseManifest reads a manifest. The hidden root, the limits and the permissions have their
// defaults where they are left out.
func ParseManifest(raw []byte) (Manifest, error) {
	m := Manifest{WorkspaceRoot: "visible", HiddenRoot: "hidden", MaxSteps: 12, TimeLimitSeconds: 60, Tools: AllTools}
	if _, err := sim.ParseJSON(raw); err != nil {
		return m, err
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, err
	}
	switch {
	case m.EnvID == "" || m.Family == "" || m.Instruction == "":
		return m, errors.New("env_id, family and instruction must be there")
	case m.Evaluator == "":
		return m, errors.New("evaluator_entrypoint is missing")
	case m.Difficulty < MinDifficulty || m.Difficulty > MaxDifficulty:
		return m, errDifficulty
	case m.WorkspaceRoot != "visible":
		return m, fmt.Errorf("workspace_root is %q, want visible", clip(m.WorkspaceRoot))
	case m.HiddenRoot != "hidden":
		return m, fmt.Errorf("hidden_root is %q, want hidden", clip(m.HiddenRoot))
	}
	if err := bounded(m.MaxSteps, m.TimeLimitSeconds, m.Tools); err != nil {
		return m, err
	}
	return m, m.Reference.Files.Check("reference_solution")
}

// ReadTree reads the files below a folder of a file system.
func ReadTree(root fs.FS, dir string) (Tree, error) {
	t := Tree{}
	size := 0
	err := fs.WalkDir(root, dir, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return nil
		case !e.Type().IsRegular():
			return fmt.Errorf("%s is neither a file nor a folder", clip(p))
		case len(t) >= maxFiles:
			return fmt.Errorf("%s holds more than %d files", dir, maxFiles)
		}
		raw, err := loadFile(root, p)
		if err != nil {
			return fmt.Errorf("%s: %w", clip(p), err)
		}
		if size += len(raw); size > maxTreeSize {
			return fmt.Errorf("%s holds more than %d MiB", dir, maxTreeSize>>20)
		}
		t[strings.TrimPrefix(p, dir+"/")] = string(raw)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, t.Check(dir)
}

func loadFile(root fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(root, name) // before it is opened: opening a pipe would wait for its writer
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, io.LimitReader(f, maxFileSize+1)); err != nil {
		return nil, err
	}
	if b.Len() > maxFileSize {
		return nil, fmt.Errorf("larger than %d MiB", maxFileSize>>20)
	}
	return b.Bytes(), nil
}

// few shows a list of paths without flooding a message.
func few(paths []string) string {
	const most = 6
	if len(paths) > most {
		return fmt.Sprintf("%q and %d more", paths[:most], len(paths)-most)
	}
	return fmt.Sprintf("%q", paths)
}
