package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"benchwright/reports"
)

func expand() *cobra.Command {
	c := &cobra.Command{
		Use: "expand BUNDLE EPISODE FOLDER", Short: "Make a folder of plain files of one recorded episode",
		Long: "Make a folder of plain files of one recorded episode: asks, conversation, calls and results, states, verdict.\n" +
			"EPISODE is a record's name, as in the bundle's episodes folder.",
		Args: args(cobra.ExactArgs(3)),
	}
	c.RunE = func(c *cobra.Command, a []string) error {
		r, err := reports.Open(a[0])
		if err != nil {
			return err
		}
		if err := r.Expand(a[1], a[2]); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "expanded into %s\n", a[2])
		return nil
	}
	return c
}

func results() *cobra.Command {
	c := &cobra.Command{Use: "results", Short: "Work on the summary rows of a bundle"}
	rebuild := &cobra.Command{
		Use: "rebuild BUNDLE", Short: "Make results.jsonl, summary.json and junit.xml anew from the episodes",
		Args: args(cobra.ExactArgs(1)),
	}
	rebuild.RunE = func(c *cobra.Command, a []string) error {
		if err := reports.Rebuild(a[0]); err != nil {
			return err
		}
		s, err := reports.Publish(a[0])
		if err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", a[0], s)
		return nil
	}
	c.AddCommand(rebuild)
	return c
}

func junit() *cobra.Command {
	c := &cobra.Command{Use: "junit BUNDLE", Short: "Print a bundle's JUnit report", Args: args(cobra.ExactArgs(1))}
	schema := c.Flags().Bool("schema", false, "print the report's XML schema instead")
	c.Args = func(c *cobra.Command, a []string) error {
		if *schema {
			return args(cobra.NoArgs)(c, a)
		}
		return args(cobra.ExactArgs(1))(c, a)
	}
	c.RunE = func(c *cobra.Command, a []string) error {
		if *schema {
			_, err := c.OutOrStdout().Write(reports.XSD())
			return err
		}
		r, err := reports.Open(a[0])
		if err != nil {
			return err
		}
		return r.WriteJUnit(c.OutOrStdout())
	}
	return c
}
