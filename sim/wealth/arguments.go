package wealth

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"benchwright/sim"
)

// A param is one argument of a tool. All arguments are required.
type param struct {
	name string
	kind kind
}

// A kind is what an argument must be.
type kind int

const (
	amount         kind = iota // money, zero or more
	amountUpTo12               // money, zero to 10^12
	positiveAmount             // money, more than zero
	rate                       // a fraction from 0 to 1
	years                      // a whole number from 1 to 60
	household                  // the id of a household
	fund                       // the id of a fund
	currency                   // three upper-case letters
)

const (
	maxArguments = 64 << 10 // bytes that are parsed
	maxVerbatim  = 256      // bytes that are kept of arguments that are not JSON
	maxID        = 64       // bytes of an id
	maxYears     = 60
)

var (
	maxMoney = big.NewRat(1_000_000_000_000, 1)
	one      = big.NewRat(1, 1)
)

// numeric reports whether arguments of the kind are numbers.
func (k kind) numeric() bool { return k <= years }

// schema describes the kind to an agent.
func (k kind) schema() map[string]any {
	const plain = "A decimal string without grouping, sign, symbol or exponent."
	digits := `^(0|[1-9][0-9]{0,17})(\.[0-9]{1,10})?$`
	switch k {
	case amount:
		return map[string]any{"type": "string", "pattern": digits, "description": "INR, zero or more. " + plain}
	case amountUpTo12:
		return map[string]any{"type": "string", "pattern": digits, "description": "INR, from zero to one million million. " + plain}
	case positiveAmount:
		return map[string]any{"type": "string", "pattern": digits, "description": "INR, more than zero. " + plain}
	case rate:
		return map[string]any{"type": "string", "pattern": `^(0(\.[0-9]{1,10})?|1(\.0{1,10})?)$`, "description": "A fraction from 0 to 1, so 0.01 is one per cent. " + plain}
	case years:
		return map[string]any{"type": "integer", "minimum": 1, "maximum": maxYears, "description": "A whole number of years."}
	case household:
		return map[string]any{"type": "string", "minLength": 1, "maxLength": maxID, "description": "The id of the household. Only the caller's own may be read."}
	case fund:
		return map[string]any{"type": "string", "minLength": 1, "maxLength": maxID, "description": "The id of the fund."}
	}
	return map[string]any{"type": "string", "pattern": "^[A-Z]{3}$", "description": "A currency: three upper-case letters."}
}

// demand is the kind in words, for the message about an argument that is not of it.
func (k kind) demand() string {
	const plain = ", written as a plain decimal without grouping, sign, symbol or exponent"
	switch k {
	case amount:
		return "must be an amount of zero or more" + plain
	case amountUpTo12:
		return "must be an amount from zero to one million million" + plain
	case positiveAmount:
		return "must be an amount of more than zero" + plain
	case rate:
		return "must be a fraction from 0 to 1" + plain + "; rates are fractions, so one per cent is 0.01"
	case years:
		return "must be a whole number from 1 to 60"
	case currency:
		return "must be three upper-case letters"
	}
	return "must be a string of 1 to 64 bytes"
}

// canonical returns the canonical spelling of a number of the kind, and whether v is one. It
// looks at the spelling only, not at the range.
func (k kind) canonical(v any) (string, bool) {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case json.Number:
		text = string(v)
	default:
		return "", false
	}
	if k == years {
		return integer(text)
	}
	return decimal(text)
}

// holds reports whether a value is of the kind. Numbers are in their canonical spelling.
func (k kind) holds(s string, n *big.Rat) bool {
	switch k {
	case amount:
		return n.Sign() >= 0
	case amountUpTo12:
		return n.Sign() >= 0 && n.Cmp(maxMoney) <= 0
	case positiveAmount:
		return n.Sign() > 0
	case rate:
		return n.Sign() >= 0 && n.Cmp(one) <= 0
	case years:
		return n.Sign() > 0 && n.Num().IsInt64() && n.Num().Int64() <= maxYears
	case currency:
		return len(s) == 3 && !strings.ContainsFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' })
	}
	return s != "" && len(s) <= maxID
}

// CanonicalArguments returns the arguments of a call in the spelling that traces use and rules
// compare: canonical JSON in which every acceptable number of the tool is a string without
// trailing zeros, so that 2500000, "2500000.00" and 2500000.0 are the same. Anything else stays
// as it was sent. Arguments that are no JSON, name a key twice or are too long to be parsed
// become one string with the beginning of their text; absent ones stay absent.
func CanonicalArguments(tool string, args json.RawMessage) json.RawMessage {
	return parseArguments(catalogue[tool], args).canonical
}

// sent is the arguments of a call, parsed.
type sent struct {
	object    map[string]any // nil when they are not an object; numbers are canonical strings
	canonical json.RawMessage
}

// parseArguments reads arguments; t may be nil.
func parseArguments(t *tool, raw json.RawMessage) sent {
	if len(raw) == 0 {
		return sent{}
	}
	if len(raw) > maxArguments {
		return sent{canonical: verbatim(raw)}
	}
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return sent{canonical: verbatim(raw)}
	}
	object, _ := v.(map[string]any)
	if t != nil {
		for _, p := range t.params {
			if !p.kind.numeric() {
				continue
			}
			if n, ok := p.kind.canonical(object[p.name]); ok {
				object[p.name] = n
			}
		}
	}
	return sent{object: object, canonical: encode(v)}
}

// encode returns parsed JSON in canonical form. An object of strings, which every valid call
// is, is written without a detour.
func encode(v any) json.RawMessage {
	object, _ := v.(map[string]any)
	if object == nil {
		return sim.MustCanonical(v)
	}
	keys := make([]string, 0, len(object))
	for k, v := range object {
		if _, ok := v.(string); !ok {
			return sim.MustCanonical(object)
		}
		keys = append(keys, k)
	}
	slices.Sort(keys)
	b := append(make([]byte, 0, 128), '{')
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(quote(b, k), ':')
		b = quote(b, object[k].(string))
	}
	return append(b, '}')
}

// quote appends s as a canonical JSON string.
func quote(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return append(b, sim.MustCanonical(s)...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// verbatim returns the beginning of what an agent sent as a JSON string.
func verbatim(raw []byte) json.RawMessage {
	return sim.MustCanonical(clip(string(raw), maxVerbatim))
}

// clip returns at most the first n bytes of s, cut between runes, as valid UTF-8.
func clip(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// check returns the arguments in the order of the tool's params, the numbers among them, and
// what is wrong with them, if anything.
func (t *tool) check(s sent) (args []string, numbers []*big.Rat, problem string) {
	if s.object == nil {
		return nil, nil, "the arguments must be one JSON object that names no key twice"
	}
	for _, p := range t.params {
		if _, ok := s.object[p.name]; !ok {
			return nil, nil, t.signature()
		}
	}
	if len(s.object) != len(t.params) {
		return nil, nil, t.signature()
	}
	for _, p := range t.params {
		text, ok := s.object[p.name].(string)
		var n *big.Rat
		if p.kind.numeric() && ok {
			if _, ok = p.kind.canonical(text); ok {
				n = number(text)
			}
		}
		if !ok || !p.kind.holds(text, n) {
			return nil, nil, p.name + " " + p.kind.demand()
		}
		args, numbers = append(args, text), append(numbers, n)
	}
	return args, numbers, ""
}

// signature says which arguments the tool takes.
func (t *tool) signature() string {
	var p []string
	for _, q := range t.params {
		p = append(p, q.name)
	}
	slices.Sort(p)
	return t.name + " takes exactly these arguments: " + strings.Join(p, ", ")
}
