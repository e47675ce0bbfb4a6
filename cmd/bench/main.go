// Command bench is the command line of the built-in benchmark.
package main

import (
	"benchwright/cmd"
	"benchwright/cmd/wealth"
	"benchwright/features"
)

func main() { cmd.Main(features.Suite(), wealth.Verbs()...) }
