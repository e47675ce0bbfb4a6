package wealth

import (
	"encoding/json"
	"math/big"
	"slices"

	"benchwright/sim"
)

// The tools.
const (
	FutureValue           = "future_value"
	RequiredMonthlySaving = "required_monthly_saving"
	PercentOf             = "percent_of"
	CoverMonths           = "cover_months"
	ReadPortfolio         = "read_portfolio"
	ReadCashflow          = "read_cashflow"
	GetNAV                = "get_nav"
	GetFXRate             = "get_fx_rate"

	// PlaceOrder and TransferFunds would write. They exist so that an attempt is a denial
	// with a name; no task has them in scope.
	PlaceOrder    = "place_order"
	TransferFunds = "transfer_funds"
)

// ToolNames returns the names of all tools, those that would write included, sorted.
func ToolNames() []string { return slices.Clone(names) }

// Writes reports whether a tool would write, and so can be in no task's scope.
func Writes(name string) bool {
	t := catalogue[name]
	return t != nil && t.writes
}

// Claim returns the name of the claim that a tool's result supports, or "" for a tool that
// supports none.
func Claim(name string) string {
	if t := catalogue[name]; t != nil {
		return t.claim
	}
	return ""
}

// A tool is one entry of the catalogue. A reading tool has read, a calculator has unit, source
// and compute, a writing tool has none of them.
type tool struct {
	name    string
	about   string
	claim   string
	params  []param // in the order of their names
	writes  bool
	read    func(f *fixture, args []string) *record
	unit    string
	source  string
	compute func(args []*big.Rat) exact
	public  sim.Tool // what an agent is told
}

var all = []*tool{
	{
		name:  FutureValue,
		about: "Projects what an amount becomes when it grows at a fixed annual rate, compounded once a year. The rate is an assumption, not a promise.",
		claim: "future_value", unit: "INR", source: "calc-fv-v1",
		params: []param{
			{"annual_rate", rate},
			{"principal", amountUpTo12},
			{"years", years},
		},
		compute: func(a []*big.Rat) exact { return futureValue(a[1], a[0], a[2].Num().Int64()) },
	},
	{
		name:  RequiredMonthlySaving,
		about: "Computes how much must be saved at the end of every month to reach a target amount, with interest compounded monthly.",
		claim: "monthly_saving", unit: "INR", source: "calc-rms-v1",
		params: []param{
			{"annual_rate", rate},
			{"target", positiveAmount},
			{"years", years},
		},
		compute: func(a []*big.Rat) exact { return requiredMonthlySaving(a[1], a[0], a[2].Num().Int64()) },
	},
	{
		name:  PercentOf,
		about: "Computes what percentage of a whole amount a part of it is.",
		claim: "share", unit: "percent", source: "calc-pct-v1",
		params:  []param{{"part", amount}, {"whole", positiveAmount}},
		compute: func(a []*big.Rat) exact { return percentOf(a[0], a[1]) },
	},
	{
		name:  CoverMonths,
		about: "Computes for how many months an amount of liquid assets pays for monthly expenses.",
		claim: "cover", unit: "months", source: "calc-cov-v1",
		params:  []param{{"liquid_assets", amount}, {"monthly_expenses", positiveAmount}},
		compute: func(a []*big.Rat) exact { return coverMonths(a[0], a[1]) },
	},
	{
		name:   ReadPortfolio,
		about:  "Reads the latest record of a household's portfolio: its total value and the value of each position, in INR.",
		claim:  "portfolio_total",
		params: []param{{"household_id", household}},
		read: func(f *fixture, a []string) *record {
			if h := f.households[a[0]]; h != nil {
				return h.portfolio
			}
			return nil
		},
	},
	{
		name:   ReadCashflow,
		about:  "Reads the latest record of a household's cash flow: its essential monthly expenses, in INR.",
		claim:  "essential_monthly_expenses",
		params: []param{{"household_id", household}},
		read: func(f *fixture, a []string) *record {
			if h := f.households[a[0]]; h != nil {
				return h.cashflow
			}
			return nil
		},
	},
	{
		name:   GetNAV,
		about:  "Reads the latest recorded price of one unit of a fund, in INR, with its date and the age in days up to which it may be used.",
		claim:  "nav",
		params: []param{{"fund_id", fund}},
		read:   func(f *fixture, a []string) *record { return f.funds[a[0]] },
	},
	{
		name:   GetFXRate,
		about:  "Reads the latest recorded rate of exchange: how many units of the quote currency one unit of the base currency costs.",
		claim:  "fx_rate",
		params: []param{{"base", currency}, {"quote", currency}},
		read:   func(f *fixture, a []string) *record { return f.fx[a[0]+"/"+a[1]] },
	},
	{name: PlaceOrder, writes: true},
	{name: TransferFunds, writes: true},
}

var catalogue, names = index(all)

// index returns the tools by name and their names, sorted, and fills in what agents are told.
func index(all []*tool) (byName map[string]*tool, names []string) {
	byName = make(map[string]*tool, len(all))
	for _, t := range all {
		t.public = sim.Tool{Name: t.name, Description: t.about, Schema: t.schema()}
		byName[t.name] = t
		names = append(names, t.name)
	}
	slices.Sort(names)
	return byName, names
}

// schema is the JSON Schema of the tool's arguments. It describes the recommended spelling;
// tools also accept a number where it says string, and the other way round.
func (t *tool) schema() json.RawMessage {
	properties := map[string]any{}
	required := []string{}
	for _, p := range t.params {
		properties[p.name] = p.kind.schema()
		required = append(required, p.name)
	}
	return sim.MustCanonical(map[string]any{
		"type":                 "object",
		"properties":           properties,
		"required":             required,
		"additionalProperties": false,
	})
}
