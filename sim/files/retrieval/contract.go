package retrieval

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"benchwright/sim/files"
)

//go:embed templates/contract_adapter.py
var contractTemplate string

//go:embed templates/response_parser.py
var parserTemplate string

//go:embed templates/serializer.py
var serializerTemplate string

const (
	parserPath     = "src/response_parser.py"
	serializerPath = "src/serializer.py"
)

// Labels of the flaws of a client that reads a contract.
const (
	staleContract  = "stale_contract"
	fixedField     = "collection_field_hard_coded"
	thousands      = "quantity_thousands_cut"
	firstPageOnly  = "first_page_only"
	missingCounts  = "missing_quantity_counts_one"
	noRegion       = "region_default_ignored"
	versionsKept   = "entry_versions_kept"
	lexicalUpdates = "updates_compared_as_text"
	orderLost      = "warehouse_order_lost"
)

const generalisation = "hidden_generalization"

var contractWeights = map[string]int{
	"authority": 100, "schema_mapping": 150, "quantity_parsing": 100, "pagination": 100, "missing_value": 100, "regional_override": 100,
	"deduplication": 100, "timestamp": 100, "output_contract": 50, generalisation: 100,
}

// A clientContract is what the client reads its fields from.
type clientContract struct {
	version, collection, quantity, cursor, warehouse, fallback string
	regions                                                    map[string]string
}

func (c clientContract) value() map[string]any {
	return map[string]any{
		"version": c.version, "collection_field": c.collection, "quantity_field": c.quantity, "cursor_field": c.cursor, "warehouse_field": c.warehouse,
		"default_warehouse": c.fallback, "region_defaults": c.regions,
	}
}

// facts are all of a contract but its version.
func (c clientContract) facts() []fact {
	return []fact{
		{"collection_field", c.collection}, {"quantity_field", c.quantity}, {"cursor_field", c.cursor}, {"warehouse_field", c.warehouse}, {"default_warehouse", c.fallback},
	}
}

// contracts of a drawn workspace. No two of them share a name of a field.
type contracts struct{ active, stale, alternate clientContract }

func drawContracts(rnd *files.Rand) contracts {
	collections := files.Sample(rnd, []string{"records", "items", "entries", "lines", "rows"}, 3)
	quantities := files.Sample(rnd, []string{"quantity", "count", "units", "pieces", "amount_on_hand"}, 3)
	cursors := files.Sample(rnd, []string{"next_cursor", "cursor", "continue_from", "page_token"}, 3)
	fields := files.Sample(rnd, []string{"warehouse", "site", "depot", "location"}, 3)
	fallbacks := files.Sample(rnd, []string{"unknown", "none", "unassigned", "central"}, 3)
	regions := files.Sample(rnd, regionNames, 3)
	versions := []string{"v2", "v3"}
	if rnd.Chance(40) { // the newer one was withdrawn
		slices.Reverse(versions)
	}
	draw := func(i int, version string) clientContract {
		houses := files.Sample(rnd, warehouseNames, 2)
		return clientContract{version, collections[i], quantities[i], cursors[i], fields[i], fallbacks[i], map[string]string{regions[i%2]: houses[0], regions[i%2+1]: houses[1]}}
	}
	return contracts{draw(0, versions[1]), draw(1, versions[0]), draw(2, "v9")}
}

// flaws lists what can be wrong with a client, in the order of the parts that it consists of.
func (k contracts) flaws(path string, serializer bool) []flaw {
	order := adapterPath
	if serializer {
		order = serializerPath
	}
	return []flaw{
		{staleContract, "authority", path, files.JSON(k.active.value()), files.JSON(k.stale.value())},
		{fixedField, "schema_mapping", parserPath, `page.get(contract["collection_field"])`, fmt.Sprintf("page.get(%q)", k.stale.collection)},
		{thousands, "quantity_parsing", parserPath, `int(value.replace(",", ""))`, `int(value.split(",")[0])`},
		{missingCounts, "missing_value", parserPath, `0 if quantity is None else`, `1 if quantity is None else`},
		{noRegion, "regional_override", parserPath, `contract["region_defaults"].get(region, contract["default_warehouse"])`, `contract["default_warehouse"]`},
		{versionsKept, "deduplication", parserPath, `key = record["id"]`, `key = (record["id"], record["updated_at"])`},
		{lexicalUpdates, "timestamp", parserPath, `parse_time(candidate["updated_at"]) > parse_time(current["updated_at"])`, `candidate["updated_at"] > current["updated_at"]`},
		{firstPageOnly, "pagination", adapterPath, `return [response] + list(response.get("more_pages") or [])`, `return [response]`},
		{orderLost, "output_contract", order, `sorted(warehouses)`, `list(warehouses)`},
	}
}

// sources returns the correct text of a client.
func (k contracts) sources(path string, serializer bool) files.Tree {
	body := `    warehouses = dict.fromkeys(record["warehouse"] for record in records)
    return {
        "request_id": response.get("request_id"),
        "next_cursor": pages[-1].get(contract["cursor_field"]),
        "record_count": len(records),
        "total_quantity": sum(record["quantity"] for record in records),
        "warehouses": sorted(warehouses),
    }
`
	t := files.Tree{parserPath: parserTemplate, path: files.JSON(k.active.value())}
	imports := ""
	if serializer {
		imports = "from serializer import serialize  # noqa: E402\n"
		body = "    return serialize(response, pages[-1].get(contract[\"cursor_field\"]), records)\n"
		t[serializerPath] = serializerTemplate
	}
	t[adapterPath] = strings.NewReplacer("@CONTRACT@", path, "@IMPORT@\n", imports+"\n", "@RETURN@\n", body).Replace(contractTemplate)
	return t
}

// contractAdapter draws a client of several files that reads its fields from a contract.
func contractAdapter(r *files.Request) (*files.Draft, error) {
	rnd := r.Rand("client")
	k := drawContracts(r.Rand("contracts"))
	serializer := r.Scenario == versioned
	path := "config/adapter_contract.json"
	if serializer {
		path = "config/client_contract.json"
	}
	all := k.flaws(path, serializer)
	// The contract, one flaw of every module, and others of the parser.
	chosen := []string{staleContract, firstPageOnly, fixedField}
	if serializer {
		chosen = append(chosen, orderLost)
	}
	more := map[string]int{"d5_a": 1, "d5_b": 1, "d5_c": 3}[profile(r.Seed)]
	chosen = append(chosen, files.Sample(rnd, []string{thousands, missingCounts, noRegion, versionsKept, lexicalUpdates}, more)...)
	flaws := slices.DeleteFunc(all, func(f flaw) bool { return !slices.Contains(chosen, f.id) })
	cases, err := k.cases(r, flaws)
	if err != nil {
		return nil, err
	}

	evidence, outdated := k.documents(rnd, serializer)
	visible, distractors := documents(r, evidence, outdated)
	documentCount := len(visible)
	visible["samples/response.json"] = files.JSON(response(r.Rand("sample"), k.active, everyAspect))
	canonical := k.sources(path, serializer)
	stale := k.stale.value()
	mixed := k.active
	mixed.fallback = k.stale.fallback
	expected := files.JSON(k.active.value())
	return client(r, clientParts{
		titles:    [3]string{"Stock client", "Client of the stock service", "Summaries of stock"},
		canonical: canonical, flaws: flaws, visible: visible, cases: cases,
		config: map[string]any{
			"contract_path": path,
			"artifact":      map[string]any{"path": path, "expected": "expected_contract.json", "capability": "authority"},
		},
		hidden:  files.Tree{"expected_contract.json": expected},
		weights: settle(contractWeights, flaws, generalisation),
		bundle:  bundleOf(flaws, serializer),
		contract: []string{
			"`" + path + "` holds the same keys as now, each with the value in force",
			"The client reads its fields from that file, whatever they are called there, and works with another one in its place",
		},
		near: []files.NearMiss{
			{Trap: "archived_contract", Files: files.Tree{path: files.JSON(stale)}},
			{Trap: "archived_default", Files: files.Tree{path: files.JSON(mixed.value())}},
		},
		evidence: len(evidence), documents: documentCount, distractors: distractors,
	})
}

// bundleOf says which flaw hides which: with the wrong contract or the wrong list no entry is read,
// so that nothing of how entries are read shows; and versions that are kept are not compared.
func bundleOf(flaws []flaw, serializer bool) *files.DefectBundle {
	b := &files.DefectBundle{ID: "client_policy", Groups: map[string][]string{}}
	if serializer {
		b.ID = "client_version"
	}
	has := func(id string) bool { return slices.ContainsFunc(flaws, func(f flaw) bool { return f.id == id }) }
	for _, f := range flaws {
		b.DefectIDs = append(b.DefectIDs, f.id)
		b.Groups[f.capability] = append(b.Groups[f.capability], f.id)
		if !slices.Contains(b.RequiredFiles, f.path) {
			b.RequiredFiles = append(b.RequiredFiles, f.path)
		}
		switch {
		case f.id == fixedField:
			b.Edges = append(b.Edges, [2]string{staleContract, f.id})
		case f.path == parserPath:
			b.Edges = append(b.Edges, [2]string{fixedField, f.id})
		}
	}
	if has(versionsKept) && has(lexicalUpdates) {
		b.Edges = append(b.Edges, [2]string{versionsKept, lexicalUpdates})
	}
	return b
}

// documents draws the evidence for the contract in force.
func (k contracts) documents(rnd *files.Rand, serializer bool) (evidence, outdated map[string]document) {
	intro := files.Pick(rnd, []string{"What the responses of this version are made of.", "Names and defaults of this version."})
	regions := func(c clientContract) []string {
		var lines []string
		for _, region := range files.Shuffled(rnd, sortedKeys(c.regions)) {
			lines = append(lines, fmt.Sprintf("- region `%s`: `%s`", region, c.regions[region]))
		}
		return []string{"## Region defaults\n\n" + strings.Join(lines, "\n") + "\n\nThese are the `region_defaults`, by the region of a page."}
	}
	rules := document{
		title: "Rules of the summary", intro: files.Pick(rnd, []string{"What the client makes of a response.", "Readers of the summary rely on these rules."}),
		body: append(summaryRules(false, ""), "## Entries\n\n"+strings.Join(files.Shuffled(rnd, []string{
			"- The pages after the first are in `more_pages`; `next_cursor` is the cursor of the last page, `request_id` that of the first.",
			"- A quantity may be text with commas between the thousands.",
			"- An entry without a warehouse belongs to the one of `region_defaults` for its page's `region`, and where there is none to `default_warehouse`.",
			"- Entries with one `id` are one entry, on whatever pages they are: that with the latest `updated_at` counts. Timestamps carry their own offset; what is compared is the moment.",
		}), "\n")),
	}
	evidence = map[string]document{"docs/output_contract.md": rules}
	outdated = map[string]document{}
	if serializer {
		version := func(c clientContract, b bundle) document {
			return document{title: "Client " + c.version, intro: intro, facts: c.facts(), body: regions(c), bundle: b}
		}
		evidence["docs/"+k.active.version+"_client.md"] = version(k.active, active)
		outdated["docs/"+k.stale.version+"_client.md"] = version(k.stale, archived)
		evidence["release/manifest.md"] = document{
			title: "Release", intro: "What is out, and with which client.", facts: []fact{{"version", k.active.version}},
			body: []string{"The other version is not served any more."},
		}
		return evidence, outdated
	}
	evidence["docs/api_reference.md"] = document{title: "Interface reference", intro: intro, facts: append(k.active.facts(), fact{"version", k.active.version})}
	evidence["notes/regional_overrides.md"] = document{title: "Regional overrides", intro: "Warehouses of entries that name none.", body: regions(k.active)}
	outdated[fmt.Sprintf("changelog/2026-03-%02d.md", rnd.Between(10, 28))] = document{
		title: "Contract settled", intro: intro, facts: append(k.stale.facts(), fact{"version", k.stale.version}), body: regions(k.stale), bundle: archived,
	}
	outdated["docs/client_defaults.md"] = document{
		title: "Defaults of clients", intro: "For clients without a contract of their own.", facts: []fact{{"default_warehouse", k.alternate.fallback}}, bundle: defaults,
	}
	return evidence, outdated
}
