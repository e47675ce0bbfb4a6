// Package wealth holds the verbs of the wealth world.
package wealth

import (
	"fmt"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/grader/wealth/finqa"
	"benchwright/internal/regular"
)

func finqaVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "finqa FILE.jsonl",
		Short: "Execute FinQA programs and compare them with their stored targets",
		Long: `Execute FinQA programs and compare them with their stored targets. Each line of the file is
{"id": …, "program": "divide(682, 555), subtract(#0, const_1)", "table": [["label", "cell", …], …], "exe_ans": number | "yes" | "no"}.
It prints each disagreement and, last, "agree N/M"; it exits with 1 unless N = M.`,
		Args: cobra.ExactArgs(1),
	}
	c.RunE = func(c *cobra.Command, a []string) error {
		f, err := regular.Open(a[0])
		if err != nil {
			return err
		}
		defer f.Close()
		agree, total, err := finqa.Check(f, c.OutOrStdout())
		if err != nil {
			return fmt.Errorf("%s: %w", a[0], err)
		}
		if agree != total {
			return &cmd.Exit{Code: 1, Err: fmt.Errorf("%s: %d of %d disagree", a[0], total-agree, total)}
		}
		return nil
	}
	return c
}
