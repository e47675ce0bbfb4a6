package retrieval

import (
	"fmt"
	"strings"

	"benchwright/sim/files"
)

// summaryRules say what a summary holds.
func summaryRules(malformed bool, fallback string) []string {
	rules := []string{
		"- `request_id`: as the response has it",
		"- `next_cursor`: the response's cursor, or null",
		"- `record_count`: number of entries",
		"- `total_quantity`: sum of their quantities; an entry without one counts 0",
		"- `warehouses`: the different `warehouse` of the entries, in alphabetical order",
	}
	body := []string{"## Summary\n\n" + strings.Join(rules, "\n"), "A response may come without its list of entries, or with null in its place; it is one without entries."}
	if fallback != "" {
		body = append(body, fallback)
	}
	if malformed {
		body = append(body, "## Malformed entries\n\n"+strings.Join([]string{
			"- What is not an object is passed over and not counted.",
			"- A quantity that is text of digits is the number that it writes; other text counts 0.",
			"- A negative quantity counts 0.",
			"- A warehouse of nothing but blanks is a missing one.",
		}, "\n"))
	}
	return body
}

// documents draws the evidence about the interface of a plain client.
func (w wording) documents(r *files.Request, rnd *files.Rand) (evidence, outdated map[string]document) {
	d := r.Difficulty
	names := []fact{{"collection_field", w.collection}, {"quantity_field", w.quantity}, {"cursor_field", w.cursor}}
	fallback := "An entry without a warehouse belongs to the one of `default_warehouse`."
	reference := document{
		title: files.Pick(rnd, []string{"Interface reference", "Reference of the stock interface"}),
		intro: files.Pick(rnd, []string{"Names of the fields of a response.", "What a response is made of: the list of its entries, their quantity, and the cursor."}),
		facts: names,
	}
	evidence = map[string]document{}
	output := document{title: "Contract of the summary", intro: files.Pick(rnd, []string{"What the client returns.", "Readers of the summary rely on these keys."})}
	output.body = summaryRules(d == 5, fallback)
	if d < 3 {
		output.facts = []fact{{"default_warehouse", w.fallback}}
	}
	if d == 1 {
		reference.facts = append(reference.facts, output.facts...)
		reference.body = output.body
	} else {
		evidence["docs/output_contract.md"] = output
	}
	if d >= 3 {
		reference.facts = []fact{{"collection_field", w.oldCollection}, {"quantity_field", w.oldQuantity}, {"cursor_field", w.oldCursor}}
		reference.body = []string{"Later changes of names are in the changes of the interface, which come before this reference."}
		is := files.Pick(rnd, []string{"is now", "was renamed to", "became"})
		lines := []string{
			fmt.Sprintf("- `%s` %s `%s`", w.oldCollection, is, w.collection),
			fmt.Sprintf("- `%s` %s `%s`", w.oldQuantity, is, w.quantity),
			fmt.Sprintf("- `%s` %s `%s`", w.oldCursor, is, w.cursor),
		}
		evidence["notes/api_changelog.md"] = document{
			title: "Changes of the interface", intro: "These changes override the names of the interface reference.",
			facts: []fact{{"default_warehouse", w.fallback}},
			body:  []string{"## Names\n\n" + strings.Join(files.Shuffled(rnd, lines), "\n")},
		}
	}
	evidence["docs/api_reference.md"] = reference
	outdated = map[string]document{}
	stale := []fact{{"collection_field", w.oldCollection}, {"quantity_field", w.oldQuantity}, {"default_warehouse", w.oldFallback}}
	switch d {
	case 4:
		outdated["notes/legacy_adapter.md"] = document{title: "The client as it was", intro: "Superseded by `notes/api_changelog.md`; kept for those who read old logs.", facts: stale}
	case 5:
		outdated[fmt.Sprintf("changelog/2026-03-%02d.md", rnd.Between(10, 28))] = document{
			title: "Names settled", intro: "The interface uses these names from now on.", bundle: archived, facts: stale,
		}
	}
	return evidence, outdated
}
