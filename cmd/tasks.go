package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"benchwright/grader"
	"benchwright/internal/run"
	"benchwright/sim"
	"benchwright/tasks"
)

func list(suite tasks.Suite) *cobra.Command {
	c := &cobra.Command{Use: "list [LABEL…]", Short: "List the tasks that carry all the given labels"}
	extra := tasksFlag(c)
	c.RunE = func(c *cobra.Command, labels []string) error {
		all, err := compiled(c.Context(), suite.Naming(strings.Join(labels, " ")), *extra)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(c.OutOrStdout(), 0, 4, 2, ' ', 0)
		n := 0
		for _, t := range all {
			if missing := slices.IndexFunc(labels, func(l string) bool { return !hasLabel(t, l) }); missing >= 0 {
				continue
			}
			n++
			fmt.Fprintf(w, "%s\t%s\t%s\n", t.ID, t.Source, strings.Join(t.Labels, " "))
		}
		w.Flush()
		if n == 0 {
			return fmt.Errorf("no task carries %s; give labels one by one, as in: bench list lang:hi critical", strings.Join(labels, " and "))
		}
		fmt.Fprintf(c.OutOrStdout(), "%s\n", plural(n, "task"))
		return nil
	}
	return c
}

// compiled returns all tasks of the suite, those on demand where BENCH_FILTER names them, and of a
// folder of extra ones, which may name the backends of BENCH_BACKENDS.
func compiled(ctx context.Context, suite tasks.Suite, extra string) ([]tasks.Task, error) {
	if list, ok := os.LookupEnv("BENCH_BACKENDS"); ok {
		c, err := run.FromEnv([]string{"BENCH_BACKENDS=" + list})
		if err != nil {
			return nil, err
		}
		if _, err := run.Attach(ctx, suite, c.Backends, "."); err != nil {
			return nil, err
		}
	}
	all, _, err := run.Compile(suite.Naming(os.Getenv("BENCH_FILTER")), extra)
	return all, err
}

// plural counts things: "1 task", "2 tasks".
func plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

func hasLabel(t tasks.Task, label string) bool {
	return slices.ContainsFunc(t.Labels, func(l string) bool { return strings.EqualFold(l, label) })
}

// find returns the task with an id, or an error that names the nearest.
func find(all []tasks.Task, id string) (tasks.Task, error) {
	var ids []string
	for _, t := range all {
		if string(t.ID) == id {
			return t, nil
		}
		ids = append(ids, string(t.ID))
	}
	hint := grader.Suggest(id, ids)
	if like := slices.DeleteFunc(slices.Clone(ids), func(known string) bool { return !strings.Contains(known, id) }); hint == "" && len(like) > 0 {
		hint = "; there are " + strings.Join(like[:min(len(like), 5)], ", ")
	}
	if hint == "" {
		hint = "; bench list names them all"
	}
	return tasks.Task{}, fmt.Errorf("unknown task %q%s", id, hint)
}

func show(suite tasks.Suite) *cobra.Command {
	c := &cobra.Command{
		Use: "show TASK", Short: "Print what an agent may know of a task; with --sealed, its rubric too",
		Args: args(cobra.ExactArgs(1)),
	}
	extra := tasksFlag(c)
	sealed := c.Flags().Bool("sealed", false, "for authors: the whole task with its checks, reference and near misses")
	request := c.Flags().Bool("request", false, "the messages that put the first ask to a model, word for word")
	c.RunE = func(c *cobra.Command, a []string) error {
		if *sealed && *request {
			return Usage(fmt.Errorf("--sealed and --request exclude one another"))
		}
		all, err := compiled(c.Context(), suite.Naming(a[0]), *extra)
		if err != nil {
			return err
		}
		t, err := find(all, a[0])
		if err != nil {
			return err
		}
		if *request {
			if err := readied(c.Context(), suite, t); err != nil {
				return err
			}
			return opening(c.OutOrStdout(), suite, t)
		}
		if *sealed {
			return printJSON(c.OutOrStdout(), t)
		}
		return printJSON(c.OutOrStdout(), t.Envelope())
	}
	return c
}

// opening prints what a model is sent first, in the json protocol.
func opening(w io.Writer, suite tasks.Suite, t tasks.Task) error {
	k := suite.Kit(t.World)
	tools, err := run.ToolsOf(k, t)
	if err != nil {
		return err
	}
	messages, err := k.Speaks().Open(t.Envelope(), 0, tools)
	if err != nil {
		return err
	}
	for _, m := range messages {
		fmt.Fprintf(w, "--- %s\n%s\n", m.Role, m.Content)
	}
	return nil
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func compile(suite tasks.Suite) *cobra.Command {
	c := &cobra.Command{
		Use: "compile", Short: "Check every task file, and print the tasks as JSON or in a published view",
		Long: "Check every task file and report all errors with their lines. Without a flag it only counts.\n" +
			"What published packs may say in vain is a warning, on standard error.\n" +
			"--json prints the compiled tasks, sealed parts included, in the format that BENCH_TASKS reads.\n" +
			"--view prints a file of a published system, made from the same tasks.",
		Args: args(cobra.NoArgs),
	}
	extra := tasksFlag(c)
	asJSON := c.Flags().Bool("json", false, "print the compiled tasks, sealed parts included")
	view := c.Flags().String("view", "", "print a published view: "+strings.Join(views(suite), ", "))
	out := c.Flags().String("output", "", "a new file to write to instead of standard output")
	c.RunE = func(c *cobra.Command, _ []string) error {
		all, err := compiled(c.Context(), suite, *extra)
		if err != nil {
			return err
		}
		warn(c.ErrOrStderr(), suite, all)
		var data []byte
		switch {
		case *asJSON && *view != "":
			return Usage(fmt.Errorf("--json and --view exclude one another"))
		case *view != "":
			data, err = viewOf(suite, *view, all)
		case *asJSON:
			data, err = encodeAll(all)
		default:
			fmt.Fprintf(c.OutOrStdout(), "%s compiled\n", plural(len(all), "task"))
			return nil
		}
		if err != nil {
			return err
		}
		return write(c.OutOrStdout(), *out, data)
	}
	return c
}

// warn tells what tasks say in vain.
func warn(w io.Writer, suite tasks.Suite, all []tasks.Task) {
	for _, t := range all {
		k := suite.Kit(t.World)
		if k == nil || k.Doubts == nil {
			continue
		}
		for _, d := range k.Doubts(t) {
			fmt.Fprintf(w, "warning: %s: task %s: %s\n", t.Source, t.ID, d)
		}
	}
}

func views(suite tasks.Suite) []string {
	var names []string
	for _, k := range suite.Kits {
		names = append(names, slices.Collect(maps.Keys(k.Compiled))...)
	}
	slices.Sort(names)
	return names
}

func viewOf(suite tasks.Suite, name string, all []tasks.Task) ([]byte, error) {
	for _, k := range suite.Kits {
		if f := k.Compiled[name]; f != nil {
			mine := slices.DeleteFunc(slices.Clone(all), func(t tasks.Task) bool { return t.World != k.Kind.Name })
			return f(mine)
		}
	}
	return nil, Usage(fmt.Errorf("unknown view %q%s", name, grader.Suggest(name, views(suite))))
}

func encodeAll(all []tasks.Task) ([]byte, error) {
	list := make([]json.RawMessage, 0, len(all))
	for _, t := range all {
		raw, err := tasks.Encode(t)
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", t.ID, err)
		}
		list = append(list, raw)
	}
	raw, err := sim.Canonical(list)
	return append(raw, '\n'), err
}

// write writes to standard output, or to a file that does not exist yet.
func write(std io.Writer, path string, data []byte) error {
	if path == "" {
		_, err := std.Write(data)
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
