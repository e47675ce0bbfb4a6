package wealth

import (
	"fmt"

	"github.com/spf13/cobra"
)

func verifyVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "verify BUNDLE",
		Short: "Recompute everything in a run bundle",
		Long: `Recompute everything in a run bundle: every digest, the report, the latency summary. BUNDLE is the folder of a
run, or the folder views/wealthops of one. Where the run's episodes are there, the files must follow from them.
It exits with 1 when anything does not hold.`,
		Args: args(cobra.ExactArgs(1)),
	}
	c.RunE = func(c *cobra.Command, a []string) error {
		p, err := find(a[0])
		if err != nil {
			return err
		}
		b, problems, err := verify(p)
		if err != nil {
			return err
		}
		w := c.OutOrStdout()
		if len(problems) > 0 {
			fmt.Fprintf(w, "%s does not hold:\n", p.dir)
			for _, problem := range problems {
				fmt.Fprintf(w, "  %s\n", clean(problem))
			}
			fmt.Fprintf(w, "\nnext: get the bundle again from where the run was made; where only tasks or scorer have changed since, run anew\n")
			return fmt.Errorf("%s: %d problems", a[0], len(problems))
		}
		r := b.Report
		fmt.Fprintf(w, "%s holds: %d of %d cases passed, %s\n", p.dir, r.Passed, r.Attempted, kinds[b.Manifest.RunKind])
		fmt.Fprintf(w, "  candidate  %s, digest %s\n", clean(b.Candidate.Model), clean(orNone(b.Candidate.Digest)))
		from := "the episodes of the run were not there to derive it from"
		if p.run != "" {
			from = "it follows from the episodes of the run"
		}
		fmt.Fprintf(w, "  checked    digests, report and latency summary computed again; %s\n", from)
		fmt.Fprintf(w, "\nnext: compare it with another: bench wealth compare BASE ADAPTED\n")
		return nil
	}
	return c
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
