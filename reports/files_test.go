package reports

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFilesAreWrittenBelowTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bundle", "views")
	files := map[string][]byte{"a.txt": []byte("1"), "deep/er/b.txt": []byte("2"), "deep/c.txt": nil}
	for range 2 { // what is there is exchanged
		if err := WriteFiles(dir, files); err != nil {
			t.Fatal(err)
		}
		files["a.txt"] = []byte("more than before")
	}
	files["a.txt"] = []byte("3")
	if err := WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	found := 0
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found++
			if got := read(t, dir, name); got != string(files[name]) {
				t.Errorf("%s holds %q", name, got)
			}
		}
		return err
	})
	if err != nil || found != len(files) {
		t.Errorf("%d files, %v", found, err)
	}
}

func TestNoFileIsWrittenOutsideOfTheFolder(t *testing.T) {
	cases := []struct {
		name, file string
		plant      func(dir, outside string) error // dir is not there yet
		want       []string
		reason     string
	}{
		{"up", "../x", nil, []string{"../x", "not the name of a file below the folder"}, "names come from worlds"},
		{"root", "/x", nil, []string{"/x", "not the name"}, "as above"},
		{"inner-up", "a/../../x", nil, []string{"not the name"}, "as above"},
		{"itself", ".", nil, []string{"not the name"}, "no file"},
		{"backslash", `..\x`, nil, []string{"not the name"}, "it is a way up elsewhere"},
		{"nul", "a\x00b", nil, []string{"could not be written"}, "no file has such a name"},
		{"folder-link", "x", func(dir, outside string) error { return os.Symlink(outside, dir) },
			[]string{"views is a symbolic link, not a folder"}, "planted before the run"},
		{"folder-link-within", "x", func(dir, _ string) error {
			return errors.Join(os.Mkdir(dir+"2", 0o755), os.Symlink("views2", dir))
		}, []string{"views is a symbolic link, not a folder"}, "a link that stays below is one too"},
		{"folder-file", "x", func(dir, _ string) error { return os.WriteFile(dir, nil, 0o644) },
			[]string{"views is a file, not a folder"}, "something else stands there"},
		{"inner-link", "in/x", func(dir, outside string) error {
			return errors.Join(os.Mkdir(dir, 0o755), os.Symlink(outside, filepath.Join(dir, "in")))
		}, []string{"in/x", "in is a symbolic link, not a folder"}, "deeper down"},
		{"file-link", "x", func(dir, outside string) error {
			return errors.Join(os.Mkdir(dir, 0o755), os.Symlink(filepath.Join(outside, "victim"), filepath.Join(dir, "x")))
		}, []string{"x", "there is a symbolic link: remove it"}, "the file itself"},
		{"dangling", "x", func(dir, outside string) error {
			return errors.Join(os.Mkdir(dir, 0o755), os.Symlink(filepath.Join(outside, "new"), filepath.Join(dir, "x")))
		}, []string{"there is a symbolic link: remove it"}, "it would make a file elsewhere"},
		{"file-folder", "x", func(dir, _ string) error { return os.MkdirAll(filepath.Join(dir, "x"), 0o755) },
			[]string{"there is a folder: remove it"}, "no file can be there"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case needs a reason")
			}
			dir, outside := filepath.Join(t.TempDir(), "views"), t.TempDir()
			if err := os.WriteFile(filepath.Join(outside, "victim"), []byte("precious"), 0o644); err != nil {
				t.Fatal(err)
			}
			if c.plant != nil {
				if err := c.plant(dir, outside); err != nil {
					t.Fatal(err)
				}
			}
			err := WriteFiles(dir, map[string][]byte{c.file: []byte("evil"), "sound/y": []byte("y")})
			wantError(t, err, append(c.want, "folder "+dir)...)
			if !strings.Contains(err.Error(), "views is a") && read(t, dir, "sound", "y") != "y" {
				t.Error("the other file is missing")
			}
			entries, err := os.ReadDir(outside)
			if err != nil || len(entries) != 1 || read(t, outside, "victim") != "precious" {
				t.Errorf("outside: %v, %v", entries, err)
			}
		})
	}
}

func TestAFileThatIsTooLargeIsNotRead(t *testing.T) {
	fsys := fstest.MapFS{"x": {Data: []byte("12345")}}
	if raw, err := readFile(fsys, "x", 5); err != nil || string(raw) != "12345" {
		t.Errorf("%q, %v", raw, err)
	}
	_, err := readFile(fsys, "x", 4)
	wantError(t, err, "5 bytes are more than the 4 that are read")
}
