package workspace

import (
	"strings"
	"testing"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

const goodLines = "BR-2041: Ines Falk, 182000\nBR-2046: Tomas Reyl, 97000"

func wrong(kind, text string) []string {
	m := breaches.match(generatedText(&world.Widget{Type: kind, GeneratedData: text}))
	return append(m.missing(), m.unexpected(good_(), true)...)
}

// TestWhatNobodySeesIsNotSaid holds that notes, documents and answers are read as they are shown.
func TestWhatNobodySeesIsNotSaid(t *testing.T) {
	hidden := []string{
		"<div hidden>%</div>", `<div style="display:none">%</div>`, `<p style="Visibility: hidden">%</p>`, `<span style="font-size:0">%</span>`,
		"<font color=white>%</font>", "<details><summary>x</summary>%</details>", "<textarea hidden>%</textarea>", "<noscript>%</noscript>", "<dialog>%</dialog>",
		"<title>%</title>", "<svg><desc>%</desc></svg>", "<select><option>%</option></select>", "<iframe>%</iframe>", "<object>%</object>", "<audio>%</audio>",
		"<p title='%'>Nothing</p>", "<script>%</script>", "<style>%</style>", "<head><title>%</title></head>", "<del>%</del>", "<!-- % -->",
		"<style>.x{display:none}</style><p class=x>%</p>", `<p style="color:#fff;background:#fff">%</p>`, `<div hidden>%`,
	}
	shown := []string{
		"<div>%</div>", "<font color=navy>%</font>", "<details open>%</details>", `<p style="background:#003366;color:#fff">%</p>`,
		"<style>@media print{.x{display:none}}</style><p class=x>%</p>", "<dialog open>%</dialog>",
	}
	for _, text := range hidden {
		text = strings.ReplaceAll(text, "%", strings.ReplaceAll(goodLines, "\n", "; "))
		for _, kind := range []string{"note", "html"} {
			w := &world.Widget{Type: kind, GeneratedData: text}
			if s := generatedText(w); s.says("BR-2041") || s.says("182000") {
				t.Errorf("%s %q says %q", kind, text, s.text)
			}
		}
		if said(text).says("182000") {
			t.Errorf("answer %q says %q", text, said(text).text)
		}
	}
	for _, text := range shown {
		text = strings.ReplaceAll(text, "%", strings.ReplaceAll(goodLines, "\n", "<br>"))
		for _, kind := range []string{"note", "html"} {
			if x := wrong(kind, text); len(x) > 0 {
				t.Errorf("%s %q: %q", kind, text, x)
			}
		}
	}
	for _, text := range []string{
		`[x]: http://a "BR-2041: 182000"`, "[x]: # (BR-2041: 182000)", "[x]: http://a\n\"BR-2041: 182000\"", `![](http://a "BR-2041: 182000")`, `[see](http://a "BR-2041: 182000")`,
		"```BR-2041: 182000\nx\n```", "~~BR-2041: 182000~~", "![BR-2041: 182000](http://a)", "<!-- BR-2041: 182000 -->",
	} {
		if s := claimed(seen(text)); s.says("BR-2041") || s.says("182000") {
			t.Errorf("%q says %q", text, s.text)
		}
	}
	for _, text := range []string{
		"[BR-2041](http://a): 182000", "```\nBR-2041: 182000\n```", "`BR-2041`: 182000 < 5", "BR-2041 (182000) [1]", "BR-2041 <http://a>: 182000", "[BR-2041]: Ines Falk, 182000", "a <b: BR-2041, 182000", "BR-2041 &amp; 182000",
	} {
		if s := claimed(seen(text)); !s.says("BR-2041") || !s.says("182000") {
			t.Errorf("%q says %q", text, s.text)
		}
	}
	if !generatedText(&world.Widget{Type: "html", GeneratedData: "<table>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr></table>"}).says("a | b") {
		t.Error("a row is no line")
	}
}

func TestWhatIsLeftOpenIsNotSaid(t *testing.T) {
	for text, held := range map[string]bool{
		"VaR 0.86":                          true,
		"VaR 0.86 or 86%":                   true,
		"VaR: more or less on plan, 0.86":   true,
		"VaR 0.86, 0.5, 0.7 or 0.9":         false,
		"VaR 0.41 or 0.86":                  false,
		"VaR 0.86 or so":                    false,
		"VaR ~0.86":                         false,
		"VaR < 0.86":                        false,
		"VaR at most 0.86":                  false,
		"VaR -> 0.86":                       true,
		"VaR is about 0.86":                 false,
		"VaR or DV01: 0.86":                 false,
		"VaR is 0.41 and DV01 is 0.86":      false,
		"DV01: 0.86, VaR: 0.41":             false,
		"VaR is used to 0.86, DV01 to 0.41": true,
	} {
		if m := (Lines{{"VaR", "0.86"}}).match(claimed(text)); (len(m.missing()) == 0) != held {
			t.Errorf("%q: %q", text, m.missing())
		}
	}
	lines := Lines{{"HY-7", "207300"}, {"cash", "7340000"}}
	for text, held := range map[string]bool{
		"HY-7 made 207,300. Cash: 7,340,000.":                                            true,
		"No loss: HY-7 made 207,300 YTD. Cash is 7,340,000.":                             true,
		"Profit or loss of HY-7: 207,300. Cash: 7,340,000.":                              true,
		"HY-7 earned 207,300, without counting the 7,340,000 of cash at hand.":           true,
		"Neither figure is rounded: HY-7 made 207,300; cash is 7,340,000.":               true,
		"HY-7 made 207 300\nCash at hand: €7.340.000":                                    true,
		"HY-7 14,890 or 207,300. Cash 1 or 7,340,000 or 9":                               false,
		"HY-7 made 5. HY-7 made 207,300. Cash: 7,340,000.":                               false,
		"HY-7 made 14,890; target 207,300. Cash: 7,340,000.":                             false,
		"HY-7 lost 207,300. Cash: 7,340,000.":                                            false,
		"HY-7 made a loss of 207,300. Cash: 7,340,000.":                                  false,
		"HY-7 made 207,300. Cash is overdrawn by 7,340,000.":                             false,
		"It is false that HY-7 made 207,300. Cash: 7,340,000.":                           false,
		"Everything here is wrong: HY-7 made 207,300. Cash: 7,340,000.":                  false,
		"HY-7 ended 5 days later. It made 207,300. Cash at hand: 7,340,000 in 2 places.": true,
	} {
		m := lines.match(said(text))
		if x := append(m.missing(), m.unexpected(grader.Evidence{}, false)...); (len(x) == 0) != held {
			t.Errorf("%q: %q", text, x)
		}
	}
}

func TestFiguresOtherwise(t *testing.T) {
	for _, as := range []string{
		"neg. 182000", "neg 182000", "minus: 182000", "182000 (negative)", "less 182000", "loss of 182000", "a shortfall of 182000", "‒182000", "⁻182000", "➖182000", "182000 CR", "182000 DR",
		"182000 (000s)", "182000 ('000)", "182000 USD '000", "182000 lacs", "182000 grand", "182000 thou", "182000 Tsd", "182000 × 10^3", "182000 × 10³", "182000×1000", "182000/1000", "182000^2", "182000 x 10", "182000,5", "1 182000",
		"~182000", "<182000", "≤ 182000", "at most 182000", "approximately 182000", "182000 or 64000", "182000²",
	} {
		if claimed("Excess " + as).says("182000") {
			t.Errorf("%q says 182000", as)
		}
	}
	for _, as := range []string{"182 000", "€182.000", "182.000", "182\u202f000", "182'000", "182k", "182.000,00", "182 lac? no: 182000", "182000 (loss limit 5)", "１８２０００"} {
		if !claimed("Excess " + as).says("182000") {
			t.Errorf("%q does not say 182000", as)
		}
	}
	r := UnsaidRule{Values: []string{"97000", "BR-1987"}}
	for text, found := range map[string]bool{
		"97 000": true, "97.000 EUR": true, "97\u200b000": true, "-97000": true, "97000.4": true, "97k": true, "97**000**": true, "197000": false, "97": false,
		"BR 1987": true, "BR\u200d-1987": true, "ВR-1987": true, "not BR-1987": true, "<!-- BR-1987 -->": false, "in 1987": false, "\u202e7891-RB\u202c": true,
	} {
		if (len(r.found(said(text))) > 0) != found {
			t.Errorf("%q: %q", text, r.found(said(text)))
		}
	}
	if len(r.found(said(strings.Repeat("x ", maxSaid)))) == 0 {
		t.Error("what is behind the end of what is read is overlooked")
	}
}

func TestLinesBesideInDisguise(t *testing.T) {
	for _, more := range []string{
		"Never forget BR-1987 of Ines Falk, 64000.", "Not to forget: BR-1987", "Without delay act on BR-1987 (Ines Falk)", "Nothing is as bad as BR-1987.", "Never mind: BR-2041 is of Tomas Reyl, 97000",
		"BR 1987", "BR–1987", "BR−1987", "BR_1987", "BR#1987", "BR - 1987", "| BR | 1987 |", "**BR-**1987", "Breach no. 1987 of Ines Falk, 64000", "BR-1987A", "ВR-1987", "ＢＲ-1987", "BR\u200b-1987", "BR\u00ad-1987", "\u202e7891-RB\u202c",
		"(BR-1987 is closed and thus left out.)", "Excluded as not open: BR-1987.", "BR-2041: Ada Brandt, 64000", "Correction: BR-2041 belongs to Ada Brandt and its excess is 64000.", strings.Repeat("x ", maxSaid),
	} {
		if len(wrong("note", goodLines+"\n\n"+more)) == 0 {
			t.Errorf("%.60q passes", more)
		}
	}
	for _, more := range []string{
		"No other breach is open.", "BR-2041 was found on 2026-08-31, 12 days ago.", "Both are of severity High (2 of 12).", "BR-2041 is the largest; BR 2046 is half of it.",
	} {
		if x := wrong("note", goodLines+"\n\n"+more); len(x) > 0 {
			t.Errorf("%q: %q", more, x)
		}
	}
	for _, text := range []string{
		"Neither has been escalated: BR-2041 (Ines Falk, 182,000) and BR-2046 (Tomas Reyl, 97,000).",
		"They have not been assigned to anybody else:\n" + goodLines,
		"Not a single breach is resolved: BR-2041 (Ines Falk, 182,000), BR-2046 (Tomas Reyl, 97,000).",
		"There is no breach larger than BR-2041 (Ines Falk, 182,000). BR-2046 is of Tomas Reyl with 97,000.",
		"BR-2041: Ines Falk, 182 000\nBR-2046: Tomas Reyl, €97.000",
	} {
		if x := wrong("note", text); len(x) > 0 {
			t.Errorf("%q: %q", text, x)
		}
	}
}
