package cmd

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"benchwright/tasks"
)

// Main runs the command line and exits: 0 when done, 1 when not, 2 for wrong usage.
func Main(suite tasks.Suite, verbs ...*cobra.Command) {
	root := New(suite, verbs...)
	if err := root.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "bench: "+err.Error())
		os.Exit(Code(err))
	}
}

// New returns the command tree, for tests and for programs that add to it.
func New(suite tasks.Suite, verbs ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "bench",
		Short: "Look at benchmark tasks and at the bundles that runs leave",
		Long: "Look at benchmark tasks and at the bundles that runs leave.\n\n" +
			"Episodes are run by go test: `go test` certifies the tasks, `BENCH_MODEL=… go test` lets an agent play them.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return Usage(err) })
	root.AddCommand(list(suite), show(suite), compile(suite), serve(suite), expand(), results(), junit(), status())
	root.AddCommand(verbs...)
	return root
}

// An Exit is an error with an exit code of its own.
type Exit struct {
	Code int
	Err  error
}

func (e *Exit) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Exit) Unwrap() error { return e.Err }

// Usage marks an error as wrong usage, which exits with 2.
func Usage(err error) error { return &Exit{2, err} }

// Code returns the exit code of an error.
func Code(err error) int {
	if e, ok := err.(*Exit); ok {
		return e.Code
	}
	return 1
}

// args is a cobra argument check whose errors are wrong usage.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, a []string) error {
		if err := check(c, a); err != nil {
			return Usage(fmt.Errorf("%s: %w; usage: %s", c.Name(), err, c.UseLine()))
		}
		return nil
	}
}

// tasksFlag adds --tasks, the flag that mirrors BENCH_TASKS.
func tasksFlag(c *cobra.Command) *string {
	return c.Flags().String("tasks", os.Getenv("BENCH_TASKS"), "a folder of extra tasks (default: BENCH_TASKS)")
}
