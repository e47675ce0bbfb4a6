// Package features holds the benchmark that comes with the module: the tasks that people read,
// by suite, and the suite that they make up.
package features

import (
	"embed"

	"benchwright/steps/files"
	"benchwright/steps/wealth"
	"benchwright/steps/wiki"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

//go:embed codewiki files smoke wealthops workspace-small
var features embed.FS

// Suite returns the built-in suite: every feature below this folder, with the kits of the
// worlds that they are about, and the suites that are made on demand.
func Suite() tasks.Suite {
	workshop := files.NewWorkshop(nil, nil)
	return tasks.Suite{
		Name:     "benchwright",
		Dir:      "features",
		Features: features,
		Kits: []tasks.Kit{
			wealth.Kit(),
			workspace.Kit(),
			workshop.Kit(),
			wiki.Kit(),
		},
		Generators: workshop.Suites(),
	}
}
