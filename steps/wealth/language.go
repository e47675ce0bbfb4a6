package wealth

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"benchwright/sim"
	world "benchwright/sim/wealth"
	"benchwright/tasks"
)

// Languages are the languages that a request may be written in.
var Languages = []string{"en", "hi", "hinglish"}

// askContext is what comes with a request: its language, the caller and the date.
func askContext(language string, s world.Setup) (json.RawMessage, error) {
	var c AskContext
	c.Language = language
	c.Context.Household, c.Context.Today = s.Household, s.Today
	return sim.Canonical(c)
}

// lintRequest reports an unknown language, and a text that is not in NFC or not in the script
// of its language.
func lintRequest(language, text string) error {
	if !slices.Contains(Languages, language) {
		return tasks.Unknown("language", language, Languages)
	}
	if !norm.NFC.IsNormalString(text) {
		return fmt.Errorf("the request is not in Unicode normal form NFC")
	}
	devanagari := strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Devanagari, r) })
	if want := language == "hi"; devanagari != want {
		if want {
			return fmt.Errorf("a request in hi has Devanagari letters; this one has none")
		}
		return fmt.Errorf("a request in %s has no Devanagari letters; this one has", language)
	}
	return nil
}

var (
	idPattern     = regexp.MustCompile(`\b(?:H-[A-Z]|IDX[0-9]+|scenario-[A-Z])\b`)
	numberPattern = regexp.MustCompile(`[0-9][0-9,]*(?:\.[0-9]+)?(?:\s*(?:%|lakh\b|लाख))?`)
)

// Facts returns what a request says that must be the same in every language: the ids, each
// once, and the numbers with their per cent sign or lakh, as often as they occur, both sorted.
// The rupee sign stands before a number in one language and a word after it in another, so it
// is no part of the fact.
func Facts(request string) (ids, numbers []string) {
	seen := map[string]bool{}
	for _, id := range idPattern.FindAllString(request, -1) {
		seen[id] = true
	}
	rest := idPattern.ReplaceAllString(request, " ")
	for _, n := range numberPattern.FindAllString(rest, -1) {
		n = strings.ReplaceAll(strings.Join(strings.Fields(n), ""), "लाख", "lakh")
		numbers = append(numbers, strings.ReplaceAll(n, ",", ""))
	}
	slices.Sort(numbers)
	return slices.Sorted(maps.Keys(seen)), numbers
}

// LintLanguages compares the requests of every family of the wealth world across languages.
// Each family needs every one of [Languages] once, with the same facts. It returns one sentence
// for each problem, in the order of the families.
func LintLanguages(all []tasks.Task) []string {
	families := map[string]map[string]tasks.Task{}
	var problems []string
	for _, t := range all {
		language, ok := t.Label("lang")
		if t.World != world.Kind.Name || !ok || len(t.Asks) == 0 {
			continue
		}
		f := t.ID.Suite() + "/" + t.ID.Family()
		if families[f] == nil {
			families[f] = map[string]tasks.Task{}
		}
		if _, dup := families[f][language]; dup {
			problems = append(problems, fmt.Sprintf("%s: %s: the family has two tasks in %s", t.Source, t.ID, language))
		}
		families[f][language] = t
	}
	for _, f := range slices.Sorted(maps.Keys(families)) {
		variants := families[f]
		if got := slices.Sorted(maps.Keys(variants)); !slices.Equal(got, Languages) {
			problems = append(problems, fmt.Sprintf("%s: want the languages %s, got %s", f, strings.Join(Languages, ", "), strings.Join(got, ", ")))
			continue
		}
		ids, numbers := Facts(variants[Languages[0]].Asks[0].Text)
		for _, l := range Languages[1:] {
			t := variants[l]
			i, n := Facts(t.Asks[0].Text)
			if !slices.Equal(ids, i) {
				problems = append(problems, fmt.Sprintf("%s: %s names %q; in %s it is %q", t.Source, t.ID, i, Languages[0], ids))
			}
			if !slices.Equal(numbers, n) {
				problems = append(problems, fmt.Sprintf("%s: %s says the numbers %q; in %s they are %q", t.Source, t.ID, n, Languages[0], numbers))
			}
		}
	}
	return problems
}
