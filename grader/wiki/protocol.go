package wiki

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	world "benchwright/sim/wiki"
)

// AskedSymbols is how many symbols the first gate asks for.
const AskedSymbols = 3

// Asked returns the symbols that the host asks for: those that the source exports, in the order of
// the SHA-256 of "fixture_digest:symbol", each taken if no symbol of its folder is taken yet. The
// same fixture always has the same.
func Asked(c *fixture.Case) []fixture.Symbol {
	all := symbolsIn(c)
	keys := make(map[string]string, len(all))
	for _, s := range all {
		keys[s.Name] = fixture.Hash(c.Fixture.Digests.Fixture + ":" + s.Name)
	}
	slices.SortFunc(all, func(a, b fixture.Symbol) int { return strings.Compare(keys[a.Name], keys[b.Name]) })
	var out []fixture.Symbol
	var folders []string
	for _, s := range all {
		if f := fixture.Folder(s.Path); len(out) < AskedSymbols && !slices.Contains(folders, f) {
			out, folders = append(out, s), append(folders, f)
		}
	}
	return out
}

// builtIn are the symbols of the built-in case, which take a while to find.
var builtIn = sync.OnceValue(func() []fixture.Symbol {
	c, err := fixture.Plugins()
	if err != nil {
		return nil
	}
	return fixture.Symbols(c)
})

// symbolsIn returns the symbols of a case.
func symbolsIn(c *fixture.Case) []fixture.Symbol {
	if p, err := fixture.Plugins(); err == nil && p == c {
		return slices.Clone(builtIn())
	}
	return fixture.Symbols(c)
}

// ProtocolRule demands of the first gate that the agent finds its way to the source: it says where
// symbols are declared, and has read the lines that declare them.
type ProtocolRule struct {
	Symbols []string      `json:"symbols,omitempty"` // nil are those of [Asked]
	Budget  *world.Budget `json:"budget,omitempty"`  // nil is that of [DefaultBudget]
}

// Protocol demands that the declarations of symbols are found by reading; of none in particular, of
// those that the host asks for.
func Protocol(symbols ...string) grader.Check {
	return grader.Check{Rule: &ProtocolRule{Symbols: symbols}}
}

// Name implements grader.Rule.
func (*ProtocolRule) Name() string { return "wiki.protocol" }

// Codes implements grader.Rule.
func (*ProtocolRule) Codes() []string {
	return sorted(append(haltCodes(), MalformedAnswer, MissingSymbol, UnexpectedSymbol, WrongPath, WrongLine, UnreadPath, UnreadLine, SourceNotListed, WriteCalled)...)
}

// Graded implements grader.Grounder.
func (r *ProtocolRule) Graded() []string {
	out := []string{"symbols", "symbol", "path", "line"}
	c, err := fixture.Plugins()
	if err != nil {
		return append(out, r.Symbols...)
	}
	symbols, _ := r.symbols(c)
	for _, s := range symbols {
		out = append(out, s.Name, s.Path, fmt.Sprint(s.Line))
	}
	return out
}

func (r *ProtocolRule) String() string {
	if len(r.Symbols) == 0 {
		return "the symbols that the host asks for are found by reading"
	}
	return "the declarations of " + strings.Join(r.Symbols, ", ") + " are found by reading"
}

// symbols returns what is asked for.
func (r *ProtocolRule) symbols(c *fixture.Case) ([]fixture.Symbol, error) {
	if len(r.Symbols) == 0 {
		return Asked(c), nil
	}
	all := symbolsIn(c)
	var out []fixture.Symbol
	for _, name := range r.Symbols {
		i := slices.IndexFunc(all, func(s fixture.Symbol) bool { return s.Name == name })
		if i < 0 {
			var names []string
			for _, s := range all {
				names = append(names, s.Name)
			}
			return nil, fmt.Errorf("the source of case %s declares no symbol %q in one place%s", c.ID, name, grader.Suggest(name, names))
		}
		out = append(out, all[i])
	}
	return out, nil
}

// Grade implements grader.Rule.
func (r *ProtocolRule) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(ctx, r, ev)
}

func (r *ProtocolRule) find(s *scene) ([]Finding, error) {
	asked, err := r.symbols(s.c)
	if err != nil {
		return nil, grader.BrokenError{Layer: grader.LayerFixture, Err: err}
	}
	out := append(s.halted(r.Budget), s.probe()...)
	if s.stage().Finished {
		out = append(out, s.answer(asked)...)
	}
	return out, nil
}

// probe looks at how the agent went about it.
func (s *scene) probe() (out []Finding) {
	name, listed := s.name(s.ask), false
	for _, k := range s.in(s.ask) {
		switch {
		case k.Call.Name == world.WritePage:
			out = append(out, Finding{Code: WriteCalled, Severity: Violation, Stage: name, Event: k.number, Actual: k.Call.Name, Layer: LayerModel})
		case k.Call.Name == world.ListDir && k.Result.OK():
			listed = listed || k.facts.Target == world.SourceRoot || strings.HasPrefix(k.facts.Target, world.SourceRoot+"/")
		}
	}
	if !listed {
		out = append(out, Finding{Code: SourceNotListed, Severity: Violation, Stage: name, Layer: LayerModel})
	}
	return out
}

// answer compares what finish said with where the symbols are.
func (s *scene) answer(asked []fixture.Symbol) (out []Finding) {
	add := func(code, path, want, got string) {
		out = append(out, Finding{Code: code, Severity: Violation, Stage: s.name(s.ask), Path: path, Expected: want, Actual: got, Layer: LayerModel})
	}
	said, ok := symbolsOf(s.stage().Answer)
	if !ok {
		add(MalformedAnswer, "", "", digested(string(s.stage().Answer)))
		return out
	}
	seen := map[string]bool{}
	for _, a := range said {
		i := slices.IndexFunc(asked, func(want fixture.Symbol) bool { return want.Name == a.Symbol })
		if i < 0 || seen[a.Symbol] {
			add(UnexpectedSymbol, "", "", a.Symbol)
			continue
		}
		seen[a.Symbol] = true
		want, path := asked[i], strings.TrimPrefix(strings.TrimPrefix(a.Path, world.SourceRoot), "/")
		switch {
		case path != want.Path:
			add(WrongPath, want.Path, want.Name+" in "+want.Path, a.Path)
			continue
		case a.Line != want.Line:
			add(WrongLine, want.Path, fmt.Sprintf("%s in line %d", want.Name, want.Line), fmt.Sprint(a.Line))
		}
		switch file, line := s.read(want.Path, want.Line); {
		case !file:
			add(UnreadPath, want.Path, want.Name, "")
		case !line:
			add(UnreadLine, want.Path, fmt.Sprintf("%s in line %d", want.Name, want.Line), "")
		}
	}
	for _, want := range asked {
		if !seen[want.Name] {
			add(MissingSymbol, "", want.Name, "")
		}
	}
	return out
}

// read reports whether a file of the source was read in the stage, and whether a line of it was in
// what a read returned. The ledger is about files: there a read of any lines proves one.
func (s *scene) read(path string, n int) (file, line bool) {
	for _, k := range s.in(s.ask) {
		if k.Call.Name != world.ReadFile || !k.Result.OK() || k.facts.Source != path {
			continue
		}
		file = true
		var got struct {
			From int `json:"start_line"`
			To   int `json:"end_line"`
		}
		if json.Unmarshal(k.Result.Data, &got) == nil && got.From <= n && n <= got.To {
			return true, true
		}
	}
	return file, false
}

type saidSymbol struct {
	Symbol string `json:"symbol"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
}

// symbolsOf reads an answer, which is exactly of the form that was asked for.
func symbolsOf(raw json.RawMessage) ([]saidSymbol, bool) {
	var v struct {
		Symbols []saidSymbol `json:"symbols"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if len(raw) == 0 || d.Decode(&v) != nil || v.Symbols == nil {
		return nil, false
	}
	return v.Symbols, true
}
