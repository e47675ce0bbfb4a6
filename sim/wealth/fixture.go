package wealth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"benchwright/fixtures"
	"benchwright/sim"
)

// A fixture is the records that tools read. It is shared by all episodes and never changes.
type fixture struct {
	households map[string]*householdRecords
	funds      map[string]*record
	fx         map[string]*record // by "USD/INR"
	latest     string             // the latest date of a record
}

type householdRecords struct{ portfolio, cashflow *record }

// A record is what one call reads: a value with its evidence, or a fault.
type record struct {
	fault, value, unit, asOf, source string
	data                             any
	details                          []string // further values in data
	encoded                          json.RawMessage
}

// schemaName is the only format of fixtures that is read.
const schemaName = "wealthops.fixtures/1"

// The file, as it is written.
type (
	fixtureFile struct {
		Schema   string                 `json:"schema"`
		Fixtures map[string]fixtureJSON `json:"fixtures"`
	}
	fixtureJSON struct {
		Households map[string]householdJSON `json:"households"`
		Funds      map[string]fundJSON      `json:"funds"`
		FX         map[string]fxJSON        `json:"fx"`
	}
	householdJSON struct {
		Portfolio portfolioJSON `json:"portfolio"`
		Cashflow  cashflowJSON  `json:"cashflow"`
	}
	portfolioJSON struct {
		Source    string         `json:"source"`
		AsOf      string         `json:"as_of"`
		Total     string         `json:"total"`
		Positions []positionJSON `json:"positions"`
	}
	positionJSON struct {
		Asset string `json:"asset"`
		Value string `json:"value"`
	}
	cashflowJSON struct {
		Source   string `json:"source"`
		AsOf     string `json:"as_of"`
		Expenses string `json:"essential_monthly_expenses"`
	}
	fundJSON struct {
		Source     string `json:"source"`
		AsOf       string `json:"as_of"`
		NAV        string `json:"nav"`
		MaxAgeDays int    `json:"max_age_days"`
	}
	fxJSON struct {
		Fault  string `json:"fault"`
		Source string `json:"source"`
		AsOf   string `json:"as_of"`
		Rate   string `json:"rate"`
	}
)

// load reads the embedded fixtures, once.
var load = sync.OnceValues(func() (map[string]*fixture, error) {
	raw, err := fixtures.Wealth().Read("fixtures.json")
	if err != nil {
		return nil, err
	}
	return parseFixtures(raw)
})

// FixtureIDs returns the ids of the embedded fixtures, sorted.
func FixtureIDs() ([]string, error) {
	f, err := load()
	return slices.Sorted(maps.Keys(f)), err
}

// parseFixtures reads and checks a file of fixtures. An error names the record.
func parseFixtures(raw []byte) (map[string]*fixture, error) {
	if _, err := sim.ParseJSON(raw); err != nil { // duplicate keys, depth, text after the value
		return nil, fmt.Errorf("wealth: fixtures: %w", err)
	}
	var file fixtureFile
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("wealth: fixtures: %w", err)
	}
	if file.Schema != schemaName {
		return nil, fmt.Errorf("wealth: fixtures: schema %q: want %q", file.Schema, schemaName)
	}
	all := map[string]*fixture{}
	for _, id := range slices.Sorted(maps.Keys(file.Fixtures)) {
		f, err := file.Fixtures[id].fixture()
		if err != nil {
			return nil, fmt.Errorf("wealth: fixture %q: %w", id, err)
		}
		all[id] = f
	}
	return all, nil
}

func (j fixtureJSON) fixture() (*fixture, error) {
	if len(j.Households) == 0 {
		return nil, fmt.Errorf("no households")
	}
	f := &fixture{
		households: map[string]*householdRecords{},
		funds:      map[string]*record{},
		fx:         map[string]*record{},
	}
	for _, id := range slices.Sorted(maps.Keys(j.Households)) {
		h := j.Households[id]
		if !household.holds(id, nil) {
			return nil, fmt.Errorf("household %q: the id %s", id, household.demand())
		}
		portfolio, err := h.Portfolio.record(id)
		if err != nil {
			return nil, fmt.Errorf("household %q: portfolio: %w", id, err)
		}
		cashflow, err := h.Cashflow.record(id)
		if err != nil {
			return nil, fmt.Errorf("household %q: cashflow: %w", id, err)
		}
		f.households[id] = &householdRecords{portfolio, cashflow}
		f.add(ReadPortfolio, portfolio)
		f.add(ReadCashflow, cashflow)
	}
	for _, id := range slices.Sorted(maps.Keys(j.Funds)) {
		r, err := j.Funds[id].record(id)
		if err != nil {
			return nil, fmt.Errorf("fund %q: %w", id, err)
		}
		f.funds[id] = r
		f.add(GetNAV, r)
	}
	for _, pair := range slices.Sorted(maps.Keys(j.FX)) {
		r, err := j.FX[pair].record(pair)
		if err != nil {
			return nil, fmt.Errorf("fx %q: %w", pair, err)
		}
		f.fx[pair] = r
		f.add(GetFXRate, r)
	}
	return f, nil
}

// add encodes a checked record as the result of the tool that reads it.
func (f *fixture) add(tool string, r *record) {
	if r.fault == "" {
		raw := r.encode(tool, catalogue[tool].claim)
		r.encoded = raw[:len(raw):len(raw)]
		f.latest = max(f.latest, r.asOf)
	}
}

func (j portfolioJSON) record(id string) (*record, error) {
	r := &record{value: j.Total, unit: "INR", asOf: j.AsOf, source: j.Source, data: map[string]any{"positions": j.Positions}}
	added, seen := new(big.Rat), map[string]bool{}
	for _, p := range j.Positions {
		switch {
		case p.Asset == "" || seen[p.Asset]:
			return nil, fmt.Errorf("position %q: every position needs an asset of its own", p.Asset)
		case !money(p.Value):
			return nil, fmt.Errorf("position %q: value %q: want an amount with two decimals", p.Asset, p.Value)
		}
		seen[p.Asset] = true
		added.Add(added, number(p.Value))
		r.details = append(r.details, p.Value)
	}
	if err := r.check("pf-" + id + "-" + j.AsOf); err != nil {
		return nil, err
	}
	if !money(j.Total) || len(j.Positions) == 0 {
		return nil, fmt.Errorf("total %q of %d positions: want an amount with two decimals and at least one position", j.Total, len(j.Positions))
	}
	if added.Cmp(number(j.Total)) != 0 {
		return nil, fmt.Errorf("total %s: the positions add up to %s", j.Total, added.FloatString(2))
	}
	return r, nil
}

func (j cashflowJSON) record(id string) (*record, error) {
	if !money(j.Expenses) {
		return nil, fmt.Errorf("essential_monthly_expenses %q: want an amount with two decimals", j.Expenses)
	}
	r := &record{value: j.Expenses, unit: "INR", asOf: j.AsOf, source: j.Source, data: struct{}{}}
	return r, r.check("cf-" + id + "-" + month(j.AsOf))
}

func (j fundJSON) record(id string) (*record, error) {
	if !fund.holds(id, nil) {
		return nil, fmt.Errorf("the id %s", fund.demand())
	}
	if j.MaxAgeDays < 1 {
		return nil, fmt.Errorf("max_age_days %d: want at least 1", j.MaxAgeDays)
	}
	r := &record{value: j.NAV, unit: "INR per unit", asOf: j.AsOf, source: j.Source, data: map[string]any{"max_age_days": j.MaxAgeDays}}
	return r, r.check("nav-" + id + "-" + j.AsOf)
}

func (j fxJSON) record(pair string) (*record, error) {
	base, quote, _ := strings.Cut(pair, "/")
	if !currency.holds(base, nil) || !currency.holds(quote, nil) {
		return nil, fmt.Errorf(`want two currencies like "USD/INR"`)
	}
	if j.Fault != "" {
		if j.Source+j.AsOf+j.Rate != "" {
			return nil, fmt.Errorf("a fault leaves no room for a rate")
		}
		if strings.Trim(j.Fault, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return nil, fmt.Errorf("fault %q: want lower-case letters and '_'", j.Fault)
		}
		return &record{fault: j.Fault}, nil
	}
	r := &record{value: j.Rate, unit: quote + " per " + base, asOf: j.AsOf, source: j.Source, data: struct{}{}}
	return r, r.check("fx-" + base + "-" + quote + "-" + j.AsOf)
}

// check reports what is wrong with a record whose source should have the given name.
func (r *record) check(source string) error {
	switch {
	case !unsigned(r.value):
		return fmt.Errorf("value %q: want a plain decimal of zero or more", r.value)
	case !validDate(r.asOf):
		return fmt.Errorf("as_of %q: want a date like 2006-01-02", r.asOf)
	case r.source != source:
		return fmt.Errorf("source %q: want %q", r.source, source)
	}
	return nil
}

// unsigned reports whether s is a decimal of zero or more.
func unsigned(s string) bool {
	_, ok := decimal(s)
	return ok && s[0] != '-'
}

// money reports whether s is an amount of zero or more, spelled with exactly two decimals.
func money(s string) bool {
	return unsigned(s) && len(s) > 3 && s[len(s)-3] == '.'
}

func validDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// month returns the month of a date: 2006-01.
func month(date string) string {
	if !validDate(date) {
		return ""
	}
	return date[:len("2006-01")]
}
