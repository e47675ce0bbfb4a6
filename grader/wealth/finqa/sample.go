package finqa

import _ "embed"

//go:embed testdata/sample.jsonl
var sample string

// Sample returns the eight sample programs from FinQA's training split with their published answers, in the format
// of [Check], which must agree with all of them. They cover the interpreter's operations, not the data set. The
// caller owns the returned slice.
func Sample() []byte { return []byte(sample) }
