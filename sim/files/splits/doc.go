// Package splits divides the workspaces that families can make into those to train on, to
// validate and test with, and those held out.
//
//	manifest, err := splits.Build(builtin.Families(), splits.Options{})
//	report := splits.Validate(manifest, builtin.Families())
//	rows, err := splits.Sample(manifest.Of(splits.Validation), splits.Sampling{Strategy: "balanced", N: 60})
//	instance, err := library.Compile(rows[0].Spec())
//
// The standard splits have 3,120, 390, 390 and 240 workspaces of the four published families:
//
//	train       difficulties 1 to 3, seeds 0 to 79     13 scenarios
//	validation  difficulties 2 to 4, seeds 80 to 89    the same
//	test        difficulties 3 to 5, seeds 90 to 99    the same
//	heldout     difficulties 3 to 5, seeds 100 to 119  the 4 scenarios that are met nowhere else
//
// A manifest is checked against leakage by name: [Validate] finds what stands in two splits. Two
// names may still mean one world; [Count] compiles a split and counts the worlds in it.
package splits
