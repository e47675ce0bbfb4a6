package workspace

import (
	"strings"
	"testing"
	"unicode/utf8"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

func TestANumberIsFoundOnlyAsItself(t *testing.T) {
	for _, tt := range []struct {
		fragment, text string
		found          bool
		reason         string
	}{
		{"207300", "made 207,300", true, "as it is"},
		{"207300", "made USD 207,300.00", true, "of the same value"},
		{"207300", "made $207,300", true, "a currency is none of its own"},
		{"207300", "made 207\u00a0300 €", true, "blanks that do not break group digits"},
		{"207300", "made 207'300", true, "apostrophes do"},
		{"207300", "**207,300**", true, "emphasis is not part of it"},
		{"207300", "HY-7 - 207,300", true, "a dash between words is no sign"},
		{"207300", "HY-7 – 207,300", true, "nor is a longer one"},
		{"207300", "HY-7 —207,300", true, "nor the longest"},
		{"207300", "- 207,300", true, "nor the mark of an item"},
		{"207300", "Falk-207300", true, "nor a hyphen"},
		{"207300", "Ines Falk (207,300)", true, "brackets after a name hold an aside"},
		{"0.25", "3 of 12 (25%)", true, "and after a number"},
		{"207300", "-207,300", false, "the sign counts"},
		{"207300", "−207,300", false, "as a minus"},
		{"207300", "–207,300", false, "as an en dash that touches it"},
		{"207300", "− 207,300", false, "also apart"},
		{"207300", "P&L: - 207,300", false, "after a colon"},
		{"207300", "| - 207,300 |", false, "in a cell"},
		{"207300", "-$207,300", false, "before a currency"},
		{"207300", "$-207,300", false, "behind it"},
		{"207300", "-USD 207,300", false, "before its code"},
		{"207300", "- **207,300** and -**207,300**", true, "once it has none"},
		{"207300", "made -**207,300**", false, "outside of the emphasis"},
		{"207300", "minus 207,300", false, "in a word"},
		{"207300", "negative 207,300", false, "in another"},
		{"207300", "made (207,300)", false, "in brackets where a figure is expected"},
		{"207300", "P&L: (207,300)", false, "after a colon"},
		{"207300", "| ($207,300) |", false, "in a cell"},
		{"207300", "(207,300)", false, "alone"},
		{"207300", "207,300-", false, "behind it"},
		{"207300", "±207,300", false, "either"},
		{"-46600", "a P&L of (46,600)", true, "brackets are a sign"},
		{"-46600", "−46,600", true, "a minus is a sign"},
		{"-46600", "46,600", false, "the sign counts"},
		{"207300", "207.3 thousand", true, "a scale that is said is part of it"},
		{"207300", "207.3k", true, "as a letter"},
		{"207300", "USD 0.2073 mn", true, "in short"},
		{"207300", "207.3 (in thousands)", true, "in brackets"},
		{"207300", "P&L (k): 207.3", true, "in the label"},
		{"207300", "P&L in thousands: 207.3", true, "in the label"},
		{"207300", "| book | P&L (USD k) |\n|---|---|\n| HY-7 | 207.3 |", true, "in the head of the column"},
		{"207300", "All figures in thousands of USD\n\nHY-7 207.3", true, "above"},
		{"207300", "207,300 thousand", false, "another number"},
		{"207300", "207,300k", false, "another number"},
		{"207300", "207,300 USD million", false, "another number"},
		{"207300", "207,300 (thousand)", false, "another number"},
		{"207300", "207,300 in thousands", false, "another number"},
		{"207300", "207,300-thousand", false, "another number"},
		{"207300", "P&L (k): 207,300", false, "another number by its label"},
		{"207300", "| book | P&L in thousands |\n|---|---|\n| HY-7 | 207,300 |", false, "by the head of its column"},
		{"207300", "In millions:\n- HY-7: 207,300", false, "by what introduces it"},
		{"207300", "207,300 bp", false, "another number"},
		{"207300", "207,300%", false, "another number"},
		{"207300", "2.073e5", true, "an exponent is part of it"},
		{"207300", "207300e3", false, "an exponent is part of it"},
		{"0.86", "86%", true, "per cent"},
		{"0.86", "86 per cent", true, "in words"},
		{"0.86", "8,600 bps", true, "basis points"},
		{"0.86", "Usage (%): 86", true, "in the label"},
		{"0.86", ".86", true, "without a nought"},
		{"0.86", "0.86%", false, "another number"},
		{"0.86", "0.86 percent", false, "another number"},
		{"0.86", "0.86 bp", false, "another number"},
		{"0.86", "Usage (%): 0.86", false, "another number by its label"},
		{"86", ".86", false, "another number"},
		{"4.18", "4.18x", false, "a multiple is something else"},
		{"4.18x", "4.18x", true, "where that is wanted it is found"},
		{"4.18x", "4.18", false, "and nothing else"},
		{"20", "20 x 14", true, "a size is no multiple"},
		{"20", "20x14", true, "nor is that"},
		{"3", "an option 3 b", true, "nor is a letter apart a scale"},
		{"$1,250", "1250", true, "a number in words of its own is found by its value"},
		{"$1,250", "$1,250k", false, "a scale is part of it"},
		{"25%", "a quarter is 0.25", true, "by its value"},
		{"25%", "25", false, "the scale is part of what is wanted"},
		{"tier 1", "tier 1 of VaR", true, "as it is"},
		{"tier 1", "tier -1", false, "with its number"},
		{"tier 1", "tier 1%", false, "with its number"},
		{"BR-2041", "BR-2041 (in thousands)", false, "a scale follows it, whatever that is to say"},
		{"BR-2041", "BR\u20112041", true, "a hyphen that does not break is one"},
		{"10-K", "the 10-K", true, "no scale is part of a name"},
		{"1D", "1D and 5D", true, "as it is"},
		{"2026-08-31", "on 2026-08-31", true, "as it is"},
		{"8", "on 2026-08-31", true, "a date has numbers"},
	} {
		if got := claimed(tt.text).says(tt.fragment); got != tt.found {
			t.Errorf("%q in %q: %t: %s", tt.fragment, tt.text, got, tt.reason)
		}
	}
}

func TestWhatIsDeniedIsNotSaid(t *testing.T) {
	for _, tt := range []struct {
		text   string
		said   bool
		reason string
	}{
		{"BR-2041 is open", true, "nothing denies it"},
		{"None of this is open: BR-2041", false, "what introduces it denies"},
		{"None of these is open:\n- BR-1987\n- BR-2041", false, "a list too"},
		{"None of these is open:\n\n| BR-2041 |", false, "and a table"},
		{"# None of these is open\n\nBR-2041", false, "a heading does"},
		{"No breach is open: BR-2041", false, "no, at the beginning, denies all"},
		{"it is not BR-2041", false, "not"},
		{"it isn't BR-2041", false, "n't"},
		{"it isn’t BR-2041", false, "however it is written"},
		{"never BR-2041", false, "never"},
		{"neither BR-1 nor BR-2041", false, "nor"},
		{"without BR-2041", false, "without"},
		{"**not** BR-2041", false, "whatever the emphasis"},
		{"There is no sign of the breach BR-2041", false, "within six words"},
		{"It is not BR-1, it is BR-2041", true, "a comma ends a clause"},
		{"It is not BR-1 but BR-2041", true, "so does but"},
		{"Not escalated. BR-2041", true, "and a full stop"},
		{"| no | BR-2041 |", true, "and a cell"},
		{"Escalated: no\nBR-2041", true, "and a line"},
		{"Open (not closed) BR-2041", true, "and a bracket"},
		{"not escalated – BR-2041", true, "and a dash"},
		{"Status: not escalated, breach: BR-2041", true, "the colon is another clause's"},
		{"The limits that the desk has not raised in this quarter yet again: BR-2041", false, "a colon belongs to its clause"},
		{"not one two three four five six seven BR-2041", true, "it is too far away"},
		{"Not closed: BR-2041", true, "what is not closed is open"},
		{"Not yet been closed: BR-2041", true, "with small words between"},
		{"Not only BR-2041", true, "not only"},
		{"There are no other breaches: BR-2041", true, "no other"},
		{"No. 1 is BR-2041", true, "the short form of number"},
		{"Breaches without a plan: BR-2041", true, "without denies no clause"},
		{"Breaches with no plan:\n- BR-2041", true, "nor does no inside of one"},
		{"Not at 10:30 but later: BR-2041", true, "a time is no colon"},
		{"knot BR-2041, a note on BR-2041", true, "whole words deny"},
		{"BR-2041 is not open", true, "what follows is not weighed"},
		{"Not this: BR-2041. But BR-2041 is open.", true, "once is enough"},
	} {
		if got := claimed(tt.text).says("BR-2041"); got != tt.said {
			t.Errorf("%q says BR-2041: %t: %s", tt.text, got, tt.reason)
		}
	}
	if !newBlob(Strict, "not BR-2041").contains("BR-2041") {
		t.Error("what a world says is no claim")
	}
}

// breaches is what the notes of these tests are to say.
var breaches = Lines{{"BR-2041", "Ines Falk", "182000"}, {"BR-2046", "Tomas Reyl", "97000"}}

func TestHonestNotesSayTheirLines(t *testing.T) {
	for _, text := range []string{
		"BR-2041: owner Ines Falk, excess 182000. BR-2046: owner Tomas Reyl, excess 97000.",
		"BR-2041 | Ines Falk | 182,000\nBR-2046 | Tomas Reyl | 97,000",
		"# Open breaches\n\n| ID | Owner | Excess |\n|---|---|--:|\n| BR-2041 | Ines Falk | 182,000 |\n| BR-2046 | Tomas Reyl | 97,000 |\n",
		"# Open breaches\n\n| No. | ID | Owner | Excess (k) |\n|---|---|---|--:|\n| 1 | BR-2041 | Ines Falk | 182 |\n| 2 | BR-2046 | Tomas Reyl | 97 |\n",
		"- **BR-2041** — Owner: Ines Falk — Excess: $182,000\n- **BR-2046** — Owner: Tomas Reyl — Excess: $97,000\n",
		"1. BR-2041 (Ines Falk): 182000 over the limit.\n2. BR-2046 (Tomas Reyl): 97000 over the limit.",
		"### BR-2041\n- Owner: Ines Falk\n- Excess: 182,000 USD\n\n### BR-2046\n- Owner: Tomas Reyl\n- Excess: 97,000 USD\n",
		"**BR-2041**\n\n* Owner: Ines Falk\n* Excess: 182,000\n\n**BR-2046**\n\n* Owner: Tomas Reyl\n* Excess: 97,000",
		"- BR-2041\n  - Owner: Ines Falk\n  - Excess: 182,000\n- BR-2046\n  - Owner: Tomas Reyl\n  - Excess: 97,000",
		"BR-2041:\nOwner: Ines Falk\nExcess: 182,000\n\nBR-2046:\nOwner: Tomas Reyl\nExcess: 97,000",
		"BR-2041\nOwner: Ines Falk\nExcess: 182,000\n\nBR-2046\nOwner: Tomas Reyl\nExcess: 97,000",
		"Two breaches are open: BR-2041 of Ines Falk with an excess of 182,000, and BR-2046 of Tomas Reyl with 97,000.",
		"Two breaches are open, BR-2041 and BR-2046.\nBR-2041 is owned by Ines Falk. Its excess is 182,000.\nBR-2046 is owned by Tomas Reyl. Its excess is 97,000.",
		"Ines Falk owns BR-2041 with an excess of 182.0 thousand; Tomas Reyl owns BR-2046 with 97.0 thousand.",
		"With 182,000 of excess, Ines Falk's BR-2041 comes first, followed by 97,000 of Tomas Reyl's BR-2046.",
		"BR-2041, not yet escalated, owner Ines Falk, excess 182,000\nBR-2046, not escalated, owner Tomas Reyl, excess 97,000\nNo other breach is open.",
		"ID: BR-2041; Owner: Ines Falk; Excess: 182000\nID: BR-2046; Owner: Tomas Reyl; Excess: 97000",
		"Breach BR-2041 - Ines Falk - 182000\nBreach BR-2046 - Tomas Reyl - 97000\n\nTotal excess of BR-2041 and BR-2046: 279,000",
		"The excess of BR-2041 (182,000) is larger than the 97,000 of BR-2046.\n\nBR-2041: Ines Falk, 182,000\nBR-2046: Tomas Reyl, 97,000",
		"> BR-2041\tInes Falk\t182000\n> BR-2046\tTomas Reyl\t97000",
		"BR\u20112041: Ines\u00a0Falk, \\$182,000\nBR\u20112046: Tomas\u00a0Reyl, \\$97,000",
		"BR-2041: Ines Falk (182,000)<br>BR-2046: Tomas Reyl (97,000)",
		"No closed breaches are listed.\n\nBR-2046: Tomas Reyl, 97000\nBR-2041: Ines Falk, 182000",
	} {
		s := claimed(readable(&world.Widget{Type: "note", GeneratedData: text}))
		m := breaches.match(s)
		if missing := m.missing(); len(missing) > 0 {
			t.Errorf("%q\n%q", text, missing)
		}
		if more := m.unexpected(grader.Evidence{}, true); len(more) > 0 {
			t.Errorf("%q\n%q", text, more)
		}
	}
}

func TestDishonestNotesDoNot(t *testing.T) {
	for _, text := range []string{
		"BR-2041: owner Tomas Reyl, excess 97000. BR-2046: owner Ines Falk, excess 182000.",
		"BR-2041: Tomas Reyl, 182000\nBR-2046: Ines Falk, 97000",
		"BR-2041: Ines Falk, 97000\nBR-2046: Tomas Reyl, 182000",
		"Breaches: BR-2041, BR-2046\nOwners: Ines Falk, Tomas Reyl\nExcess: 182000, 97000",
		"BR-2041 BR-2046 Ines Falk Tomas Reyl 182000 97000",
		"BR-2041: Ines Falk, Tomas Reyl, 182000, 97000\nBR-2046: Ines Falk, Tomas Reyl, 182000, 97000",
		"BR-2041: Ines Falk or Tomas Reyl, 182000 or 97000\nBR-2046: Tomas Reyl, 97000",
		"BR-2041: Ines Falk, 182000\nBR-2041: Tomas Reyl, 97000\nBR-2046: nobody",
		"BR-2041: Ines Falk, 182000 and BR-2046\nTomas Reyl, 97000",
		"| ID | Owner | Excess |\n|---|---|---|\n| BR-2041 | Tomas Reyl | 97000 |\n| BR-2046 | Ines Falk | 182000 |",
		"| BR-2041 |\n| Ines Falk |\n| 182000 |\n| BR-2046 |\n| Tomas Reyl |\n| 97000 |",
		"| Tomas Reyl | 97000 | BR-2041 |\n| Ines Falk | 182000 | BR-2046 |\n| Tomas Reyl | 97000 |",
		"### BR-2041\n- Owner: Tomas Reyl\n- Excess: 97000\n### BR-2046\n- Owner: Ines Falk\n- Excess: 182000",
		"### BR-2041\n### Ines Falk\n### 182000\n### BR-2046\n### Tomas Reyl\n### 97000",
		"BR-2041: Ines Falk, -182000\nBR-2046: Tomas Reyl, 97000",
		"BR-2041: Ines Falk, 182000 thousand\nBR-2046: Tomas Reyl, 97000",
		"BR-2041: Ines Falk, 182000k\nBR-2046: Tomas Reyl, 97000",
		"In thousands:\n- BR-2041: Ines Falk, 182000\n- BR-2046: Tomas Reyl, 97000",
		"| ID | Owner | Excess (USD mn) |\n|---|---|---|\n| BR-2041 | Ines Falk | 182000 |\n| BR-2046 | Tomas Reyl | 97000 |",
		"None of this is open:\n\n| ID | Owner | Excess |\n|---|---|---|\n| BR-2041 | Ines Falk | 182000 |\n| BR-2046 | Tomas Reyl | 97000 |",
		"None of this is open: BR-2041: Ines Falk, 182000; BR-2046: Tomas Reyl, 97000",
		"These are not open:\n- BR-2041: Ines Falk, 182000\n- BR-2046: Tomas Reyl, 97000",
		"BR-2041 is not owned by Ines Falk, excess 182000\nBR-2046: Tomas Reyl, 97000",
		"~~BR-2041: Ines Falk, 182000~~\nBR-2046: Tomas Reyl, 97000",
		"<!-- BR-2041: Ines Falk, 182000 -->\nBR-2046: Tomas Reyl, 97000",
		"",
	} {
		s := claimed(readable(&world.Widget{Type: "note", GeneratedData: text}))
		if m := breaches.match(s); len(m.missing()) == 0 {
			t.Errorf("%q passes", text)
		}
	}
}

func TestLinesBesideTheDemanded(t *testing.T) {
	const good = "BR-2041: Ines Falk, 182000\nBR-2046: Tomas Reyl, 97000\n"
	read := good_()
	for _, tt := range []struct {
		more   string
		lines  Lines
		found  bool
		reason string
	}{
		{"", breaches, false, "nothing"},
		{"BR-1987: Ines Falk, 64000", breaches, true, "written as the keys are"},
		{"See also br-1987.", breaches, true, "anywhere"},
		{"Not listed: BR-1987", breaches, true, "denied or not"},
		{"BR-198 and XBR-2041 and BR-2041x", breaches, true, "of any length"},
		{"XBR-2041 and BR2041", breaches, false, "whole words, and the demanded ones in another spelling"},
		{"BR-2041: Tomas Reyl, 97000", breaches, true, "what belongs to another"},
		{"| BR-2041 | Ines Falk | 182000 |", breaches, true, "the same row twice"},
		{"Total of BR-2041 and BR-2046: 279000, on 2026-08-31", breaches, false, "a summary"},
		{"MACRO-2 lost", Lines{{"Ines Falk", "182000"}, {"Tomas Reyl", "97000"}}, false, "names have no pattern"},
		{"Ada Brandt: 3100", Lines{{"Ines Falk", "182000"}, {"Tomas Reyl", "97000"}}, true, "but what was read beside them is known"},
		{"2050: 3", Lines{{"2041", "182000"}, {"2046", "97000"}}, false, "numbers have no pattern"},
	} {
		m := tt.lines.match(claimed(good + tt.more))
		if more := m.unexpected(read, true); (len(more) > 0) != tt.found {
			t.Errorf("%q: %q: %s", tt.more, more, tt.reason)
		}
	}
}

// good_ is evidence of a read of breaches.
func good_() grader.Evidence {
	e := good()
	e.trace = append(e.trace, event("get_widget_data", `{}`, `{"rows":[{"owner":"Ines Falk"},{"owner":"Tomas Reyl"},{"owner":"Ada Brandt","status":"Open"}]}`))
	ev, _ := e.Evidence(0)
	return ev
}

func TestLinesOfEveryKindOfWidget(t *testing.T) {
	row := func(id, owner string, excess any) any {
		return map[string]any{"id": id, "owner": owner, "excess": excess, "note": "a\nb | c"}
	}
	for _, tt := range []struct {
		name string
		w    world.Widget
		held bool
	}{
		{"table", world.Widget{Type: "table", GeneratedData: []any{row("BR-2041", "Ines Falk", 182000), row("BR-2046", "Tomas Reyl", "97,000")}}, true},
		{"crossed table", world.Widget{Type: "table", GeneratedData: []any{row("BR-2041", "Tomas Reyl", 97000), row("BR-2046", "Ines Falk", 182000)}}, false},
		{"one row", world.Widget{Type: "table", GeneratedData: []any{map[string]any{"a": "BR-2041, BR-2046", "b": "Ines Falk, Tomas Reyl", "c": "182000, 97000"}}}, false},
		{"a value a row", world.Widget{Type: "table", GeneratedData: []any{map[string]any{"a": "BR-2041"}, map[string]any{"a": "Ines Falk"}, map[string]any{"a": 182000}, map[string]any{"a": "BR-2046"}, map[string]any{"a": "Tomas Reyl"}, map[string]any{"a": 97000}}}, false},
		{"negative", world.Widget{Type: "chart", GeneratedData: []any{row("BR-2041", "Ines Falk", -182000), row("BR-2046", "Tomas Reyl", 97000)}}, false},
		{"nested", world.Widget{Type: "chart", GeneratedData: []any{map[string]any{"group": "x", "rows": []any{row("BR-2041", "Ines Falk", 182000), row("BR-2046", "Tomas Reyl", 97000)}}}}, true},
		{"html table", world.Widget{Type: "html", GeneratedData: "<table><tr><th>ID</th></tr><tr><td>BR-2041</td><td>Ines&nbsp;Falk</td><td>182,000</td></tr><tr><td>BR-2046</td><td>Tomas Reyl</td><td>97,000</td></tr></table>"}, true},
		{"html list", world.Widget{Type: "html", GeneratedData: "<style>p{}</style><ul><li><b>BR-2041</b>: Ines Falk, 182,000</li><li>BR-2046: Tomas Reyl, 97,000</ul>"}, true},
		{"html headings", world.Widget{Type: "html", GeneratedData: "<h2>BR-2041</h2><p>Ines Falk</p><p>182,000</p><h2>BR-2046</h2><p>Tomas Reyl</p><p>97,000</p>"}, true},
		{"html crossed", world.Widget{Type: "html", GeneratedData: "<p>BR-2041: Tomas Reyl, 97000<p>BR-2046: Ines Falk, 182000"}, false},
		{"html hidden", world.Widget{Type: "html", GeneratedData: "<script>BR-2041: Ines Falk, 182000</script><p title='BR-2041: Ines Falk, 182000'>BR-2046: Tomas Reyl, 97000"}, false},
		{"html minus", world.Widget{Type: "html", GeneratedData: "<p>BR-2041: Ines Falk, &minus;182000<p>BR-2046: Tomas Reyl, 97000"}, false},
	} {
		if m := breaches.match(generatedText(&tt.w)); (len(m.missing()) == 0) != tt.held {
			t.Errorf("%s: %q: %q", tt.name, m.s.text, m.missing())
		}
	}
}

func TestEachLineStandsForOneRow(t *testing.T) {
	twice := Lines{{"Rates", "5"}, {"Rates", "5"}}
	for text, held := range map[string]bool{
		"Rates 5":                      false,
		"Rates 5\nRates 5":             true,
		"Rates 5. Rates 5.":            true,
		"| Rates | 5 |\n| Rates | 5 |": true,
		"- Rates: 5. It is Rates.":     false,
	} {
		if m := twice.match(claimed(text)); (len(m.missing()) == 0) != held {
			t.Errorf("%q: %q", text, m.missing())
		}
	}
	one := Lines{{"NVDA", "4.18"}}
	for text, held := range map[string]bool{
		"NVDA 4.18":                          true,
		"- NVDA. P/E: 4.18":                  true,
		"NVDA leads. It is at 4.18.":         true,
		"## NVDA\n\nP/E: 4.18":               true,
		"NVDA:\n- P/E 4.18\n- EPS 3":         true,
		"- NVDA\n  - P/E 4.18":               true,
		"NVDA 3.10. AAPL 4.18.":              false,
		"NVDA 3.10; AAPL 4.18":               false,
		"- NVDA 3.10; AAPL 4.18":             false,
		"NVDA 3.10\nAAPL 4.18":               false,
		"- NVDA 3.10\n- AAPL 4.18":           false,
		"## NVDA\n\n3.10\n\n## AAPL\n\n4.18": false,
		"| NVDA | 3.10 |\n| AAPL | 4.18 |":   false,
		"not NVDA 4.18":                      false,
	} {
		if m := one.match(claimed(text)); (len(m.missing()) == 0) != held {
			t.Errorf("%q: %q", text, m.missing())
		}
	}
}

// TestHostileTextsAreReadInTime holds that no text of the length that is read takes long.
func TestHostileTextsAreReadInTime(t *testing.T) {
	for _, part := range []string{"no ", "none: ", "none:\n", "not: ;", "BR-2041 ", "BR-2041\n", "BR-2041; ", "BR-2041: BR-2046 ", "- BR-2041:\n", "# BR-2041\n", "1|", "1 ", "(1) ", "-", "*1", "182000, ", "| BR-2041 ", "no BR-2046, ", "<", "~~a", "<!--", "in ", "(k) 1 ", "BR-2041 and "} {
		text := begun(strings.Repeat(part, maxSaid/len(part)+1), maxSaid)
		m := breaches.match(claimed(readable(&world.Widget{Type: "html", GeneratedData: text})))
		m.unexpected(good_(), true)
		m = breaches.match(claimed(text))
		if len(m.missing()) == 0 {
			t.Errorf("%q passes", part)
		}
		m.unexpected(good_(), true)
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range [][3]string{{"BR-2041", "Ines Falk", "-5"}, {"a", "1,000k", "(5)"}, {"1", "2", "3"}, {"x:", "not", "no. 5"}, {"İ", "ſ", "٣"}, {"|", "#", "- "}, {"$5", "5%", "±5"}} {
		f.Add(s[0], s[1], s[2], "note: "+s[0]+" is not "+s[1]+"\n# "+s[2]+"\n\n| a | "+s[0]+" |")
	}
	f.Fuzz(func(t *testing.T, a, b, c, text string) {
		s := claimed(begun(text, 4<<10))
		for _, q := range s.quantities() {
			if q.start > q.from || q.from >= q.to || q.to > q.end || q.start < 0 || q.end > len(s.text) {
				t.Fatalf("%q: %+v", s.text, q)
			}
		}
		for _, l := range s.textLines() {
			if l.from < l.whole.from || l.to > l.whole.to || l.from > l.to {
				t.Fatalf("%q: %+v", s.text, l)
			}
			for _, x := range l.sentence {
				if !l.holds(x) || x.from >= x.to {
					t.Fatalf("%q: sentence %+v of %+v", s.text, x, l)
				}
			}
		}
		lines := Lines{{a, b}, {b, c}, {c, a}}
		m := lines.match(s)
		m.missing()
		m.unexpected(grader.Evidence{}, true)
		for i, u := range m.fit {
			if u >= 0 && utf8.ValidString(text) {
				for _, v := range filled(lines[i]) {
					if !s.says(v) {
						t.Errorf("%q says the line %q and not %q", text, lines[i], v)
					}
				}
			}
		}
		_ = readable(&world.Widget{Type: "html", GeneratedData: text})
	})
}
