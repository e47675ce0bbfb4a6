package wiki

import (
	"cmp"
	"fmt"
	"slices"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	world "benchwright/sim/wiki"
	"benchwright/sim/wiki/loops"
)

// A Severity says what a finding does.
type Severity string

// The severities. Only a violation fails anything.
const (
	Violation Severity = "violation"
	Warning   Severity = "warning"
	Info      Severity = "info"
)

// Verdict layers beside those of package grader, as the records have them.
const (
	LayerModel         = "model"
	LayerNone          = "none"
	LayerToolMount     = "tool_mount"
	LayerPromptAdapter = "prompt_adapter"
)

// A Finding is one thing that the host has to say about what was left behind.
type Finding struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Stage    string   `json:"stage"`
	PageID   string   `json:"page_id,omitempty"`
	Path     string   `json:"path,omitempty"`
	Event    int      `json:"event,omitempty"` // number of the call, from 1
	Expected string   `json:"expected,omitempty"`
	Actual   string   `json:"actual,omitempty"`
	Layer    string   `json:"layer"` // whose doing it is
}

// The codes of the audit, beside those of [fixture.Code].
const (
	SourceMissing          = "source_missing"        // the fixture lists the file and the snapshot lacks it
	FixtureBytesChanged    = "fixture_bytes_changed" // source, skills or the case are not what they were
	LedgerTampered         = "ledger_tampered"       // a line that no read explains, or a read without its line
	StructureChanged       = "structure_changed"
	HeadingChanged         = "heading_changed"
	SectionEmpty           = "section_empty" // no prose that a reader sees, on a page that was changed
	PageAdded              = "page_added"
	PageRemoved            = "page_removed"
	PageNotSelectedChanged = "page_not_selected_changed"
	BadFrontMatter         = "bad_front_matter"
	RelatedUnknown         = "related_unknown"
	RequirementOpen        = "requirement_open"
	UnauthorisedTool       = "unauthorised_tool"
	UnauthorisedWrite      = "unauthorised_write"
	OutsideRoots           = "outside_roots" // a read that was refused; harmless
)

// The codes of the gates.
const (
	StateUnreadable   = "state_unreadable"
	NotReached        = "stage_not_reached"
	NoFinish          = "no_finish"
	LoopLimit         = "loop_limit"
	BudgetExceeded    = "budget_exceeded"
	MalformedAnswer   = "malformed_answer"
	MissingSymbol     = "missing_symbol"
	UnexpectedSymbol  = "unexpected_symbol"
	WrongPath         = "wrong_path"
	WrongLine         = "wrong_line"
	UnreadPath        = "unread_path"
	UnreadLine        = "unread_line"
	SourceNotListed   = "source_not_listed"
	WriteCalled       = "write_called"
	CoverageUnmet     = "coverage_unmet"
	PageIncomplete    = "page_incomplete"
	RequirementsUnmet = RequirementOpen
)

// types says which side of an episode a code is about; those not named are about the state.
var types = map[string]grader.Type{
	UnauthorisedTool: grader.TraceType, UnauthorisedWrite: grader.TraceType, OutsideRoots: grader.TraceType, LoopLimit: grader.TraceType,
	UnreadPath: grader.TraceType, UnreadLine: grader.TraceType, SourceNotListed: grader.TraceType, WriteCalled: grader.TraceType,
	string(loops.RepeatedDiscovery): grader.TraceType, string(loops.RepeatedMutation): grader.TraceType,
	string(loops.NoChangeWrite): grader.TraceType, string(loops.Stalled): grader.TraceType,
	MalformedAnswer: grader.AnswerType, MissingSymbol: grader.AnswerType, UnexpectedSymbol: grader.AnswerType,
	WrongPath: grader.AnswerType, WrongLine: grader.AnswerType, NoFinish: grader.AnswerType,
	BudgetExceeded: grader.BudgetType,
}

// sortFindings cuts findings to what a record may hold, marks what none may, and brings them into their order: by stage as the stages follow one another, page,
// path, code, then by what else tells them apart.
func sortFindings(fs []Finding) []Finding {
	stage := func(name string) int {
		return slices.Index([]string{world.Preparation, world.Protocol, world.EvidenceSample, QAStage, world.Formal}, name)
	}
	for i := range fs {
		f := &fs[i]
		f.PageID, f.Path, f.Expected, f.Actual = clip(marked(f.PageID)), clip(marked(f.Path)), clip(marked(f.Expected)), clip(marked(f.Actual))
	}
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(stage(a.Stage), stage(b.Stage)), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.PageID, b.PageID),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Event, b.Event),
			cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Actual, b.Actual))
	})
	return slices.Compact(fs)
}

// String says in one line what was found and where. What an agent wrote is quoted and cut.
func (f Finding) String() string {
	s := f.Stage
	if f.Event > 0 {
		s += fmt.Sprintf(", call %d", f.Event)
	}
	if f.PageID != "" {
		s += ", page " + shown(f.PageID)
	}
	if f.Path != "" {
		s += ", " + shown(f.Path)
	}
	if what := says[f.Code]; what != "" {
		s += ": " + what
	} else {
		s += ": " + f.Code
	}
	switch {
	case f.Expected != "" && f.Actual != "":
		s += fmt.Sprintf(": want %s, got %s", shown(f.Expected), shown(f.Actual))
	case f.Expected != "":
		s += ": want " + shown(f.Expected)
	case f.Actual != "":
		s += ": got " + shown(f.Actual)
	}
	return s
}

// says words the codes.
var says = map[string]string{
	SourceMissing:                      "the snapshot lacks a file of the fixture",
	FixtureBytesChanged:                "the fixture is not what it was",
	LedgerTampered:                     "the ledger is not what the reads make it",
	StructureChanged:                   "a field of the structure has changed",
	HeadingChanged:                     "the headings have changed, or a reader does not see them as such",
	SectionEmpty:                       "a section has no prose that a reader sees",
	PageAdded:                          "there is a page that is not planned",
	PageRemoved:                        "a planned page is gone",
	PageNotSelectedChanged:             "a page that was not selected has changed",
	BadFrontMatter:                     "the text is no page",
	RelatedUnknown:                     "a related page is not planned",
	RequirementOpen:                    "a requirement is open",
	UnauthorisedTool:                   "a tool that there is not",
	UnauthorisedWrite:                  "a write that was refused",
	OutsideRoots:                       "a path below no root",
	StateUnreadable:                    "the state cannot be read",
	NotReached:                         "the stage was not begun",
	NoFinish:                           "the stage was not finished",
	LoopLimit:                          "the stage was stopped because it went round in circles",
	BudgetExceeded:                     "the budget of the stage is spent",
	MalformedAnswer:                    `the answer is not {"symbols": [{"symbol", "path", "line"}, …]}`,
	MissingSymbol:                      "the answer lacks a symbol",
	UnexpectedSymbol:                   "the answer names a symbol that was not asked for, or one twice",
	WrongPath:                          "the symbol is not declared in this file",
	WrongLine:                          "the symbol is not declared in this line",
	UnreadPath:                         "the file was not read in this stage",
	UnreadLine:                         "the line was not read in this stage",
	SourceNotListed:                    "no folder of the source was listed",
	WriteCalled:                        "a stage that only reads called a tool that writes",
	CoverageUnmet:                      "not all required sources are backed",
	PageIncomplete:                     "the page lacks evidence",
	string(fixture.SourceNotInFixture): "the snapshot has no such file",
	string(fixture.WrongKind):          "the source is of another kind",
	string(fixture.HashMismatch):       "the declared hash is not the file's",
	string(fixture.UnprovenSource):     "nothing proves that the file was read",
	string(fixture.InheritedHashStale): "the inherited proof is of another version of the file",
	string(fixture.DuplicateSource):    "the source is declared twice",
	string(fixture.MinSourceUnmet):     "too few backed sources",
	string(fixture.MinTestUnmet):       "too few backed tests",
	string(fixture.MustCiteUnmet):      "a file that must be cited is not backed",
	string(loops.RepeatedDiscovery):    "the same question with the same answer",
	string(loops.RepeatedMutation):     "a page was written again without a gain",
	string(loops.NoChangeWrite):        "a write that changed nothing",
	string(loops.Stalled):              "twelve calls in a row brought nothing new",
}

// graded returns a finding as verdicts have it.
func (f Finding) graded() grader.Finding {
	t := types[f.Code]
	if t == "" {
		t = grader.StateType
	}
	return grader.Finding{Code: f.Code, Type: t, Message: f.String(), Want: clip(f.Expected), Got: clip(f.Actual)}
}

// gradedAll returns the violations among findings as verdicts have them.
func gradedAll(fs []Finding) (out []grader.Finding) {
	for _, f := range fs {
		if f.Severity == Violation {
			out = append(out, f.graded())
		}
	}
	return out
}
