package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"benchwright/agent"
	"benchwright/sim"
	"benchwright/tasks"
)

// drawn returns the arguments of n calls of a tool with the schema.
func drawn(t *testing.T, schema string, seed int64, n int) []json.RawMessage {
	t.Helper()
	m := agent.Random(tasks.PlainDialect{}, agent.ProtocolTools, tasks.Envelope{}, seed, "a/b/c", 1)
	tools := []sim.Tool{{Name: "t", Schema: json.RawMessage(schema)}}
	var out []json.RawMessage
	for len(out) < n {
		r, _, err := m.Next(context.Background(), nil, tools)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Calls {
			out = append(out, c.Arguments)
		}
	}
	return out
}

// in returns a schema of an object whose one property, x, has the given schema.
func in(schema string) string {
	return `{"type":"object","properties":{"x":` + schema + `},"required":["x"],"additionalProperties":false}`
}

// single names the schemas for which one value is all that there is to choose.
var single = strings.Fields("empty-object nothing true const string-empty integer-one number-point array-tuple pattern-empty pattern-case pattern-word-ends")

func TestRandomArgumentsAreValid(t *testing.T) {
	for _, c := range []struct{ name, schema string }{
		{"empty-object", `{"type":"object"}`},
		{"nothing", `{}`},
		{"true", `true`},
		{"closed", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["b"],"additionalProperties":false}`},
		{"required-undescribed", `{"type":"object","required":["a","b"]}`},
		{"required-additional", `{"type":"object","required":["a"],"additionalProperties":{"type":"integer"}}`},
		{"additional", `{"type":"object","properties":{"a":{"type":"null"}},"additionalProperties":{"type":"boolean"}}`},
		{"min-properties", `{"type":"object","properties":{"a":{},"b":{},"c":{}},"minProperties":2}`},
		{"min-properties-more", `{"type":"object","minProperties":4,"additionalProperties":{"type":"integer"}}`},
		{"max-properties", `{"type":"object","properties":{"a":{},"b":{},"c":{},"d":{}},"required":["d"],"maxProperties":2}`},
		{"forbidden-property", `{"type":"object","properties":{"a":false,"b":true}}`},
		{"untyped-object", `{"properties":{"a":{"type":"integer"}},"required":["a"]}`},
		{"enum", in(`{"enum":["a",1,null,{"k":[1.50]}]}`)},
		{"const", in(`{"const":{"a":[1,"b"]}}`)},
		{"types", in(`{"type":["integer","null","array"],"maxItems":2}`)},
		{"boolean", in(`{"type":"boolean"}`)},
		{"integer", in(`{"type":"integer"}`)},
		{"integer-range", in(`{"type":"integer","minimum":-3,"maximum":4}`)},
		{"integer-one", in(`{"type":"integer","minimum":7,"maximum":7}`)},
		{"integer-above", in(`{"type":"integer","minimum":1000}`)},
		{"integer-below", in(`{"type":"integer","maximum":-1000}`)},
		{"integer-exclusive", in(`{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":3}`)},
		{"integer-fraction-bounds", in(`{"type":"integer","minimum":0.5,"maximum":2.5}`)},
		{"integer-multiple", in(`{"type":"integer","minimum":10,"maximum":100,"multipleOf":15}`)},
		{"integer-multiple-large", in(`{"type":"integer","multipleOf":1000}`)},
		{"integer-huge", in(`{"type":"integer","minimum":1e12,"maximum":9e14}`)},
		{"number", in(`{"type":"number"}`)},
		{"number-range", in(`{"type":"number","minimum":0,"maximum":1}`)},
		{"number-narrow", in(`{"type":"number","minimum":0.0011,"maximum":0.0012}`)},
		{"number-point", in(`{"type":"number","minimum":0.123456,"maximum":0.123456}`)},
		{"number-exclusive", in(`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.03}`)},
		{"number-below", in(`{"type":"number","maximum":-5.5}`)},
		{"number-multiple", in(`{"type":"number","multipleOf":0.25,"maximum":10}`)},
		{"number-untyped", in(`{"minimum":3}`)},
		{"string", in(`{"type":"string"}`)},
		{"string-lengths", in(`{"type":"string","minLength":12,"maxLength":14}`)},
		{"string-short", in(`{"type":"string","maxLength":1}`)},
		{"string-empty", in(`{"type":"string","maxLength":0}`)},
		{"pattern-anchored", in(`{"type":"string","pattern":"^[A-Z]{3}-[0-9]{2,4}$"}`)},
		{"pattern-money", in(`{"type":"string","pattern":"^[1-9][0-9]{0,6}\\.[0-9]{2}$"}`)},
		{"pattern-fraction", in(`{"type":"string","pattern":"^(0(\\.[0-9]{1,10})?|1(\\.0{1,10})?)$"}`)},
		{"pattern-open", in(`{"type":"string","pattern":"b+"}`)},
		{"pattern-alternatives", in(`{"type":"string","pattern":"^(red|green|(dark )?blue)$"}`)},
		{"pattern-classes", in(`{"type":"string","pattern":"^\\d+\\s\\w*[^a-z]\\S.\\D$"}`)},
		{"pattern-negated", in(`{"type":"string","pattern":"^[^\\x00-\\x7f]{2}$"}`)},
		{"pattern-lazy", in(`{"type":"string","pattern":"^a*?b+?c??(?:d|e){2,}$"}`)},
		{"pattern-case", in(`{"type":"string","pattern":"^(?i)yes$"}`)},
		{"pattern-word-ends", in(`{"type":"string","pattern":"\\bcat\\b"}`)},
		{"pattern-long", in(`{"type":"string","pattern":"^[a-f0-9]{64}$"}`)},
		{"pattern-longer", in(`{"type":"string","pattern":"^.{400}$"}`)},
		{"pattern-with-lengths", in(`{"type":"string","pattern":"^[ab]+$","minLength":3,"maxLength":4}`)},
		{"pattern-prefix-with-length", in(`{"type":"string","pattern":"^w_","minLength":8}`)},
		{"pattern-empty", in(`{"type":"string","pattern":""}`)},
		{"date", in(`{"type":"string","format":"date"}`)},
		{"date-time", in(`{"type":"string","format":"date-time"}`)},
		{"time", in(`{"type":"string","format":"time"}`)},
		{"duration", in(`{"type":"string","format":"duration"}`)},
		{"email", in(`{"type":"string","format":"email"}`)},
		{"uri", in(`{"type":"string","format":"uri"}`)},
		{"uuid", in(`{"type":"string","format":"uuid"}`)},
		{"hostname", in(`{"type":"string","format":"hostname"}`)},
		{"ipv4", in(`{"type":"string","format":"ipv4"}`)},
		{"ipv6", in(`{"type":"string","format":"ipv6"}`)},
		{"json-pointer", in(`{"type":"string","format":"json-pointer"}`)},
		{"array", in(`{"type":"array","items":{"type":"integer"}}`)},
		{"array-numbers", in(`{"type":"array","items":{"enum":["a"]},"minItems":2,"maxItems":3}`)},
		{"array-unique", in(`{"type":"array","items":{"enum":[1,2,3]},"minItems":3,"uniqueItems":true}`)},
		{"array-tuple", in(`{"type":"array","prefixItems":[{"const":1},{"const":"b"}],"items":false,"minItems":2}`)},
		{"array-tuple-more", in(`{"type":"array","prefixItems":[{"const":1}],"items":{"type":"null"},"minItems":3}`)},
		{"array-untyped", in(`{"items":{"type":"boolean"}}`)},
		{"array-many", in(`{"type":"array","items":{"type":"integer"},"minItems":900}`)},
		{"any-of", in(`{"anyOf":[{"type":"integer"},{"type":"string","maxLength":2}]}`)},
		{"one-of", in(`{"oneOf":[{"type":"integer","minimum":5},{"type":"null"}]}`)},
		{"any-of-demands", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"additionalProperties":false,"anyOf":[{"required":["a"]},{"required":["b"]}]}`},
		{"all-of", in(`{"allOf":[{"type":"integer","minimum":3},{"minimum":5},{"maximum":9,"type":"number"}]}`)},
		{"all-of-enums", in(`{"allOf":[{"enum":[1,2,3]},{"enum":[3,2,9]}]}`)},
		{"all-of-types", in(`{"allOf":[{"type":["integer","string","null"]},{"type":["number","boolean","null"]}]}`)},
		{"all-of-types-integer", in(`{"allOf":[{"type":"integer","minimum":1},{"type":"number","maximum":9}]}`)},
		{"all-of-lengths", in(`{"type":"string","allOf":[{"minLength":2,"maxLength":9},{"minLength":4,"maxLength":5}]}`)},
		{"all-of-objects", `{"allOf":[{"type":"object","properties":{"a":{"type":"integer","minimum":2}},"required":["a"]},{"properties":{"a":{"maximum":4},"b":{"type":"null"}},"required":["b"]}]}`},
		{"ref", `{"$defs":{"id":{"type":"string","pattern":"^w_[a-z0-9]{3}$"}},"type":"object","properties":{"x":{"$ref":"#/$defs/id"}},"required":["x"]}`},
		{"ref-escaped", `{"$defs":{"a/b~c":{"type":"integer"}},"type":"object","properties":{"x":{"$ref":"#/$defs/a~1b~0c"}},"required":["x"]}`},
		{"ref-in-list", `{"anyOf":[{"type":"object","required":["k"],"properties":{"k":{"$ref":"#/anyOf/0/properties/v"},"v":{"type":"null"}}}]}`},
		{"tree", `{"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["name","children"]}},"$ref":"#/$defs/node"}`},
		{"list", `{"$defs":{"list":{"anyOf":[{"type":"object","properties":{"next":{"$ref":"#/$defs/list"}},"required":["next"]},{"type":"null"}]}},"type":"object","properties":{"x":{"$ref":"#/$defs/list"}},"required":["x"]}`},
		{"bush", `{"$defs":{"b":{"anyOf":[{"type":"object","properties":{"l":{"$ref":"#/$defs/b"}},"required":["l"]},{"type":"object","properties":{"r":{"$ref":"#/$defs/b"}},"required":["r"]},{"type":"array","items":{"$ref":"#/$defs/b"},"minItems":1,"maxItems":1},{"type":"null"}]}},"type":"object","properties":{"x":{"$ref":"#/$defs/b"}},"required":["x"]}`},
		{"nested", in(`{"type":"object","properties":{"filters":{"type":"array","minItems":1,"items":{"type":"object","properties":{"field":{"enum":["a","b"]},"range":{"type":"object","properties":{"from":{"type":"string","format":"date"},"to":{"type":["string","null"]}},"required":["from"]}},"required":["field","range"]}}},"required":["filters"]}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			compiler := jsonschema.NewCompiler()
			compiler.AssertFormat()
			if err := compiler.AddResource("schema.json", parsed); err != nil {
				t.Fatal(err)
			}
			schema, err := compiler.Compile("schema.json")
			if err != nil {
				t.Fatal(err)
			}
			distinct := map[string]bool{}
			for seed := range int64(5) {
				for _, raw := range drawn(t, c.schema, seed, 20) {
					v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
					if err != nil {
						t.Fatalf("%s: %v", raw, err)
					}
					if err := schema.Validate(v); err != nil {
						t.Fatalf("%s: %v", raw, err)
					}
					distinct[string(raw)] = true
				}
			}
			if only := slices.Contains(single, c.name); only != (len(distinct) == 1) {
				t.Errorf("a hundred draws give %d values", len(distinct))
			}
		})
	}
}

// hostile are schemas that cannot be met, or that were written to do harm.
var hostile = []string{
	``, `{`, `null`, `[]`, `"x"`, `1`, `false`,
	`{"type":"string"}`, `{"type":[]}`, `{"type":7}`, `{"type":"thing"}`, `{"type":["",null]}`,
	in(`false`), in(`{"enum":[]}`), in(`{"enum":7}`), in(`{"anyOf":[]}`), in(`{"anyOf":[false]}`),
	in(`{"type":"integer","minimum":1e300}`), in(`{"type":"integer","minimum":-1e999}`), in(`{"type":"number","minimum":-1e308,"maximum":1e308}`),
	in(`{"type":"integer","minimum":5,"maximum":4}`), in(`{"type":"number","minimum":5,"maximum":4}`), in(`{"type":"integer","minimum":"3"}`),
	in(`{"type":"integer","multipleOf":0}`), in(`{"type":"integer","multipleOf":-2}`), in(`{"type":"number","multipleOf":1e-300}`), in(`{"type":"integer","multipleOf":1e300}`),
	in(`{"type":"integer","exclusiveMinimum":true,"minimum":3}`), in(`{"type":"number","exclusiveMinimum":9.9e16,"multipleOf":7}`),
	in(`{"type":"array","minItems":1e18}`), in(`{"type":"array","maxItems":-1}`), in(`{"type":"array","minItems":5,"maxItems":2,"items":{"type":"array","minItems":1e9}}`),
	in(`{"type":"array","minItems":900,"items":{"type":"array","minItems":900,"items":{"type":"array","minItems":900}}}`),
	in(`{"type":"array","uniqueItems":true,"minItems":9,"items":{"const":1}}`),
	in(`{"type":"string","maxLength":-5}`), in(`{"type":"string","minLength":1e18}`), in(`{"type":"string","minLength":9,"maxLength":2}`),
	in(`{"type":"string","pattern":"["}`), in(`{"type":"string","pattern":"^(?=x)$"}`), in(`{"type":"string","pattern":"[^\\x00-\\x{10FFFF}]"}`),
	in(`{"type":"string","pattern":"^(((((((((a*)*)*)*)*)*)*)*)*)*$"}`), in(`{"type":"string","pattern":"((((a{9}){9}){9}))"}`), in(`{"type":"string","pattern":"^(()*)*$"}`),
	in(`{"type":"string","pattern":"^a{1000}$","maxLength":3}`), in(`{"type":"string","pattern":"$^x"}`), in(`{"type":"string","pattern":"[\\x{D800}-\\x{DFFF}]"}`), in(`{"type":"string","pattern":"\\pL\\p{Han}"}`),
	in(`{"type":"string","format":"unheard-of"}`), in(`{"type":"string","format":7,"pattern":7}`),
	`{"$ref":"#"}`, `{"$ref":"#/$defs/none"}`, `{"$ref":"https://example.org/x"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
	`{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`, `{"anyOf":[{"$ref":"#"},{"$ref":"#"}],"allOf":[{"$ref":"#"}]}`, `{"allOf":7,"anyOf":{},"oneOf":[null]}`,
	`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]}`,
	`{"type":"object","required":["a","a",7,null],"properties":[]}`, `{"type":"object","minProperties":1e12}`, `{"type":"object","minProperties":3,"additionalProperties":false}`,
	`{"type":"object","maxProperties":0,"properties":{"a":{}},"required":["a"]}`, `{"type":"object","additionalProperties":{"$ref":"#"}}`,
	in(`{"const":` + strings.Repeat("[", 190) + strings.Repeat("]", 190) + `}`),
	strings.Repeat(`{"type":"object","required":["a"],"properties":{"a":`, 60) + `{"const":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}` + strings.Repeat(`}}`, 60),
	`{"a":1,"a":2}`, "{\"type\":\"object\",\"properties\":{\"\xff\":{}}}",
}

// Whatever the schema is, there are arguments: an object, in bounded time and size.
func TestHostileSchemas(t *testing.T) {
	for i, schema := range hostile {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for _, raw := range drawn(t, schema, int64(i), 3) {
				if v, err := sim.ParseJSON(raw); err != nil || len(raw) > 1<<20 {
					t.Errorf("%.80s: %d bytes, %v", schema, len(raw), err)
				} else if _, ok := v.(map[string]any); !ok {
					t.Errorf("%.80s: %.80s is no object", schema, raw)
				}
			}
		})
	}
}

func FuzzRandomSchema(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, int64(i))
	}
	f.Fuzz(func(t *testing.T, schema string, seed int64) {
		for _, raw := range drawn(t, schema, seed, 1) {
			if _, err := sim.ParseJSON(raw); err != nil {
				t.Errorf("%s: %v", raw, err)
			}
		}
	})
}

func TestRandomIsDeterministic(t *testing.T) {
	run := func(seed int64, id tasks.ID, trial int) string {
		m := agent.Random(tasks.PlainDialect{}, "json", tasks.Envelope{}, seed, id, trial)
		var b strings.Builder
		tools := []sim.Tool{{Name: "a", Schema: json.RawMessage(in(`{"type":"number"}`))}, {Name: "b", Schema: json.RawMessage(`{"type":"object","properties":{"k":{},"l":{},"m":{}}}`)}}
		for range 30 {
			r, _, err := m.Next(context.Background(), nil, tools)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(r.Text + "\n")
		}
		return b.String()
	}
	first := run(1, "a/b/c", 1)
	if again := run(1, "a/b/c", 1); again != first {
		t.Errorf("the same seed, task and trial differ:\n%s\n%s", first, again)
	}
	for name, other := range map[string]string{"seed": run(2, "a/b/c", 1), "task": run(1, "a/b/d", 1), "trial": run(1, "a/b/c", 2)} {
		if other == first {
			t.Errorf("another %s gives the same moves", name)
		}
	}
}

// Tools and the answer have the same chance each, in both protocols.
func TestRandomChoosesUniformly(t *testing.T) {
	for _, protocol := range []string{agent.ProtocolJSON, agent.ProtocolTools} {
		m := agent.Random(tasks.PlainDialect{}, protocol, tasks.Envelope{}, 1, "a/b/c", 1)
		tools := []sim.Tool{{Name: "a", Schema: json.RawMessage(`{}`)}, {Name: "b", Schema: json.RawMessage(`{}`)}, {Name: "c", Schema: json.RawMessage(`{}`)}}
		count := map[string]int{}
		const n = 8000
		for range n {
			r, _, err := m.Next(context.Background(), nil, tools)
			if err != nil {
				t.Fatal(err)
			}
			if protocol == agent.ProtocolTools {
				if len(r.Calls) == 1 {
					count[r.Calls[0].Name]++
				} else if r.Text != "" {
					count[""]++
				}
				continue
			}
			a, err := tasks.PlainDialect{}.Parse(tasks.Envelope{}, r.Text)
			if err != nil {
				t.Fatalf("it speaks %q: %v", r.Text, err)
			}
			if a.Answer != nil {
				count[""]++
			} else {
				count[a.Calls[0].Name]++
			}
		}
		for _, name := range []string{"", "a", "b", "c"} {
			if k := count[name]; k < n/4-150 || k > n/4+150 { // four standard deviations
				t.Errorf("%s: %q was chosen %d times of %d, want about %d", protocol, name, k, n, n/4)
			}
		}
	}
}

// described is a dialect that says what an answer looks like.
type described struct {
	tasks.PlainDialect
	schema string
}

func (d described) AnswerSchema(tasks.Envelope) json.RawMessage { return json.RawMessage(d.schema) }

func TestRandomAnswers(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		fits         func(any) bool
	}{
		{"described", `{"type":"integer","minimum":3,"maximum":4}`, func(v any) bool { return v == json.Number("3") || v == json.Number("4") }},
		{"undescribed", ``, func(v any) bool { s, ok := v.(string); return ok && len(s) >= 3 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := agent.Random(described{schema: c.schema}, "json", tasks.Envelope{}, 1, "a/b/c", 1)
			for range 20 {
				r, _, err := m.Next(context.Background(), nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				a, err := tasks.PlainDialect{}.Parse(tasks.Envelope{}, r.Text)
				if err != nil {
					t.Fatal(err)
				}
				if v, _ := sim.ParseJSON(a.Answer); !c.fits(v) {
					t.Errorf("answer %s", a.Answer)
				}
			}
		})
	}
}

// Random plays whole episodes in both protocols, and never badly formed ones.
func TestRandomPlays(t *testing.T) {
	for _, protocol := range []string{agent.ProtocolJSON, agent.ProtocolTools} {
		for trial := range 50 {
			m := agent.Random(tasks.PlainDialect{}, protocol, task().Envelope(), 1, task().ID, trial)
			ep := play(t, agent.Loop{Model: m, Dialect: tasks.PlainDialect{}}, task(), func(c *agent.Config) { c.Protocol = protocol })
			for _, e := range ep.Trace {
				if e.Result.Invalid {
					t.Errorf("%s: call %s %s is invalid", protocol, e.Call.Name, e.Call.Arguments)
				}
			}
			if ep.End.Code != "done" && ep.End.Code != "decision_limit_exceeded" {
				t.Errorf("%s: %s (%s)", protocol, ends(ep), ep.Reason)
			}
		}
	}
}
