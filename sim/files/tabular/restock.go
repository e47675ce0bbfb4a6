package tabular

import (
	"fmt"
	"strings"

	"benchwright/sim/files"
)

type stock struct {
	sku, site, spelled string
	units              int
	active             bool
}

var sites = []string{"antwerp", "bergen", "cork", "dresden", "esbjerg", "florence", "gdansk", "haarlem"}

// restockSummary draws stock lists of warehouses that go by several names.
func restockSummary(r *files.Request) report {
	d := r.Difficulty
	rnd := r.Rand("stock")
	warehouses := files.Sample(rnd, sites, 3)
	aliases := map[string]string{}
	var of [3][]string // aliases by warehouse
	for i, n := range []int{0, 0, 0, 1, 1, 1, 2, 2} {
		w := warehouses[n]
		a := []string{w, w[:3] + " dc", "site " + w[:2], w + " depot", w[:3] + "-01", "wh " + w[:4]}
		alias := files.Pick(rnd, a)
		for aliases[alias] != "" {
			alias = a[i%len(a)] + fmt.Sprint(i)
		}
		aliases[alias] = w
		of[n] = append(of[n], alias)
	}
	spell := func(n int) string { return files.Pick(rnd, spellings)(files.Pick(rnd, of[n])) }

	skus := make([]string, 5+d)
	for i, n := range rnd.Numbers(len(skus), 900) {
		skus[i] = fmt.Sprintf("SKU-%d", 100+n)
	}
	pairs := rnd.Perm(len(skus) * 3)
	line := func(pair int) stock {
		return stock{sku: skus[pair/3], site: warehouses[pair%3], spelled: spell(pair % 3), units: rnd.Between(5, 400), active: !rnd.Chance(20)}
	}
	n := 8 + 2*d
	var inventory []stock
	for _, pair := range pairs[:n] {
		inventory = append(inventory, line(pair))
	}
	// A third as many restocks: most for pairs that are in stock, some for others of the same sku.
	var restocks []stock
	for i, pair := range append(files.Sample(rnd, pairs[:n], n/3), pairs[n]) {
		s := line(pair)
		if i == 0 { // of an inactive line, if there is one
			for _, have := range inventory {
				if !have.active {
					s.sku, s.site = have.sku, have.site
					s.spelled = spell(indexOf(warehouses, have.site))
				}
			}
		}
		restocks = append(restocks, s)
	}
	restocks = distinctStock(restocks)
	outdated := make([]stock, 0, n)
	for i, s := range inventory {
		if i%3 == 1 {
			s.units += rnd.Between(1, 30)
		}
		if i%5 != 4 {
			outdated = append(outdated, s)
		}
	}

	rep := report{
		title: files.Pick(rnd, []string{"Restock summary", "Stock after open deliveries", "Units by warehouse"}),
		description: files.Pick(rnd, []string{
			"Purchasing plans with what each warehouse will hold when the open deliveries are in.",
			"Add the pending units to the stock lists, one row a warehouse.",
			"The sites write their names as they like; the plan needs one figure for each.",
		}),
		output: "outputs/restock_summary.json", groupBy: []string{"warehouse"}, sortBy: []string{"warehouse"},
		inputs: files.Tree{
			"data/inventory.csv": stockCSV(inventory, true), "data/restocks.csv": stockCSV(restocks, false),
			"data/warehouse_aliases.json": files.JSON(aliases),
		},
		snapshot: "data/archive/inventory_last_count.csv", stale: stockCSV(outdated, true),
		note: [2]string{"notes/site_names.md", "# Names of sites\n\nThe sites agreed on common names once and did not keep to them. The alias table is what counts.\n"},
		operations: []string{
			"Trim each `warehouse` label, put it in lower case and look it up in the aliases, in both tables, before anything is joined.",
			"Leave out inventory lines whose `active` is `no`.",
			"Add `pending_units` of the restocks to the inventory line of the same `sku` and the same warehouse; restocks without a line that counts are left out.",
			"Sort the rows by `warehouse`.",
		},
		contract: []string{
			"`warehouse`: text, the name that the aliases give", "`sku_count`: number of different `sku` of active lines", "`total_units`: units with the pending ones",
		},
		hints: [3]string{
			"One sku may be kept at several sites.", "Labels differ by case and spaces too.", "A restock of an inactive line changes nothing.",
		},
		structure: map[string]any{"task_type": "normalization_and_join", "input_shape": "csv_json_csv", "time_bucketing": "none"},
		traps:     []string{"keep_inactive", "exact_labels", "join_raw_labels", "join_sku_only", "no_pending", "orphan_restocks"},
	}
	rep.answer = func(mishandled string) []map[string]any {
		lines := inventory
		if mishandled == staleTrap {
			lines = outdated
		}
		out := grouped{}
		counts := func(s stock) bool {
			return (s.active || mishandled == "keep_inactive") && (mishandled != "exact_labels" || aliases[s.spelled] != "")
		}
		for _, s := range lines {
			if !counts(s) {
				continue
			}
			out.add(s.site, "sku_count", 1)
			out.add(s.site, "total_units", s.units)
			for _, p := range restocks {
				same := p.sku == s.sku
				switch mishandled {
				case "join_sku_only":
				case "join_raw_labels":
					same = same && p.spelled == s.spelled
				default:
					same = same && p.site == s.site
				}
				if same && mishandled != "no_pending" && mishandled != "orphan_restocks" {
					out.add(s.site, "total_units", p.units)
				}
			}
		}
		if mishandled == "orphan_restocks" {
			for _, p := range restocks {
				out.add(p.site, "total_units", p.units)
			}
		}
		return out.rows(rep.groupBy, []string{"sku_count", "total_units"}, nil)
	}
	return rep
}

func indexOf(list []string, s string) int {
	for i, e := range list {
		if e == s {
			return i
		}
	}
	return -1
}

// distinctStock keeps the first line of each sku and site.
func distinctStock(lines []stock) []stock {
	seen := map[string]bool{}
	var out []stock
	for _, s := range lines {
		if key := s.sku + "|" + s.site; !seen[key] {
			seen[key] = true
			out = append(out, s)
		}
	}
	return out
}

func stockCSV(lines []stock, inventory bool) string {
	var b strings.Builder
	if inventory {
		b.WriteString("sku,warehouse,units,active\n")
	} else {
		b.WriteString("sku,warehouse,pending_units\n")
	}
	for _, s := range lines {
		fmt.Fprintf(&b, "%s,%s,%d", s.sku, s.spelled, s.units)
		if inventory {
			b.WriteString(map[bool]string{true: ",yes", false: ",no"}[s.active])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
