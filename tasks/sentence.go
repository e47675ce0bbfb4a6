package tasks

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	messages "github.com/cucumber/messages/go/v34"
)

// A sentence is a step of a vocabulary, made ready for matching and for godog.
type sentence struct {
	Step
	text    string // the expression as people would say it: `a note "…" says "…"`
	words   []string
	prefix  string // every match starts with it
	last    reflect.Type
	numbers []reflect.Type // of the groups
	handler any            // what godog calls: func(context.Context, groups…) error
}

func newSentence(s Step) *sentence {
	t := reflect.TypeOf(s.Do)
	out := &sentence{Step: s}
	for i := 1; i < t.NumIn(); i++ {
		if in := t.In(i); in == tableType || in == textType {
			out.last = in
		} else {
			out.numbers = append(out.numbers, in)
		}
	}
	out.text, out.prefix = readable(s.Expr.String())
	out.words = strings.Fields(out.text)

	// godog hands over the groups as strings, so that a number out of range is our error, with
	// our words; the table or doc string is taken from the step itself.
	in := []reflect.Type{reflect.TypeFor[context.Context]()}
	for range out.numbers {
		in = append(in, reflect.TypeFor[string]())
	}
	ft := reflect.FuncOf(in, []reflect.Type{errorType}, false)
	none := []reflect.Value{reflect.Zero(errorType)}
	out.handler = reflect.MakeFunc(ft, func(args []reflect.Value) []reflect.Value {
		playing(args[0].Interface().(context.Context)).do(out, args[1:])
		return none // the error is noted; the steps that follow shall report as well
	}).Interface()
	return out
}

// takes says what the sentence needs below it.
func (s *sentence) takes() string {
	switch s.last {
	case tableType:
		return "a table"
	case textType:
		return "a doc string"
	}
	return ""
}

// number converts the text of group i.
func (s *sentence) number(i int, text string) (reflect.Value, error) {
	switch s.numbers[i].Kind() {
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return reflect.Value{}, fmt.Errorf("%s is not a whole number that fits", short(text))
		}
		return reflect.ValueOf(n).Convert(s.numbers[i]), nil
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return reflect.Value{}, fmt.Errorf("%s is not a number that fits", short(text))
		}
		return reflect.ValueOf(f).Convert(s.numbers[i]), nil
	}
	return reflect.ValueOf(text).Convert(s.numbers[i]), nil
}

// readable words an expression for people, and returns the literal text that it starts with.
func readable(expr string) (text, prefix string) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return expr, ""
	}
	var b strings.Builder
	literal := true
	var walk func(*syntax.Regexp)
	walk = func(re *syntax.Regexp) {
		if literal && re.Op != syntax.OpLiteral && re.Op != syntax.OpConcat && re.Op != syntax.OpBeginText {
			literal, prefix = false, b.String()
		}
		switch re.Op {
		case syntax.OpLiteral:
			if re.Flags&syntax.FoldCase != 0 && literal {
				literal, prefix = false, b.String()
			}
			b.WriteString(string(re.Rune))
		case syntax.OpConcat:
			for _, s := range re.Sub {
				walk(s)
			}
		case syntax.OpAlternate:
			walk(re.Sub[0])
		case syntax.OpQuest:
			walk(re.Sub[0])
		case syntax.OpCapture:
			if numeric(re.Sub[0]) {
				b.WriteString("N")
			} else {
				b.WriteString("…")
			}
		case syntax.OpPlus, syntax.OpStar, syntax.OpRepeat, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
			b.WriteString("…")
		}
	}
	walk(re)
	if literal {
		prefix = b.String()
	}
	return b.String(), prefix
}

// numeric reports whether a group is about digits.
func numeric(re *syntax.Regexp) bool {
	return re.Op == syntax.OpCharClass && len(re.Rune) == 2 && re.Rune[0] == '0' && re.Rune[1] == '9' || slices.ContainsFunc(re.Sub, numeric)
}

// A grammar is all sentences of a world.
type grammar struct {
	world     string
	sentences []*sentence
	memo      map[said]match
}

// said is what a step of a feature says.
type said struct {
	text string
	kind messages.PickleStepType
}

// A match is the one sentence that was meant, or what is wrong.
type match struct {
	sentence *sentence
	problem  string
}

func newGrammar(k *Kit) *grammar {
	g := &grammar{world: k.Kind.Name, memo: map[said]match{}}
	for _, s := range k.Vocabulary.Steps {
		g.sentences = append(g.sentences, newSentence(s))
	}
	return g
}

// find returns the sentence that a step says. It knows every reason why there is none, which
// godog, stopping at the first, would not tell.
func (g *grammar) find(text string, kind messages.PickleStepType) match {
	key := said{text, kind}
	m, ok := g.memo[key]
	if !ok {
		m = g.search(text, kind)
		g.memo[key] = m
	}
	return m
}

func (g *grammar) search(text string, kind messages.PickleStepType) match {
	var fit, other []*sentence
	for _, s := range g.sentences {
		if !strings.HasPrefix(text, s.prefix) || !s.Expr.MatchString(text) {
			continue
		}
		if k := keyword(kind); k == "" || s.Keyword == "" || s.Keyword == k {
			fit = append(fit, s)
		} else {
			other = append(other, s)
		}
	}
	switch {
	case len(fit) == 1:
		return match{sentence: fit[0]}
	case len(fit) > 1:
		return match{problem: fmt.Sprintf("ambiguous step `%s`: it could be `%s` or `%s`", cut(text, 200), fit[0].text, fit[1].text)}
	case len(other) > 0:
		return match{problem: fmt.Sprintf("`%s` is a %s step; here it is used as %s %s", other[0].text, other[0].Keyword, article(keyword(kind)), keyword(kind))}
	}
	return match{problem: fmt.Sprintf("undefined step `%s`: world %s knows no such sentence%s", cut(text, 200), g.world, g.nearest(text))}
}

func article(word string) string {
	if word == "" {
		return ""
	}
	return "a"
}

// keyword returns the kind of a step as vocabularies spell it; "" is any, as for '*'.
func keyword(kind messages.PickleStepType) string {
	switch kind {
	case messages.PickleStepType_CONTEXT:
		return "Given"
	case messages.PickleStepType_ACTION:
		return "When"
	case messages.PickleStepType_OUTCOME:
		return "Then"
	}
	return ""
}

// nearest suggests the sentences that share most words with what was said.
func (g *grammar) nearest(text string) string {
	type near struct {
		text  string
		share float64
	}
	words := strings.Fields(unquoted(text))
	var best []near
	for _, s := range g.sentences {
		left := slices.Clone(s.words)
		n := 0
		for _, w := range words {
			if i := slices.Index(left, w); i >= 0 {
				left = slices.Delete(left, i, i+1)
				n++
			}
		}
		if share := 2 * float64(n) / float64(len(words)+len(s.words)); share >= 0.4 {
			best = append(best, near{s.text, share})
		}
	}
	slices.SortFunc(best, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.share, a.share), strings.Compare(a.text, b.text))
	})
	best = slices.CompactFunc(best, func(a, b near) bool { return a.text == b.text })
	if len(best) == 0 {
		return ""
	}
	out := "; did you mean `" + best[0].text + "`"
	if len(best) > 1 {
		out += " or `" + best[1].text + "`"
	}
	return out + "?"
}

// unquoted replaces what is in quotes by "…", and numbers by N, as sentences show their groups.
func unquoted(text string) string {
	var b strings.Builder
	parts := strings.Split(text, `"`)
	for i, p := range parts {
		switch {
		case i%2 == 1 && i < len(parts)-1:
			b.WriteString(`"…"`)
		case i%2 == 1:
			b.WriteString(`"` + p)
		default:
			words := strings.Split(p, " ")
			for j, w := range words {
				if _, err := strconv.ParseFloat(w, 64); err == nil {
					words[j] = "N"
				}
			}
			b.WriteString(strings.Join(words, " "))
		}
	}
	return b.String()
}
