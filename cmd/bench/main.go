// Command bench is the command line of the built-in benchmark.
package main

import (
	"benchwright/cmd"
	"benchwright/cmd/wealth"
	"benchwright/cmd/workspace"
	"benchwright/features"
)

func main() { cmd.Main(features.Suite(), append(wealth.Verbs(), workspace.Verbs()...)...) }
