package files

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/files/splits"
)

func generateVerb() *cobra.Command {
	c := &cobra.Command{
		Use: "generate --family FAMILY", Short: "Make workspaces, and prove each before it is written",
		Long: `Make workspaces of a family, each in a folder of its own: manifest.json, visible/ for the agent and
hidden/ for graders. The same flags give the same bytes.

A workspace is written when its reference solution passes and the untouched workspace does not; what fails is
told at the end, and does not keep the others from being made. With --export the folder becomes a dataset
for other harnesses: metadata.json, manifest.jsonl and environments/.`,
		Args: args(cobra.NoArgs),
	}
	family := c.Flags().String("family", "", "of which kind: "+strings.Join(familyNames(), ", "))
	count := c.Flags().Int("count", 1, "how many; each has the seed after that of the one before")
	difficulty := c.Flags().String("difficulty", "3", "1 to 5, or easy, medium, hard")
	seed := c.Flags().Int64("seed", 1, "of the first one")
	scenario := c.Flags().String("scenario", "", "which story of the family; the seed chooses where none is named")
	split := c.Flags().String("split", "", "the split that they are of: "+strings.Join(splits.Names(), ", "))
	task := c.Flags().String("task-id", "", "the id of the task, where one is made; by default that of the split")
	export := c.Flags().Bool("export", false, "make the folder a dataset for other harnesses")
	w := writingFlags(c, "generated")
	w.export = func() bool { return *export }
	c.RunE = func(c *cobra.Command, _ []string) error {
		level, err := files.ParseDifficulty(*difficulty)
		switch {
		case *family == "":
			return cmd.Usage(fmt.Errorf("generate: say which family: --family %s", strings.Join(familyNames(), "|")))
		case err != nil:
			return cmd.Usage(fmt.Errorf("--difficulty %q: %w", *difficulty, err))
		case *count < 1:
			return cmd.Usage(fmt.Errorf("--count %d: want 1 or more", *count))
		case *seed < 0:
			return cmd.Usage(fmt.Errorf("--seed %d: want 0 or more", *seed))
		case *task != "" && *count > 1:
			return cmd.Usage(errors.New("--task-id names one task: leave it out, or make one workspace at a time"))
		}
		if err := oneOf("family", *family, familyNames()...); err != nil {
			return err
		}
		if *split != "" {
			if err := oneOf("split", *split, splits.Names()...); err != nil {
				return err
			}
		}
		var specs []files.Spec
		for i := range int64(*count) {
			spec := files.NewSpec(*family, level, *seed+i)
			spec.Scenario = *scenario
			if *split != "" {
				spec.GenerationParams["split"] = *split
				spec.GenerationParams["task_id"] = cmp.Or(*task, splits.TaskID(*split, *family, *scenario, level, spec.Seed))
			} else if *task != "" {
				spec.GenerationParams["task_id"] = *task
			}
			specs = append(specs, spec)
		}
		return w.write(c, specs)
	}
	return c
}

func familyNames() []string {
	var names []string
	for _, f := range builtin.Families() {
		names = append(names, f.Name())
	}
	return names
}
