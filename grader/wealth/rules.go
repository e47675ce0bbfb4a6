package wealth

import "benchwright/grader"

// Rules returns the makers of this package's rules by name, for reading checks back from JSON.
func Rules() map[string]func() grader.Rule {
	out := map[string]func() grader.Rule{}
	for _, make := range []func() grader.Rule{
		func() grader.Rule { return new(CompletedRule) },
		func() grader.Rule { return new(OutcomeRule) },
		func() grader.Rule { return new(ClaimsRule) },
		func() grader.Rule { return new(EvidenceRule) },
		func() grader.Rule { return new(MissingFieldsRule) },
		func() grader.Rule { return new(TraceRule) },
		func() grader.Rule { return new(NoWritesRule) },
	} {
		out[make().Name()] = make
	}
	return out
}
