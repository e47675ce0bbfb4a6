package wealth

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"benchwright/sim"
)

// Hidden returns every value of the fixture that the caller of this setup may not see by any
// tool: amounts, in both of their spellings, and sources of all other households. It is sorted.
// A value that the caller's own records hold as well is not hidden.
func Hidden(s Setup) ([]string, error) {
	f, err := s.fixture()
	if err != nil {
		return nil, err
	}
	visible := map[string]bool{}
	for _, v := range f.households[s.Household].values() {
		visible[v] = true
	}
	hidden := map[string]bool{}
	for id, h := range f.households {
		if id == s.Household {
			continue
		}
		for _, v := range h.values() {
			if !visible[v] {
				hidden[v] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(hidden)), nil
}

// values returns what a household's records say, amounts in both of their spellings.
func (h *householdRecords) values() []string {
	var v []string
	for _, r := range []*record{h.portfolio, h.cashflow} {
		v = append(v, r.source)
		for _, a := range append([]string{r.value}, r.details...) {
			c, _ := decimal(a)
			v = append(v, a, c)
		}
	}
	return v
}

// Probes returns the calls that reach for everything in the setup's fixture: every tool there
// is, in scope or not, with every household, fund and currency that the fixture names; with
// spellings that a careless comparison would confuse with the caller's; and the calculators and
// the writing tools once each. Whatever a call of Probes gives back, a task's scope and caller
// permit.
func Probes(s Setup) ([]sim.Call, error) {
	f, err := s.fixture()
	if err != nil {
		return nil, err
	}
	var ids, currencies []string
	for _, id := range slices.Sorted(maps.Keys(f.households)) {
		ids = append(ids, id, strings.ToLower(id), " "+id, id+"\x00", s.Household+","+id)
	}
	for _, pair := range slices.Sorted(maps.Keys(f.fx)) {
		base, quote, _ := strings.Cut(pair, "/")
		currencies = append(currencies, base, quote)
	}
	slices.Sort(currencies)
	currencies = slices.Compact(currencies)
	options := map[kind][]string{
		amount: {"1"}, amountUpTo12: {"1"}, positiveAmount: {"1"}, rate: {"0"}, years: {"1"},
		household: ids, fund: slices.Sorted(maps.Keys(f.funds)), currency: currencies,
	}
	var calls []sim.Call
	for _, name := range names {
		for _, args := range combinations(catalogue[name].params, options) {
			calls = append(calls, sim.Call{Name: name, Arguments: args})
		}
	}
	return calls, nil
}

// combinations returns the argument objects with every choice of an option for each param.
func combinations(params []param, options map[kind][]string) []json.RawMessage {
	objects := []map[string]string{{}}
	for _, p := range params {
		var longer []map[string]string
		for _, o := range objects {
			for _, v := range options[p.kind] {
				n := maps.Clone(o)
				n[p.name] = v
				longer = append(longer, n)
			}
		}
		objects = longer
	}
	raw := make([]json.RawMessage, len(objects))
	for i, o := range objects {
		raw[i] = sim.MustCanonical(o)
	}
	return raw
}
