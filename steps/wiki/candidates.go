package wiki

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	fixture "benchwright/fixtures/wiki"
	world "benchwright/sim/wiki"
	"benchwright/tasks"
)

// Good is the candidate that does what is asked, and the reference of every task.
const Good = "good"

// A candidate is a scripted policy: what it does instead of a good stage.
type candidate struct {
	about string
	// does plays a stage and reports whether it did; otherwise the stage is played well.
	does func(b *bench, stage string) bool
}

// at lets a candidate go wrong in one stage.
func at(stage string, does func(*bench)) func(*bench, string) bool {
	return func(b *bench, s string) bool {
		if s == stage {
			does(b)
		}
		return s == stage
	}
}

// candidates are the scripted candidates that consist of calls alone, by name.
var candidates = map[string]candidate{
	Good: {"does what is asked", func(*bench, string) bool { return false }},

	"skill-reader": {"loads every skill before it works", func(b *bench, _ string) bool {
		if len(b.moves) > 0 {
			return false
		}
		b.list(world.SkillsRoot)
		for _, name := range slices.Sorted(maps.Keys(b.c.Skills)) {
			b.call(world.LoadSkill, map[string]any{"name": name})
		}
		return false
	}},
	"missing-dir-loop": {"lists a folder that does not exist, over and over", at(world.Protocol, func(b *bench) {
		for range patience {
			b.list("/workspace/plugins")
		}
	})},
	"rewrite-loop": {"writes a page back and forth between two texts", at(world.EvidenceSample, func(b *bench) {
		p := b.first()
		b.store(p)
		a, other := p.String(), appended(p, "In other words.").String()
		for range patience {
			b.write(p.ID, other)
			b.write(p.ID, a)
		}
	})},
	"no-change": {"writes a page as it is, twice", at(world.EvidenceSample, func(b *bench) {
		p := b.first()
		b.store(p)
		b.write(p.ID, p.String())
		b.write(p.ID, p.String())
		b.sample()
	})},
	"no-change-once": {"writes a page as it is, once, and does all else well", at(world.EvidenceSample, func(b *bench) {
		p := b.first()
		b.store(p)
		b.write(p.ID, p.String())
		b.rest(p.ID)
	})},
	"no-progress": {"writes new prose and never a source", at(world.EvidenceSample, func(b *bench) {
		p := b.page(fixture.Selected(b.c)[0])
		for i := range patience {
			b.write(p.ID, appended(p, fmt.Sprintf("Draft %d says it better.", i+1)).String())
		}
	})},
	"forger": {"cites files with their right digests and never reads them", at(world.EvidenceSample, func(b *bench) {
		for _, id := range fixture.Selected(b.c) {
			p := b.page(id)
			b.cite(&p)
			b.write(id, p.String())
		}
		b.finish()
	})},
	"wrong-hash": {"declares a digest that is not the file's", at(world.EvidenceSample, func(b *bench) {
		p := b.first()
		b.store(p)
		p.Sources = slices.Clone(p.Sources)
		p.Sources[0].SHA256 = fixture.Hash("something else")
		b.write(p.ID, p.String())
		b.rest(p.ID)
	})},
	"outside-writer": {"tries to write where nothing can be written", at(world.EvidenceSample, func(b *bench) {
		for _, place := range []string{"/source/README.md", "../../source/package.json", "/skills/evidence.md", ".."} {
			b.call(world.WritePage, map[string]any{"page_id": place, "content": "Mine.\n", "expected_sha256": fixture.Hash("")})
		}
		b.sample()
	})},
	"sixth-page": {"repairs a page beyond the selected ones", at(world.EvidenceSample, func(b *bench) {
		selected := fixture.Selected(b.c)
		for _, planned := range b.c.Skeleton.Pages {
			p := b.page(planned.ID)
			if slices.Contains(selected, p.ID) || fixture.State(p, planned, b.c.Ledger, b.c).Complete {
				continue
			}
			b.cite(&p)
			b.store(p)
			b.texts[p.ID] = b.c.Pages[p.ID] // it was refused
			break
		}
		b.sample()
	})},
	"heading-editor": {"renames a section of a page whose structure is locked", at(world.EvidenceSample, func(b *bench) {
		p := b.first()
		before := b.texts[p.ID]
		renamed := p
		renamed.Sections = slices.Clone(p.Sections)
		renamed.Sections[0].Heading += ", revised"
		b.store(renamed)
		b.texts[p.ID] = before // it was refused
		b.sample()
	})},
	"half-done": {"repairs the five pages of the sample and calls the whole wiki done", at(world.Formal, (*bench).sample)},
	"evidence-only": {"repairs every page and closes no requirement across pages", at(world.Formal, func(b *bench) {
		for _, planned := range b.c.Skeleton.Pages {
			p := b.page(planned.ID)
			if !fixture.State(p, planned, b.c.Ledger, b.c).Complete {
				b.cite(&p)
				b.store(p)
			}
		}
		b.finish()
	})},
}

// patience is how often a candidate does again what brings nothing: more often than any stage
// lets it.
const patience = 9

// Candidates lists the scripted candidates, sorted.
func Candidates() []string { return slices.Sorted(maps.Keys(candidates)) }

// Candidate returns what a scripted candidate does in a task of the named stages.
func Candidate(c *fixture.Case, name string, stages []string) ([]tasks.Move, error) {
	does, ok := candidates[name]
	if !ok {
		return nil, tasks.Unknown("candidate", name, Candidates())
	}
	b := newBench(c)
	for _, stage := range stages {
		if does.does(b, stage) {
			continue
		}
		switch stage {
		case world.Protocol:
			b.protocol()
		case world.EvidenceSample:
			b.sample()
		case world.Formal:
			if err := b.formal(); err != nil {
				return nil, err
			}
		}
	}
	return b.moves, nil
}

// first is the first selected page with the sources that it needs.
func (b *bench) first() fixture.Page {
	p := b.page(fixture.Selected(b.c)[0])
	b.cite(&p)
	return p
}

// rest repairs the selected pages but one, and ends the stage.
func (b *bench) rest(but string) {
	for _, id := range fixture.Selected(b.c) {
		if id != but {
			p := b.page(id)
			b.cite(&p)
			b.store(p)
		}
	}
	b.finish()
}

// appended returns a page with another sentence at the end.
func appended(p fixture.Page, sentence string) fixture.Page {
	p.Sections = slices.Clone(p.Sections)
	last := &p.Sections[len(p.Sections)-1]
	last.Text = strings.TrimRight(last.Text, "\n") + "\n\n" + sentence + "\n"
	return p
}
