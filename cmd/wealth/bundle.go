package wealth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"benchwright/grader/wealth/scorer"
	"benchwright/internal/regular"
	"benchwright/reports"
	"benchwright/steps/wealth"
	"benchwright/tasks"
)

// A place is where a run bundle of the published format lies.
type place struct {
	dir string // of bundle.json
	run string // the bundle that it was derived from; "" when only the published files are there
}

// find finds the run bundle in a folder: there itself, or in the views of a run.
func find(dir string) (place, error) {
	has := func(file string) bool {
		_, err := os.Stat(filepath.Join(dir, file))
		return err == nil
	}
	views := filepath.Join("views", suite)
	switch {
	case has(scorer.ManifestFile):
		return place{dir: dir}, nil
	case has(filepath.Join(views, scorer.ManifestFile)):
		p := place{dir: filepath.Join(dir, views)}
		if has(reports.RunFile) {
			p.run = dir
		}
		return p, nil
	case has(reports.RunFile):
		return place{}, fmt.Errorf("%s: the run has no %s: a certification has none, nor a run that selects no case of suite %s", dir, filepath.ToSlash(filepath.Join(views, scorer.ManifestFile)), suite)
	}
	return place{}, fmt.Errorf("%s: there is neither %s nor %s: want the folder of a run, or its %s", dir, scorer.ManifestFile, reports.RunFile, filepath.ToSlash(views))
}

// verify checks a run bundle with all its trials, and where the run itself is there, that the
// bundle follows from its episodes. The bundle returned is that of the first trial.
func verify(p place) (*scorer.Bundle, []string, error) {
	all, err := cases()
	if err != nil {
		return nil, nil, err
	}
	src, err := wealth.Files(all)
	if err != nil {
		return nil, nil, err
	}
	b, problems := scorer.Verify(os.DirFS(p.dir), src)
	trials, err := os.ReadDir(p.dir)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range trials {
		if !d.IsDir() || !strings.HasPrefix(d.Name(), "trial-") {
			continue
		}
		_, more := scorer.Verify(os.DirFS(filepath.Join(p.dir, d.Name())), src)
		for _, m := range more {
			problems = append(problems, d.Name()+"/"+m)
		}
	}
	if p.run != "" && len(problems) == 0 {
		problems = append(problems, derived(p.run, all)...)
	}
	return b, problems, nil
}

// derived derives the views of a run again.
func derived(run string, all []tasks.Task) []string {
	kit := wealth.Kit()
	files, err := kit.Views(context.Background(), os.DirFS(run), all)
	if err != nil {
		return []string{fmt.Sprintf("the files cannot be derived from the episodes again: %v", err)}
	}
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		found, err := regular.Read(filepath.Join(run, "views", filepath.FromSlash(name)), maxRead)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			problems = append(problems, path.Base(name)+": it follows from the episodes and is not there")
		case err != nil:
			problems = append(problems, err.Error())
		case !bytes.Equal(found, files[name]):
			problems = append(problems, strings.TrimPrefix(name, suite+"/")+": it does not follow from the episodes of the run")
		}
	}
	return problems
}
