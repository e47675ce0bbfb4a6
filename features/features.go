// Package features holds the benchmark that comes with the module: the tasks that people read,
// by suite, and the suite that they make up.
package features

import (
	"embed"

	"benchwright/steps/wealth"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

//go:embed smoke wealthops workspace-small
var files embed.FS

// Suite returns the built-in suite: every feature below this folder, with the kits of the
// worlds that they are about.
func Suite() tasks.Suite {
	return tasks.Suite{
		Name:     "benchwright",
		Dir:      "features",
		Features: files,
		Kits: []tasks.Kit{
			wealth.Kit(),
			workspace.Kit(),
		},
	}
}
