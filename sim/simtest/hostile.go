package simtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchwright/sim"
)

// hostileValues are JSON values that a tool does not expect for an argument.
var hostileValues = []string{
	`null`, `true`, `0`, `-0`, `-1`, `1e999999`, `0.1e-400`, `99999999999999999999999999999999999999`,
	`""`, `" "`, `"\u0000"`, `"\ud800"`, `"../../../../etc/passwd"`, `"$(id)"`, `"<b>&\u2028"`,
	`[]`, `{}`, `[[[]]]`, `{"a":{"b":null}}`,
	`"` + strings.Repeat("x", 1<<14) + `"`,
	strings.Repeat("[", 150) + strings.Repeat("]", 150),
}

// hostileArguments are arguments that are no object, or no JSON.
var hostileArguments = []string{
	``, ` `, `null`, `true`, `1`, `"x"`, `[]`, `{`, `}`, `{}`, `{}{}`, `{} x`, `{"a":1,"a":2}`, `{"":0}`, `{"\u0000":0}`,
	"\x00", "\xff\xfe", "{\"\xff\":\"\xff\"}", "\xef\xbb\xbf{}", `{"a":`, `NaN`, `{a:1}`, `{'a':1}`,
	strings.Repeat("[", 5_000),
	strings.Repeat(`{"a":`, 5_000),
	`{"a":"` + strings.Repeat("y", 1<<16) + `"}`,
}

var hostileNames = []string{
	"", " ", "no_such_tool", "\x00", "\xff\xfe", "../../etc/passwd", "a\nb", "\x1b[2J", strings.Repeat("n", 1<<14),
}

// checkHostileCalls sends whatever an agent might, and sees to it that the world survives.
func (k *checker) checkHostileCalls() {
	w := k.open()
	if w == nil {
		return
	}
	defer k.close(w)
	tools := k.list(w)
	for _, name := range hostileNames {
		if slices.ContainsFunc(tools, func(t sim.Tool) bool { return t.Name == name }) {
			continue
		}
		for _, args := range []json.RawMessage{nil, json.RawMessage(`{}`), json.RawMessage("\xff")} {
			c := sim.Call{Name: name, Arguments: args}
			if r := k.hostile(w, c); r.OK() {
				k.broken(callUnknown, "call %s is ok", short(name))
			}
		}
	}
	for _, t := range tools {
		k.hostile(w, sim.Call{Name: t.Name})
		for _, args := range hostileArguments {
			k.hostile(w, sim.Call{Name: t.Name, Arguments: json.RawMessage(args)})
		}
		names := properties(t.Schema)
		for _, v := range hostileValues {
			var b strings.Builder
			for i, name := range names {
				key, err := json.Marshal(name)
				if err != nil { // strings always encode
					continue
				}
				fmt.Fprintf(&b, "%s%s:%s", map[bool]string{true: ","}[i > 0], key, v)
			}
			k.hostile(w, sim.Call{Name: t.Name, Arguments: json.RawMessage("{" + b.String() + "}")})
		}
	}
	k.state(w)
}

func (k *checker) hostile(w sim.World, c sim.Call) sim.Result {
	r := k.call(k.ctx, w, c)
	if r.Fault != "" {
		k.broken(callNoFault, "call %s(%s): %s", short(c.Name), short(string(c.Arguments)), short(r.Fault))
	}
	return r
}

// checkHostileSetup builds worlds from setups that are none.
func (k *checker) checkHostileSetup() {
	setups := append([]string{`{"no_such_key":1}`}, hostileArguments...)
	for _, setup := range setups {
		env := sim.Env{Seed: 1}
		if k.c.Env != nil {
			env = k.c.Env()
		}
		k.safely(newHostile, "New("+short(setup)+")", func() {
			w, err := k.kind.New(k.ctx, env, json.RawMessage(setup), k.c.Tools)
			if err == nil && w == nil {
				k.broken(newHostile, "setup %s: neither a world nor an error", short(setup))
			}
			if err == nil && w != nil {
				k.close(w)
			}
		})
	}
}
