package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

// A generator makes the rows of a dataset from a seed: payload_spec
//
//	{"generator": "seeded_rows", "n_rows": 1000, "seed": 7, "schema": {"id": "sequence",
//	 "desk": {"type": "choice", "values": ["Macro", "Rates"]}, "pnl": {"type": "number", "min": -5, "max": 5, "decimals": 2}}}
//
// The types of columns are ours: sequence (a number from 1, or text with a prefix), integer and
// number (from min to max), choice (of values), date (days days from start on), boolean.
type generator struct {
	n       int
	seed    int64
	columns []genColumn
}

type genColumn struct {
	field    string
	kind     string
	prefix   string
	min, max float64
	decimals int
	values   []json.RawMessage
	start    time.Time
	days     int
}

var genKinds = []string{"boolean", "choice", "date", "integer", "number", "sequence"}

func parseGenerator(v any, fields []string) (*generator, error) {
	o, ok := v.(*object)
	if !ok {
		return nil, errors.New("want an object")
	}
	if err := keys(o, "generator", "n_rows", "seed", "schema"); err != nil {
		return nil, err
	}
	if o.get("generator") != "seeded_rows" {
		return nil, errors.New(`generator must be "seeded_rows"`)
	}
	n, ok := integer(o.get("n_rows"))
	if !ok || n < 1000 || n > 50000 {
		return nil, errors.New("n_rows must be an integer from 1000 to 50000")
	}
	seed, ok := integer(o.get("seed"))
	if !ok {
		return nil, errors.New("seed must be an integer")
	}
	schema := o.obj("schema")
	if schema == nil || len(schema.keys) == 0 {
		return nil, errors.New("schema must be a non-empty object by field")
	}
	if a, b := slices.Sorted(slices.Values(schema.keys)), slices.Sorted(slices.Values(fields)); !slices.Equal(a, b) {
		return nil, fmt.Errorf("schema must cover exactly the fields: it has %q, the fields are %q", a, b)
	}
	g := &generator{n: int(n), seed: seed}
	for _, f := range schema.keys {
		c, err := genColumnOf(f, schema.get(f))
		if err != nil {
			return nil, fmt.Errorf("schema: field %q: %w", f, err)
		}
		g.columns = append(g.columns, c)
	}
	return g, nil
}

func genColumnOf(field string, v any) (genColumn, error) {
	c := genColumn{field: field, max: 100, decimals: 2, days: 365, start: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)}
	o, ok := v.(*object)
	if s, text := v.(string); text {
		o = &object{keys: []string{"type"}, m: map[string]any{"type": s}}
	} else if !ok {
		return c, errors.New("want a type or an object with one")
	}
	if err := keys(o, "type", "prefix", "min", "max", "decimals", "values", "start", "days"); err != nil {
		return c, err
	}
	if c.kind = o.str("type"); !slices.Contains(genKinds, c.kind) {
		return c, fmt.Errorf("type must be one of %q", genKinds)
	}
	c.prefix = o.str("prefix")
	if f, ok := numeric(o.get("min")); ok {
		c.min = f
		c.max = max(c.max, f)
	}
	if f, ok := numeric(o.get("max")); ok {
		c.max = f
	}
	if c.max < c.min || c.min < -1e12 || c.max > 1e12 {
		return c, errors.New("max must be at least min, and both within 1e12 of zero")
	}
	if n, ok := integer(o.get("decimals")); ok {
		c.decimals = int(min(max(n, 0), 9))
	}
	if n, ok := integer(o.get("days")); ok && n > 0 {
		c.days = int(min(n, 100000))
	}
	if s := o.str("start"); s != "" {
		t, err := time.Parse(time.DateOnly, s)
		if err != nil {
			return c, errors.New("start must be a date like 2025-01-31")
		}
		c.start = t
	}
	for _, v := range o.list("values") {
		c.values = append(c.values, encode(v))
	}
	if c.kind == "choice" && len(c.values) == 0 {
		return c, errors.New("values must be a non-empty list")
	}
	return c, nil
}

// generate makes the rows. Each column has a stream of its own, so that another column added
// leaves the values of the rest as they are.
func (g *generator) generate() []byte {
	streams := make([]*rand.Rand, len(g.columns))
	for i, c := range g.columns {
		h := fnv.New64a()
		h.Write([]byte(c.field))
		streams[i] = rand.New(rand.NewPCG(uint64(g.seed), h.Sum64()))
	}
	b := []byte{'['}
	for row := range g.n {
		if row > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		for i, c := range g.columns {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendJSON(b, c.field), ':')
			b = c.append(b, row, streams[i])
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

func (c *genColumn) append(b []byte, row int, r *rand.Rand) []byte {
	switch c.kind {
	case "sequence":
		if c.prefix != "" {
			return appendJSON(b, c.prefix+strconv.Itoa(row+1))
		}
		return strconv.AppendInt(b, int64(row+1), 10)
	case "integer":
		lo, hi := int64(c.min), int64(c.max)
		return strconv.AppendInt(b, lo+r.Int64N(hi-lo+1), 10)
	case "number":
		return strconv.AppendFloat(b, c.min+r.Float64()*(c.max-c.min), 'f', c.decimals, 64)
	case "choice":
		return append(b, c.values[r.IntN(len(c.values))]...)
	case "date":
		return appendJSON(b, c.start.AddDate(0, 0, r.IntN(c.days)).Format(time.DateOnly))
	}
	return strconv.AppendBool(b, r.IntN(2) == 1)
}
