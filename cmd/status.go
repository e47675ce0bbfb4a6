package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"benchwright/internal/run"
	"benchwright/reports"
)

// now tells the time. Tests replace it.
var now = time.Now

func status() *cobra.Command {
	c := &cobra.Command{
		Use: "status BUNDLE", Short: "Show what has become of every execution of a run, also while it runs",
		Long: "Show what has become of every execution of a run, also while it runs: the model and its settings, state, turns,\n" +
			"calls, budget tokens and last event of each. It is computed from events.jsonl and the records each time.\n\n" +
			"An execution is queued, running, finished, failed (the measurement broke), cancelled (skipped) or lost. What a\n" +
			"process was doing is lost when that process is gone, or says nothing for more than 30 seconds. The exit code is\n" +
			"1 when anything is lost.",
		Args: args(cobra.ExactArgs(1)),
	}
	asJSON := c.Flags().Bool("json", false, "print the executions as JSON, one a line")
	watch := c.Flags().Bool("watch", false, "print it anew whenever something changes, until the run is over")
	every := c.Flags().Duration("every", time.Second, "how often --watch looks")
	elsewhere := c.Flags().Bool("elsewhere", false, "the run is on another machine: judge by silence alone")
	c.RunE = func(c *cobra.Command, a []string) error {
		w := reports.Watch{Alive: run.Alive}
		if *elsewhere {
			w.Alive = nil
		}
		if *every <= 0 {
			return Usage(fmt.Errorf("--every=%s: want a time above 0", *every))
		}
		if *watch && *asJSON {
			return Usage(fmt.Errorf("--watch and --json exclude one another"))
		}
		r, err := reports.Open(a[0])
		if err != nil {
			return err
		}
		if *watch {
			return watching(c.Context(), c.OutOrStdout(), r, w, *every)
		}
		w.Now = now()
		all, damaged := r.Executions(w)
		if *asJSON {
			e := json.NewEncoder(c.OutOrStdout())
			for _, x := range all {
				if err := e.Encode(x); err != nil {
					return err
				}
			}
		} else {
			io.WriteString(c.OutOrStdout(), statusText(r.Run(), all, w.Now))
		}
		if damaged != nil {
			return damaged
		}
		return lost(all)
	}
	return c
}

// lost is an error when anything is.
func lost(all []reports.Execution) error {
	if n := count(all, reports.Lost); n > 0 {
		return fmt.Errorf("%s lost", plural(n, "execution"))
	}
	return nil
}

func count(all []reports.Execution, s reports.State) (n int) {
	for _, x := range all {
		if x.State == s {
			n++
		}
	}
	return n
}

// watching prints the status whenever it has changed, until nothing is queued or running.
func watching(ctx context.Context, out io.Writer, r *reports.Reader, w reports.Watch, every time.Duration) error {
	if ctx == nil {
		ctx = context.Background()
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	clear := ""
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		clear = "\x1b[H\x1b[2J"
	}
	before := ""
	for {
		w.Now = now()
		all, err := r.Executions(w)
		if text := statusText(r.Run(), all, w.Now); text != before && err == nil {
			io.WriteString(out, clear+text)
			before = text
		}
		if count(all, reports.Queued)+count(all, reports.Running) == 0 {
			if err != nil {
				return err
			}
			return lost(all)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// statusText is the status for people.
func statusText(r reports.Run, all []reports.Execution, at time.Time) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-9s %s\n", name, fmt.Sprintf(format, args...))
	}
	clean := func(s string) string { return reports.Clean(s, 200) }
	line("run", "%s: %s with %s, begun %s", clean(r.ID), clean(r.Kind), clean(r.Agent), r.Started.UTC().Format(time.RFC3339))
	if m := r.Model; m.Name != "" {
		text := clean(m.Name)
		if m.Provider != "" {
			text += " of " + clean(m.Provider)
		}
		if m.Digest != "" {
			text += ", digest " + clean(m.Digest[:min(len(m.Digest), 12)])
		}
		line("model", "%s", text)
	}
	settings := []string{"protocol " + clean(r.Protocol), fmt.Sprintf("seed %d", r.Seed), fmt.Sprintf("%d at a time", r.Workers)}
	if r.Basis != "" {
		settings = append(settings, "budget basis "+clean(string(r.Basis)))
	}
	for _, of := range []map[string]any{r.Options, r.Limits} {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			value, err := json.Marshal(of[name])
			if err == nil {
				settings = append(settings, clean(name)+" "+clean(string(value)))
			}
		}
	}
	line("settings", "%s", strings.Join(settings, ", "))
	var sums []string
	for _, s := range []reports.State{reports.Queued, reports.Running, reports.Finished, reports.Failed, reports.Cancelled, reports.Lost} {
		if n := count(all, s); n > 0 {
			sums = append(sums, fmt.Sprintf("%d %s", n, s))
		}
	}
	line("now", "%s", strings.Join(sums, ", "))
	b.WriteString("\n")
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "execution\tstate\toutcome\tturns\tcalls\ttokens\tlast event")
	for _, x := range all {
		outcome := string(x.Outcome)
		if x.Layer != "" {
			outcome += " (" + clean(string(x.Layer)) + ")"
		}
		last := x.Event
		if !x.At.IsZero() {
			last += fmt.Sprintf(" %s ago", at.Sub(x.At).Round(time.Second))
		}
		if x.State == reports.Running || x.State == reports.Lost && x.Pid != 0 {
			last += fmt.Sprintf(", process %d", x.Pid)
		}
		if x.Why != "" {
			last += ": " + clean(x.Why)
		}
		counts := "\t\t"
		if x.Outcome != "" {
			counts = fmt.Sprintf("%d\t%d\t", x.Turns, x.Calls)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s%d\t%s\n", clean(x.Key), x.State, outcome, counts, x.Tokens, strings.TrimPrefix(last, ": "))
	}
	w.Flush()
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
