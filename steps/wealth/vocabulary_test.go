package wealth

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	rules "benchwright/grader/wealth"
	"benchwright/sim"
	"benchwright/tasks"
)

// feature is a complete task; tests replace a piece of it.
const feature = `@suite:s @world:wealth
Feature: F
  Scenario: One
    Given the assistant serves household "H-A" on 2026-09-01
    And it works from the records "base-2026-09"
    And it may use percent_of, future_value and read_portfolio
    When the customer asks in en:
      """
      I have 25 lakh.
      """
    And "25 lakh" means 2500000
    Then a final decision is given
    And the outcome is answer under holdings_fact
    And the claims are exactly:
      | claim | value | unit    | subject | as of      | source      |
      | share | 50.00 | percent | H-A     | 2026-08-31 | calc-pct-v1 |
    And the evidence is exactly calc-pct-v1
    And no input is reported missing
    And the calls are exactly:
      | tool       | arguments       | status |
      | percent_of | part 1, whole 2 | ok     |
    And nothing is written
    And a reference solution is:
      """
      call percent_of: part 1.00, whole 2
      decide answer under holdings_fact
      claim share: 50.00 percent of H-A as of 2026-08-31 from calc-pct-v1
      cite calc-pct-v1
      """
    And these near misses fail:
      | near miss | differs by             | fails with        |
      | off       | claim share value 51.0 | wrong_value:share |
`

func compile(text string) (*tasks.Compiled, error) {
	return tasks.Compile(tasks.Suite{Features: fstest.MapFS{"f.feature": {Data: []byte(text)}}, Kits: []tasks.Kit{Kit()}})
}

func TestAFeatureBecomesATask(t *testing.T) {
	c, err := compile(feature)
	if err != nil {
		t.Fatal(err)
	}
	got := c.Tasks[0]
	for _, tt := range []struct {
		name      string
		got, want any
	}{
		{"tools", got.Tools, []string{"future_value", "percent_of", "read_portfolio"}},
		{"setup", string(got.Setup), `{"fixture":"base-2026-09","household":"H-A","today":"2026-09-01"}`},
		{"context", string(got.Asks[0].Context), `{"context":{"household_id":"H-A","today":"2026-09-01"},"language":"en"}`},
		{"stated", got.Rubric.Stated, map[string]string{"2500000": "25 lakh"}},
		{"limits", got.Limits, tasks.Limits{Turns: Decisions, Wall: tasks.Duration(Deadline), OutputTokens: OutputTokens}},
		{"trace", string(sim.MustCanonical(got.Rubric.Checks[5].Rule)), `{"accepted_traces":[[{"arguments":{"part":"1","whole":"2"},"name":"percent_of","status":"ok"}]]}`},
		{"reference-call", string(got.Rubric.Reference[0].Calls[0].Arguments), `{"part":"1.00","whole":"2"}`},
		{"reference-answer", string(got.Rubric.Reference[1].Answer), `{"claims":{"share":{"as_of":"2026-08-31","source":"calc-pct-v1","subject":"H-A","unit":"percent","value":"50.00"}},"evidence_ids":["calc-pct-v1"],"outcome":"answer","policy_code":"holdings_fact"}`},
		{"probe", got.Rubric.Probes[0].Codes, []string{"wrong_value:share"}},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestMistakesInFeaturesAreNamed(t *testing.T) {
	dropped := func(line string) string { return line + "\n" }
	for _, tt := range []struct {
		name, old, new string
		want           string // in the error, after file and line
		reason         string
	}{
		{"unknown-household", `"H-A" on`, `"H-Z" on`, `no household "H-Z"; there are H-A, H-B`, "the fixture decides who exists"},
		{"unknown-records", `"base-2026-09"`, `"base"`, `unknown fixture "base"; there are base-2026-09`, "the valid names are told"},
		{"bad-date", `on 2026-09-01`, `on 1-9-26`, `want a date like 2006-01-02`, "dates have one spelling"},
		{"unknown-tool", `percent_of, future`, `percentof, future`, `unknown tool "percentof"; did you mean "percent_of"?`, "the nearest is told"},
		{"writing-tool", `percent_of, future`, `place_order, future`, `tool "place_order" writes`, "no scope may hold it"},
		{"tool-twice", `percent_of, future_value`, `percent_of, percent_of`, `tool "percent_of" is named twice`, "a slip"},
		{"unknown-language", `asks in en`, `asks in english`, `unknown language "english"; did you mean "hinglish"?`, "labels and contexts use these"},
		{"wrong-script", `asks in en`, `asks in hi`, `a request in hi has Devanagari letters`, "the row got the wrong text"},
		{"not-nfc", `I have 25 lakh.`, "I have 25 lakh at the cafe\u0301.", `NFC`, "equal texts have equal bytes"},
		{"words-not-said", `"25 lakh" means`, `"25 crore" means`, `the request does not say "25 crore"`, "nothing is stated that was not said"},
		{"unknown-outcome", `outcome is answer`, `outcome is anwser`, `unknown outcome "anwser"; did you mean "answer"?`, "the nearest is told"},
		{"policy-of-another", `is answer under holdings_fact`, `is answer under stale_evidence`, `unknown policy of answer "stale_evidence"`, "a policy belongs to its outcome"},
		{"no-decimal", `| share | 50.00`, `| share | 5e1`, `value "5e1": want a plain decimal`, "never through a float"},
		{"bad-as-of", `H-A     | 2026-08-31`, `H-A     | yesterday`, `as of "yesterday": want a date`, "dates have one spelling"},
		{"column", `| as of `, `| date  `, `unknown column "date"`, "columns are strict"},
		{"unknown-status", `part 1, whole 2 | ok`, `part 1, whole 2 | fine`, `unknown status "fine"; there are denied, error, invalid, ok`, "the world has four"},
		{"argument-form", `| part 1, whole 2 |`, `| part, whole 2 |`, `argument "part" of percent_of: want "name value"`, "the form is told"},
		{"said-twice", "    And nothing is written\n", "    And nothing is written\n    And nothing is written\n", `has already said`, "two truths about one part"},
		{"part-unsaid", dropped("    And nothing is written"), "", `nothing is said about writes`, "a decision is graded in every part"},
		{"no-reference-line", "      decide answer under holdings_fact\n", "", `the solution decides nothing`, "a reference has a decision"},
		{"reference-line", `cite calc-pct-v1`, `site calc-pct-v1`, `"site calc-pct-v1" is nothing that a solution does`, "the notation is strict"},
		{"claim-form", `percent of H-A as of`, `percent for H-A as of`, `want "VALUE UNIT of SUBJECT as of DATE from SOURCE"`, "the form is told"},
		{"no-change", `claim share value 51.0`, `claim share value 50.00`, `"claim share value 50.00" changes nothing`, "a near miss that is the reference proves nothing"},
		{"no-such-call", `claim share value 51.0`, `call 2 with part 1`, `there is no call 2; there are 1`, "calls are counted"},
		{"no-such-argument", `claim share value 51.0`, `call 1 with prat 3`, `unknown argument of percent_of "prat"; did you mean "part"?`, "a typing error would be another near miss"},
		{"no-such-claim", `claim share value 51.0`, `claim shares value 51.0`, `unknown claim "shares"; did you mean "share"?`, "a typing error would be another near miss"},
		{"no-such-form", `claim share value 51.0`, `reply in a fence`, `unknown form of a reply "in a fence"`, "forms are a closed set"},
		{"impossible-code", `| wrong_value:share |`, `| wrong_value:shore |`, `unknown code "wrong_value:shore"; did you mean "wrong_value:share"?`, "no check can raise it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(feature, tt.old) {
				t.Fatalf("the feature does not say %q", tt.old)
			}
			_, err := compile(strings.Replace(feature, tt.old, tt.new, 1))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "f.feature:") {
				t.Errorf("want an error with place and %q, since %s; got\n%v", tt.want, tt.reason, err)
			}
		})
	}
}

func TestFacts(t *testing.T) {
	for _, tt := range []struct {
		request      string
		ids, numbers []string
	}{
		{"Put ₹25 lakh at 6% a year; 5 years. Call it scenario-A.", []string{"scenario-A"}, []string{"25lakh", "5", "6%"}},
		{"25 लाख रुपये, 6 %, 5 साल, scenario-A, scenario-A", []string{"scenario-A"}, []string{"25lakh", "5", "6%"}},
		{"H-A holds 350 of IDX50, worth 12,000", []string{"H-A", "IDX50"}, []string{"12000", "350"}},
		{"nothing", nil, nil},
	} {
		ids, numbers := Facts(tt.request)
		if !slices.Equal(ids, tt.ids) || !slices.Equal(numbers, tt.numbers) {
			t.Errorf("%q: ids %q, numbers %q", tt.request, ids, numbers)
		}
	}
}

func TestLintLanguages(t *testing.T) {
	task := func(family, language, text string) tasks.Task {
		return tasks.Task{ID: tasks.ID("s/" + family + "/t_" + language), World: "wealth", Labels: []string{"lang:" + language}, Asks: []tasks.Ask{{Text: text}}}
	}
	got := LintLanguages([]tasks.Task{
		task("good", "en", "₹3 lakh at H-A"), task("good", "hi", "H-A: 3 लाख"), task("good", "hinglish", "H-A ke 3 lakh"),
		task("numbers", "en", "6%"), task("numbers", "hi", "6"), task("numbers", "hinglish", "6%"),
		task("ids", "en", "H-A"), task("ids", "hi", "H-A"), task("ids", "hinglish", "H-B"),
		task("few", "en", "1"), task("few", "hi", "1"),
		task("twice", "en", "1"), task("twice", "en", "1"), task("twice", "hi", "1"), task("twice", "hinglish", "1"),
	})
	for i, want := range []string{"two tasks in en", "s/few: want the languages en, hi, hinglish, got en, hi", `names ["H-B"]; in en it is ["H-A"]`, `says the numbers ["6"]; in en they are ["6%"]`} {
		if i >= len(got) || !strings.Contains(got[i], want) {
			t.Fatalf("want %q at %d of\n%s", want, i, strings.Join(got, "\n"))
		}
	}
	if len(got) != 4 {
		t.Errorf("%d problems:\n%s", len(got), strings.Join(got, "\n"))
	}
}

func TestSourcesNameWhatIsHidden(t *testing.T) {
	c, err := compile(feature)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Kit().Sources(c.Tasks[0])
	if err != nil || !slices.Contains(s.Hidden, "1875000.00") || len(s.Calls) == 0 || len(s.Digest) != 64 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := Kit().Sources(tasks.Task{Setup: json.RawMessage(`{}`)}); err == nil {
		t.Error("a setup that is none has no sources")
	}
}

func TestEveryRuleHasWordsForItsPart(t *testing.T) {
	for name := range rules.Rules() {
		if parts[name] == "" {
			t.Errorf("parts lacks %s", name)
		}
	}
}

// FuzzNotation reads any line as part of a solution: an error or a solution that can be said.
func FuzzNotation(f *testing.F) {
	for _, s := range []string{"call x: a 1, b 2", "call x: {\"a\":[1]}", "claim c: 1 INR of H as of 2026-01-01 from s", "call 1 with a number 1e9", "also say {\"a\":{}}", "reply cut short", "first call years: years 5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s, err := solution{}.edit([]string{"call percent_of: part 1, whole 2", "decide answer under holdings_fact", line})
		if err != nil {
			return
		}
		moves, err := s.moves()
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		for _, m := range moves {
			if _, err := (Dialect{}).Reply(m); err != nil && !strings.Contains(err.Error(), "want a JSON object") {
				t.Errorf("%q cannot be said: %v", line, err)
			}
		}
	})
}

func TestModelsAreToldEveryOutcomeAndPolicy(t *testing.T) {
	for outcome, codes := range policies {
		_, section, ok := strings.Cut(Rules, "\n- "+outcome+": ")
		section, _, _ = strings.Cut(section, "\n- ")
		if !ok {
			t.Errorf("the rules do not name outcome %s", outcome)
		}
		for _, c := range codes {
			if !strings.Contains(section, "\n  - "+c+": ") {
				t.Errorf("the rules do not name policy %s below outcome %s", c, outcome)
			}
		}
		if n := strings.Count(section, "\n  - "); n != len(codes) {
			t.Errorf("the rules name %d policies of outcome %s, the steps know %d", n, outcome, len(codes))
		}
	}
}
