// Package wiki holds the verbs of the wiki world: its records are verified, and made anew from what
// a run has recorded.
package wiki

import (
	"bytes"
	"context"
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
	"sync"
	"time"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/features"
	rules "benchwright/grader/wiki"
	"benchwright/internal/run"
	"benchwright/reports"
	"benchwright/steps/wiki"
	"benchwright/tasks"
)

// Verbs returns the verbs of the wiki world, for cmd.Main.
func Verbs() []*cobra.Command {
	c := &cobra.Command{
		Use:   "wiki",
		Short: "Verify the five records of code wiki runs, or make them anew",
		Long: `Verify the five records of code wiki runs, or make them anew. None of it needs a model or a network.

A run leaves its records in views/codewiki/three_gates of its bundle: manifest.json, events.jsonl, grading.json,
summary.json and report.md, closed by records.sha256.`,
	}
	c.AddCommand(verifyVerb(), regradeVerb())
	return []*cobra.Command{c}
}

// args is a cobra argument check whose errors are wrong usage.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, a []string) error {
		if err := check(c, a); err != nil {
			return cmd.Usage(fmt.Errorf("%s: %w; usage: %s", c.Name(), err, c.UseLine()))
		}
		return nil
	}
}

func verifyVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "verify BUNDLE", Short: "Check the seals of a bundle's records, and that they follow from its episodes",
		Long: "Check the seals of a bundle's records, and that every byte of them follows from its episodes. It exits with 1 when\n" +
			"anything does not hold, and names every record that has changed, is missing or was added, records that are not sealed,\n" +
			"and folders that no episode stands for.",
		Args: args(cobra.ExactArgs(1)),
	}
	c.RunE = func(c *cobra.Command, a []string) error {
		made, err := derive(c.Context(), a[0])
		if err != nil {
			return err
		}
		there, err := read(filepath.Join(a[0], "views"))
		if err != nil {
			return err
		}
		out := c.OutOrStdout()
		wrong := 0
		for _, folder := range slices.Compact(slices.Sorted(slices.Values(append(folders(made), there.claim(made)...)))) {
			problems := there.compare(folder, within(made, folder))
			if len(problems) == 0 {
				fmt.Fprintf(out, "views/%s holds: %s\n", folder, headline(within(made, folder)))
				continue
			}
			wrong += len(problems)
			fmt.Fprintf(out, "views/%s does not hold:\n", folder)
			for _, p := range problems {
				fmt.Fprintf(out, "  %s\n", reports.Clean(p, 300))
			}
		}
		if wrong > 0 {
			return fmt.Errorf("%s: %d found wrong; bench wiki regrade BUNDLE --output FOLDER makes the records anew", a[0], wrong)
		}
		return nil
	}
	return c
}

func regradeVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "regrade BUNDLE", Short: "Make the records of a bundle anew from its episodes",
		Long: "Make the records of a bundle anew from its episodes, also those of a run that was killed, and print the report.\n" +
			"Records never change: with --output they are written to a new folder.",
		Args: args(cobra.ExactArgs(1)),
	}
	output := c.Flags().String("output", "", "a new folder for the records")
	c.RunE = func(c *cobra.Command, a []string) error {
		made, err := derive(c.Context(), a[0])
		if err != nil {
			return err
		}
		if *output != "" {
			if _, err := os.Lstat(*output); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("--output=%s: it is there already; records are never overwritten", *output)
			}
			if err := reports.WriteFiles(*output, made); err != nil {
				return err
			}
		}
		for _, folder := range folders(made) {
			c.OutOrStdout().Write(made[path.Join(folder, rules.ReportFile)])
		}
		return nil
	}
	return c
}

// suite compiles the tasks of the built-in suite that are about wikis.
var suite = sync.OnceValues(func() ([]tasks.Task, error) {
	const dir = "codewiki"
	s := features.Suite()
	own, err := fs.Sub(s.Features, dir)
	if err != nil {
		return nil, err
	}
	c, err := tasks.Compile(tasks.Suite{Name: s.Name, Dir: path.Join(s.Dir, dir), Features: own, Kits: []tasks.Kit{wiki.Kit()}})
	if err != nil {
		return nil, err
	}
	return c.Tasks, nil
})

// derive makes the records of a bundle whose run is over.
func derive(ctx context.Context, dir string) (map[string][]byte, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	r, err := reports.Open(dir)
	if err != nil {
		return nil, err
	}
	executions, err := r.Executions(reports.Watch{Now: time.Now(), Alive: run.Alive})
	if err != nil {
		return nil, err
	}
	for _, x := range executions {
		if x.State == reports.Running {
			return nil, fmt.Errorf("bundle %s: the run goes on: %s is being played; see bench status", dir, x.Key)
		}
	}
	all, err := suite()
	if err != nil {
		return nil, err
	}
	made, err := wiki.Kit().Views(ctx, os.DirFS(dir), all)
	if err == nil && len(made) == 0 {
		err = fmt.Errorf("bundle %s: nothing of the suite codewiki was played in it", dir)
	}
	return made, err
}

// folders lists the folders of records, sorted.
func folders(files map[string][]byte) []string {
	seen := map[string]bool{}
	for name := range files {
		seen[path.Dir(name)] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// within returns the files of a folder by their names.
func within(files map[string][]byte, folder string) map[string][]byte {
	out := map[string][]byte{}
	for name, raw := range files {
		if path.Dir(name) == folder {
			out[path.Base(name)] = raw
		}
	}
	return out
}

// most is how large a record may be that is read back.
const most = 256 << 20

// A shelf is what lies below the views of a bundle.
type shelf struct {
	folders []string          // by their paths, sorted
	files   map[string][]byte // by their paths
	odd     []string          // what is neither
}

// read returns what lies below a folder, which need not be there.
func read(root string) (shelf, error) {
	s := shelf{files: map[string][]byte{}}
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		at := filepath.ToSlash(rel)
		switch {
		case e.IsDir():
			s.folders = append(s.folders, at)
		case !e.Type().IsRegular():
			s.odd = append(s.odd, at)
		default:
			s.files[at], err = load(name)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	slices.Sort(s.folders)
	return s, err
}

func load(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// records are the names that a folder of records is known by.
var records = []string{rules.ManifestFile, rules.EventsFile, rules.GradingFile, rules.SummaryFile, rules.ReportFile, rules.SealFile}

// claim lists the folders that pass for records: all below the suites of those that were made, and any
// with the seal of records or most of them, wherever it is.
func (s shelf) claim(made map[string][]byte) (out []string) {
	suites := map[string]bool{}
	for name := range made {
		suite, _, _ := strings.Cut(name, "/")
		suites[suite] = true
	}
	for _, folder := range s.folders {
		suite, _, below := strings.Cut(folder, "/")
		n := 0
		for _, name := range records {
			if _, ok := s.files[path.Join(folder, name)]; ok {
				n++
			}
		}
		_, sealed := s.files[path.Join(folder, rules.SealFile)]
		if below && suites[suite] || sealed || 2*n > len(records) || suites[folder] && len(within(s.files, folder)) > 0 {
			out = append(out, folder)
		}
	}
	for _, name := range s.odd {
		if suite, _, _ := strings.Cut(name, "/"); suites[suite] || name == "." {
			out = append(out, path.Dir(name))
		}
	}
	return out
}

// compare returns what is wrong with a folder of records: whatever they lack or have beyond those that
// follow from the episodes, and their seal. Without a seal nothing holds.
func (s shelf) compare(folder string, made map[string][]byte) (problems []string) {
	there := within(s.files, folder)
	for _, name := range s.odd {
		if path.Dir(name) == folder {
			problems = append(problems, path.Base(name)+" is not a file")
		}
	}
	switch {
	case len(made) == 0:
		return append(problems, "no episode stands for it: it was added")
	case len(there) == 0:
		return append(problems, "there are no records")
	case made[rules.SealFile] == nil:
		problems = append(problems, "records of these episodes cannot be sealed ("+rules.RedactionFault+"), so that nothing can be held against them")
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(made)), records...)))) {
		switch raw, ok := there[name]; {
		case !ok:
			problems = append(problems, name+" is missing")
		case made[name] != nil && !bytes.Equal(raw, made[name]):
			problems = append(problems, name+" does not follow from the episodes")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if _, ok := made[name]; !ok {
			problems = append(problems, name+" was added")
		}
	}
	if err := rules.Verify(there); err != nil {
		for _, text := range strings.Split(err.Error(), "\n") {
			if !slices.Contains(problems, text) {
				problems = append(problems, text)
			}
		}
	}
	return problems
}

// headline is the first line of a report.
func headline(files map[string][]byte) string {
	line, _, _ := bytes.Cut(files[rules.ReportFile], []byte("\n"))
	return string(bytes.TrimPrefix(line, []byte("# ")))
}
