package retrieval

import (
	"fmt"
	"maps"
	"strings"

	"benchwright/sim/files"
)

// A story is a drawn scenario: a document that has to be made, and the evidence for it.
type story struct {
	titles, descriptions [3]string // by content variant
	target               string

	begin    any // what stands at the target
	expected any
	contract []string // what the target holds
	hints    [3]string
	style    string // output_style

	evidence map[string]document
	outdated map[string]document // from difficulty 4 on
	near     map[string]any      // by trap: what one writes who mishandles it
}

// A document is a text with facts in it.
type document struct {
	title, intro string
	facts        []fact
	body         []string // paragraphs and lists after the facts
	raw          string   // takes the place of all of it: a log
	bundle       bundle
}

// A bundle is the tag of a document at difficulty 5.
type bundle int

const (
	active bundle = iota
	archived
	defaults
	unassigned
)

// A fact is a field and its value, as JSON writes it but without the quotes of text.
type fact struct {
	field string
	value any
}

// tags are the names of a workspace's bundles of evidence.
type tags struct{ active, archived string }

func drawTags(rnd *files.Rand) tags {
	n := rnd.Between(11, 79)
	name := files.Pick(rnd, []string{"EB", "BUNDLE", "SET"})
	return tags{fmt.Sprintf("%s-%d", name, n+rnd.Between(1, 9)), fmt.Sprintf("%s-%d", name, n)}
}

func (t tags) of(b bundle) string {
	return [...]string{t.active, t.archived, "defaults", "unassigned"}[b]
}

// render writes a document. Facts are written in one of four ways, each with field and value in
// back quotes on one line.
func (d document) render(rnd *files.Rand, r *files.Request, t tags) string {
	var b strings.Builder
	tag := "Evidence bundle: `" + t.of(d.bundle) + "`\n\n"
	if d.raw != "" {
		if r.Difficulty == 5 {
			b.WriteString("# " + strings.TrimRight(tag, "\n") + "\n")
		}
		return b.String() + d.raw
	}
	if r.Difficulty == 5 {
		b.WriteString(tag)
	}
	b.WriteString("# " + d.title + "\n\n" + d.intro + "\n")
	if len(d.facts) > 0 {
		b.WriteByte('\n')
		form := rnd.N(4)
		if form == 1 {
			b.WriteString("| field | value |\n|---|---|\n")
		}
		for _, f := range files.Shuffled(rnd, d.facts) {
			value := fmt.Sprint(f.value)
			fmt.Fprintf(&b, []string{"- `%s`: `%s`\n", "| `%s` | `%s` |\n", "- The value of `%s` is `%s`.\n", "- Set `%s` to `%s`.\n"}[form], f.field, value)
		}
	}
	for _, p := range d.body {
		b.WriteString("\n" + strings.TrimRight(p, "\n") + "\n")
	}
	return b.String()
}

// documents renders the evidence, what is outdated and what has nothing to do with it.
func documents(r *files.Request, evidence, outdated map[string]document) (t files.Tree, distractors int) {
	names := drawTags(r.Rand("tags"))
	all := maps.Clone(evidence)
	if r.Difficulty >= 4 {
		maps.Copy(all, outdated)
	}
	others := files.Sample(r.Rand("distractors"), harmless, r.Distractors(files.At(r, 0, 1, 2, 3, 4)))
	for _, h := range others {
		all[h.path] = h.draw(r.Rand(h.path))
	}
	if r.Difficulty == 5 {
		all["changelog/evidence_index.md"] = document{
			title: "Evidence index", intro: "Which bundle of evidence is in use.",
			body: []string{"- Active evidence bundle: `" + names.active + "`\n- Archived evidence bundle: `" + names.archived + "`"},
		}
		all["docs/evidence_precedence.md"] = document{
			title: "Precedence of evidence", intro: "Every document names its bundle in its first line.",
			body: []string{strings.Join([]string{
				"1. Read the evidence index first; it alone says which bundle is active.",
				"2. Contracts tagged with the active bundle come before anything tagged `defaults`.",
				"3. Facts of active notes and logs that do not overlap are merged; a note that says what it overrides does override it.",
				"4. What is tagged with the archived bundle is history and is not used. Unassigned documents are not evidence.",
			}, "\n")},
		}
	}
	t = files.Tree{}
	for path, d := range all {
		t[path] = d.render(r.Rand("text of "+path), r, names)
	}
	return t, len(others)
}

// documentRoots lists the folders of evidence of a tree.
func documentRoots(t files.Tree) []string {
	var roots []string
	for _, root := range []string{"changelog", "docs", "logs", "notes", "policies", "release", "specs"} {
		for p := range t {
			if strings.HasPrefix(p, root+"/") {
				roots = append(roots, root)
				break
			}
		}
	}
	return roots
}

// draft renders the story.
func (s story) draft(r *files.Request) (*files.Draft, error) {
	text := files.JSON(s.expected)
	visible, distractors := documents(r, s.evidence, s.outdated)
	documentCount := len(visible)
	visible[s.target] = files.JSON(s.begin)
	var near []files.NearMiss
	for _, trap := range sortedKeys(s.near) {
		wrong := files.JSON(s.near[trap])
		if wrong == text {
			return nil, files.Redraw("trap %q does not change the answer", trap)
		}
		near = append(near, files.NearMiss{Trap: trap, Files: files.Tree{s.target: wrong}})
	}
	roots := documentRoots(visible)
	config := map[string]any{"kind": "leaves", "output_path": s.target, "expected": "expected_output.json"}
	d := &files.Draft{
		Instruction: fmt.Sprintf("Inspect the documents of this workspace, find the evidence, and bring `%s` up to date from it.", s.target),
		Readme:      readme(r, s.titles, s.descriptions, s.target, roots, s.contract, s.hints),
		Task:        task(r, "document_update", s.target, s.style, roots, s.hints),
		Visible:     visible,
		Hidden: files.Tree{
			"evaluator_config.json":   files.JSON(config),
			"expected_output.json":    text,
			"reference_solution.json": files.JSON(map[string]any{"files": files.Tree{s.target: text}}),
		},
		Reference: files.Tree{s.target: text}, Expected: text,
		Evaluator: LeavesEvaluator, Layout: files.Layout{TargetPath: s.target, DocumentRoots: roots},
		NearMisses: near,
	}
	measure(r, d, len(s.evidence), documentCount, distractors, "document_update", s.style)
	return d, nil
}

// variant is which of three wordings the README has.
func variant(r *files.Request) int { return r.Rand("variant").N(3) }

func readme(r *files.Request, titles, descriptions [3]string, target string, roots, contract []string, hints [3]string) files.Readme {
	likely := files.Section{Heading: "Likely target files", Items: quoted([]string{target})}
	if r.Difficulty == 5 {
		likely = files.Section{} // which files have to change is for the agent to find
	}
	return files.Readme{
		Title: titles[variant(r)], Description: descriptions[variant(r)],
		Sections: []files.Section{
			{Heading: "Document roots", Items: quoted(roots)},
			{Heading: "Required operations", Items: []string{
				"Read the documents and find out which of them hold.",
				"Change the target so that it says what they say.",
			}},
			likely,
			{Heading: "Output contract", Items: contract},
		},
		Hints: r.Hints(hints[:]...),
	}
}

func task(r *files.Request, kind, target, style string, roots []string, hints [3]string) map[string]any {
	return map[string]any{
		"task_type": kind, "target_path": target, "output_style": style, "document_roots": roots, "hints": r.Hints(hints[:]...),
	}
}

// measure fills in what reports slice by.
func measure(r *files.Request, d *files.Draft, evidence, documents, distractors int, kind, style string) {
	staleness := files.At(r, "none", "none", "none", "stale_note", "superseded_changelog")
	hops, chain, conflicts := evidence, min(evidence, 2), 0
	switch r.Difficulty {
	case 4:
		hops, conflicts = hops+1, 1 // what replaced the outdated note has to be read too
	case 5:
		hops, chain, conflicts = hops+2, 4, 1 // the index and the rules of precedence
	}
	distribution := "multi_source"
	switch evidence {
	case 1:
		distribution = "single_source"
	case 2:
		distribution = "primary_plus_supporting"
	}
	d.Structure = map[string]any{
		"task_type": kind, "output_style": style, "content_variant_id": fmt.Sprintf("v%d", 1+variant(r)),
		"document_count": documents, "retrieval_hops": hops, "evidence_distribution": distribution,
		"distractor_count": distractors, "staleness_pattern": staleness, "authority_chain_depth": chain, "conflict_count": conflicts,
	}
	d.Realized = files.Realization{
		"document_count": documents, "evidence_count": evidence, "retrieval_hops": hops, "distractor_count": distractors, "staleness_pattern": staleness,
		"authority_chain_depth": chain, "conflict_count": conflicts,
	}
	if r.Difficulty == 5 {
		d.Realized["profile"] = profile(r.Seed)
	}
}

func quoted(items []string) []string {
	out := make([]string, len(items))
	for i, s := range items {
		out[i] = "`" + s + "`"
	}
	return out
}
