package tabular

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchwright/sim/files"
)

// policies are the reporting policies of a drawn workspace: which was, is and may become law.
type policies struct {
	active, retired, proposed policy
	base                      policy // the active one without its addendum
	builtin                   policy // what a program knows that reads none
	alternate                 policy // of hidden runs
	added                     string // the status that the addendum adds
}

var activeWords = []string{"yes", "true", "1", "y", "on", "live"}

func drawPolicies(rnd *files.Rand) policies {
	number := rnd.Between(4, 60)
	name := func(n int) string { return fmt.Sprintf("REV-%02d", n) }
	draw := func(revision string) policy {
		return policy{revision, sorted(files.Sample(rnd, activeWords, 3)), sorted(files.Sample(rnd, statuses, 2))}
	}
	var p policies
	p.base = draw(name(number))
	left := without(statuses, p.base.counted)
	p.added = files.Pick(rnd, left)
	p.active = p.base
	p.active.counted = sorted(append(slices.Clone(p.base.counted), p.added))
	// The others count something that the active one does not, and leave out something of it.
	foreign := func(revision string) policy {
		q := draw(revision)
		outside := without(statuses, p.active.counted)
		q.counted = sorted([]string{files.Pick(rnd, outside), files.Pick(rnd, p.active.counted)})
		return q
	}
	p.retired, p.proposed = foreign(name(number-1)), foreign(name(number+1))
	p.builtin, p.alternate = foreign("built in"), draw(name(number+rnd.Between(2, 9)))
	for slices.Equal(p.alternate.counted, p.builtin.counted) {
		p.alternate = draw(p.alternate.revision)
	}
	return p
}

// documents renders the policies; only the register says which of them is in force.
func (p policies) documents(rnd *files.Rand) files.Tree {
	t := files.Tree{}
	for _, q := range []policy{p.base, p.retired, p.proposed} {
		t["policies/"+strings.ToLower(q.revision)+".md"] = files.Readme{
			Title:       "Reporting policy " + q.revision,
			Description: files.Pick(rnd, []string{"Agreed by the reporting board.", "Text of the reporting policy.", "What the account report is made by."}),
			Sections: []files.Section{
				{Heading: "Active values", Items: quoted(q.active)},
				{Heading: "Counted statuses", Items: quoted(q.counted)},
			},
		}.String()
	}
	lines := []string{
		fmt.Sprintf("`%s` is in force, together with its addendum.", p.base.revision),
		fmt.Sprintf("`%s` is retired and kept for the record.", p.retired.revision),
		fmt.Sprintf("`%s` is proposed and not agreed.", p.proposed.revision),
	}
	t["policies/register.md"] = files.Readme{
		Title: "Register of policies", Description: "The register alone says which policy is in force.",
		Sections: []files.Section{{Heading: "Entries", Items: files.Shuffled(rnd, lines)}},
	}.String()
	t["policies/addendum.md"] = fmt.Sprintf("# Addendum to %s\n\nBesides those that the policy lists, the status `%s` is counted too. All else stays as it is.\n", p.base.revision, p.added)
	t["policies/artifact_form.md"] = "# The policy as the program reads it\n\n`" + artifactPath + "` holds one JSON object:\n\n" +
		"- `revision`: name of the policy in force\n- `active_values`: list of its active values, in alphabetical order\n" +
		"- `counted_statuses`: list of all statuses that are counted, in alphabetical order\n"
	return t
}

// nearMisses are the artifacts of those who take another policy for the one in force.
func (p policies) nearMisses() []files.NearMiss {
	wrong := func(trap string, q policy) files.NearMiss {
		return files.NearMiss{Trap: trap, Files: files.Tree{artifactPath: q.json()}}
	}
	return []files.NearMiss{wrong("proposed_policy", p.proposed), wrong("no_addendum", p.base), wrong("retired_policy", p.retired)}
}

// python writes a policy as a literal of the program.
func (p policy) python() string {
	list := func(words []string) string {
		raw, err := json.Marshal(words)
		if err != nil {
			panic("tabular: " + err.Error()) // words marshal
		}
		return strings.ReplaceAll(string(raw), ",", ", ")
	}
	return fmt.Sprintf(`{"active_values": %s, "counted_statuses": %s}`, list(p.active), list(p.counted))
}

func sorted(words []string) []string {
	slices.Sort(words)
	return words
}

func without(words, those []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(those, w) })
}
