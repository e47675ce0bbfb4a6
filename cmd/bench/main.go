// Command bench is the command line of the built-in benchmark.
package main

import (
	"slices"

	"benchwright/cmd"
	"benchwright/cmd/files"
	"benchwright/cmd/wealth"
	"benchwright/cmd/wiki"
	"benchwright/cmd/workspace"
	"benchwright/features"
)

func main() {
	cmd.Main(features.Suite(), slices.Concat(wealth.Verbs(), workspace.Verbs(), files.Verbs(), wiki.Verbs())...)
}
