// Package builtin lists the families of workspaces that come with the module.
package builtin

import (
	"benchwright/sim/files"
	"benchwright/sim/files/composite"
	"benchwright/sim/files/pipeline"
	"benchwright/sim/files/repair"
	"benchwright/sim/files/retrieval"
	"benchwright/sim/files/tabular"
)

// Families returns the built-in families, in the order of their names' publication.
func Families() files.Families {
	return files.Families{tabular.Family{}, repair.Family{}, pipeline.Family{}, retrieval.Family{}, composite.Family{}}
}
