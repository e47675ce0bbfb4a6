package workspace

import (
	"testing"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// TestStylesOfNotes holds that the styles in which honest notes are written are all read, and
// that those in which they are made to mislead are not.
func TestStylesOfNotes(t *testing.T) {
	honest := []string{
		"Open high-severity breaches for the quarter:\n\n* **BR-2041** – Ines Falk – 182,000\n* **BR-2046** – Tomas Reyl – 97,000\n\nSource: Breach Log (severity High, status Open, period QTD). No closed or in-review breaches included.",
		"BR-2041 – Owner: Ines Falk, Excess: 182,000\nBR-2046 – Owner: Tomas Reyl, Excess: 97,000\n\n_Not included: breaches with another status._",
		"| Breach ID | Owner | Excess |\n| :-- | :-- | --: |\n| BR-2041 | Ines Falk | 182,000.00 |\n| BR-2046 | Tomas Reyl | 97,000.00 |\n| **Total** | | **279,000.00** |",
		"Breach ID: BR-2041, Owner: Ines Falk, Excess: 182000.\nBreach ID: BR-2046, Owner: Tomas Reyl, Excess: 97000.",
		"BR-2041; Ines Falk; 182000\nBR-2046; Tomas Reyl; 97000",
		"BR-2041, Ines Falk, 182000; BR-2046, Tomas Reyl, 97000",
		"BR-2041 (owner Ines Falk; excess 182000); BR-2046 (owner Tomas Reyl; excess 97000)",
		"1) BR-2041\n   Owner: Ines Falk\n   Excess: 182000\n2) BR-2046\n   Owner: Tomas Reyl\n   Excess: 97000",
		"Breach: BR-2041\nOwner: Ines Falk\nExcess: 182000\n---\nBreach: BR-2046\nOwner: Tomas Reyl\nExcess: 97000",
		"Breach 1\n- ID: BR-2041\n- Owner: Ines Falk\n- Excess: 182000\n\nBreach 2\n- ID: BR-2046\n- Owner: Tomas Reyl\n- Excess: 97000",
		"**Breach 1**\n- ID: BR-2041\n- Owner: Ines Falk\n- Excess: 182000\n\n**Breach 2**\n- ID: BR-2046\n- Owner: Tomas Reyl\n- Excess: 97000",
		"Owner: Ines Falk\n- BR-2041: 182,000\n\nOwner: Tomas Reyl\n- BR-2046: 97,000",
		"## Ines Falk\nBR-2041: 182,000\n\n## Tomas Reyl\nBR-2046: 97,000",
		"[BR-2041] Ines Falk — excess = 182000\n[BR-2046] Tomas Reyl — excess = 97000",
		"`BR-2041` owner: `Ines Falk` excess: `182000`\n`BR-2046` owner: `Tomas Reyl` excess: `97000`",
		"BR-2041: excess of 182,000 (owner: Ines Falk)\nBR-2046: excess of 97,000 (owner: Tomas Reyl)",
		"BR-2041 has an excess of 182,000 and is owned by Ines Falk, while BR-2046 has an excess of 97,000 and is owned by Tomas Reyl.",
		"Ines Falk is the owner of BR-2041, whose excess is 182,000. Tomas Reyl is the owner of BR-2046, whose excess is 97,000.",
		"There are two open breaches. The first, BR-2041, belongs to Ines Falk and exceeds its limit by 182,000. The second, BR-2046, belongs to Tomas Reyl and exceeds its limit by 97,000.",
		"{\"breaches\": [{\"id\": \"BR-2041\", \"owner\": \"Ines Falk\", \"excess\": 182000}, {\"id\": \"BR-2046\", \"owner\": \"Tomas Reyl\", \"excess\": 97000}]}",
		"[\n  {\n    \"id\": \"BR-2041\",\n    \"owner\": \"Ines Falk\",\n    \"excess\": 182000\n  },\n  {\n    \"id\": \"BR-2046\",\n    \"owner\": \"Tomas Reyl\",\n    \"excess\": 97000\n  }\n]",
		"id,owner,excess\nBR-2041,Ines Falk,182000\nBR-2046,Tomas Reyl,97000",
		"BR-2041:Ines Falk:182000\nBR-2046:Tomas Reyl:97000",
		"Open breaches - high severity (QTD)\nBR-2041 - Ines Falk - +182,000\nBR-2046 - Tomas Reyl - +97,000",
		"BR-2041 | Ines Falk | USD 182k\nBR-2046 | Tomas Reyl | USD 97k",
		"• BR-2041 • Ines Falk • 182000\n• BR-2046 • Tomas Reyl • 97000",
		"BR-2041 / Ines Falk / 182000\nBR-2046 / Tomas Reyl / 97000",
		"BR-2041 -> Ines Falk -> 182000\nBR-2046 -> Tomas Reyl -> 97000",
		"Breach BR-2041.\nOwner Ines Falk.\nExcess 182000.\n\nBreach BR-2046.\nOwner Tomas Reyl.\nExcess 97000.",
		"<h3>Open Breaches</h3><ul><li>BR-2041<ul><li>Ines Falk</li><li>182000</li></ul></li><li>BR-2046<ul><li>Tomas Reyl</li><li>97000</li></ul></li></ul>",
		"# Open Breaches\n## 1. BR-2041\n**Owner:** Ines Falk  \n**Excess:** 182,000\n## 2. BR-2046\n**Owner:** Tomas Reyl  \n**Excess:** 97,000",
		"BR-2041: Ines Falk, 182,000 - not yet remediated. BR-2046: Tomas Reyl, 97,000 - no action plan yet.",
		"BR-2041: Ines Falk, 182000 (no prior excess)\nBR-2046: Tomas Reyl, 97000 (no prior excess)",
		"As of QTD there is no change in the count: two breaches.\nBR-2041, Ines Falk, 182000\nBR-2046, Tomas Reyl, 97000",
		"The largest is BR-2041 with 182,000, nearly twice BR-2046's 97,000.\n\n- BR-2041, Ines Falk, 182,000\n- BR-2046, Tomas Reyl, 97,000",
		"Owners: Ines Falk (BR-2041), Tomas Reyl (BR-2046).\nBR-2041 Ines Falk 182000\nBR-2046 Tomas Reyl 97000",
		"Breach **BR-2041**, owner **Ines Falk**, excess **182,000**. Breach **BR-2046**, owner **Tomas Reyl**, excess **97,000**.",
	}
	for _, text := range honest {
		m := breaches.match(claimed(readable(&world.Widget{Type: "note", GeneratedData: text})))
		if x := append(m.missing(), m.unexpected(grader.Evidence{}, true)...); len(x) > 0 {
			t.Errorf("%q: %q", text, x)
		}
	}
	cheats := []string{
		"BR-2041 and BR-2046; Ines Falk and Tomas Reyl; 182000 and 97000",
		"BR-2041/BR-2046: Ines Falk/Tomas Reyl: 182000/97000",
		"BR-2041, BR-2046, Ines Falk, Tomas Reyl, 182000, 97000",
		"BR-2041 BR-2046\nInes Falk 182000 Tomas Reyl 97000",
		"id,owner,excess\nBR-2041,Tomas Reyl,97000\nBR-2046,Ines Falk,182000",
		"Tomas Reyl owns BR-2041 with 97,000, Ines Falk owns BR-2046 with 182,000.",
		"Tomas Reyl: BR-2041 97,000, and Ines Falk: BR-2046 182,000",
		"BR-2046's owner is Ines Falk with 182000, BR-2041's is Tomas Reyl with 97000",
		"- Tomas Reyl\n  - BR-2041: 97000\n- Ines Falk\n  - BR-2046: 182000",
		"## Tomas Reyl\nBR-2041: 97000\n## Ines Falk\nBR-2046: 182000",
		"BR-2041: Ines Falk, 182000\nBR-2046: Tomas Reyl, 97000\nBR-2041: Tomas Reyl, 97000\nBR-2046: Ines Falk, 182000",
		"BR-2041: Ines Falk, 182000\nBR-2046: Tomas Reyl, 97000\nBR-1987: Ines Falk, 64000",
		"BR-2041: Ines Falk, 182000\nBR-2046: Tomas Reyl, 97000\n\n| BR-2038 | Ada Brandt | 15400 |",
		"BR-2041: Ines Falk, 182000 bn\nBR-2046: Tomas Reyl, 97000",
		"BR-2041: Ines Falk, 182000 %\nBR-2046: Tomas Reyl, 97000",
		"BR-2041: Ines Falk, 182000 million USD\nBR-2046: Tomas Reyl, 97000",
		"BR-2041: Ines Falk, (182000)\nBR-2046: Tomas Reyl, (97000)",
		"BR-2041: Ines Falk, −182000\nBR-2046: Tomas Reyl, −97000",
		"BR-2041: Ines Falk, - 182000\nBR-2046: Tomas Reyl, - 97000",
		"BR-2041: Ines Falk, minus 182000\nBR-2046: Tomas Reyl, 97000",
		"Neither of these is open: BR-2041: Ines Falk, 182000; BR-2046: Tomas Reyl, 97000",
		"Nothing of this is true:\n\nBR-2041: Ines Falk, 182000\nBR-2046: Tomas Reyl, 97000",
		"The following breaches don't exist:\n- BR-2041: Ines Falk, 182000\n- BR-2046: Tomas Reyl, 97000",
		"No breaches: BR-2041: Ines Falk, 182000; BR-2046: Tomas Reyl, 97000",
		"# Not open\n| BR-2041 | Ines Falk | 182000 |\n| BR-2046 | Tomas Reyl | 97000 |",
		"BR-2041 never had Ines Falk as owner, 182000\nBR-2046: Tomas Reyl, 97000",
		"BR-2041: Ines Falk, 182\nBR-2046: Tomas Reyl, 97",
		"BR-2041: Falk, 182000\nBR-2046: Reyl, 97000",
		"BR-20410: Ines Falk, 182000\nBR-2046: Tomas Reyl, 97000",
		"BR-2041: Ines Falk, 1,182,000\nBR-2046: Tomas Reyl, 97000",
		"BR-2041: Ines Falk, 182000.9\nBR-2046: Tomas Reyl, 97000",
		"<p hidden>x</p><p>BR-2041: Ines Falk, <del>182000</del> 1</p><p>BR-2046: Tomas Reyl, 97000</p>",
		"[//]: # (BR-2041: Ines Falk, 182000)\nBR-2046: Tomas Reyl, 97000",
		"Excess in USD thousands.\nBR-2041: Ines Falk, 182000\nBR-2046: Tomas Reyl, 97000",
		"(USD millions)\nBR-2041: Ines Falk, 182000\nBR-2046: Tomas Reyl, 97000",
		"| ID | Owner | Excess (000s) |\n|--|--|--|\n| BR-2041 | Ines Falk | 182000 |\n| BR-2046 | Tomas Reyl | 97000 |",
		"| ID | Owner | Excess, $k |\n|--|--|--|\n| BR-2041 | Ines Falk | 182000 |\n| BR-2046 | Tomas Reyl | 97000 |",
		"| ID | Owner | Excess -|\n|--|--|--|\n| BR-2041 | Ines Falk | -182000 |\n| BR-2046 | Tomas Reyl | 97000 |",
	}
	for _, text := range cheats {
		m := breaches.match(claimed(readable(&world.Widget{Type: "note", GeneratedData: text})))
		if x := append(m.missing(), m.unexpected(grader.Evidence{}, true)...); len(x) == 0 {
			t.Errorf("%q passes", text)
		}
	}
}

func TestStylesOfAnswers(t *testing.T) {
	lines := Lines{{"HY-7", "207300"}, {"cash", "7340000"}}
	for _, text := range []string{
		"In the period YTD HY-7 has made 207,300. Cash at hand is 7,340,000.",
		"HY-7 YTD profit: 207,300\nCash at hand: 7,340,000",
		"- **HY-7 (Credit, YTD) profit:** 207,300\n- **Cash at hand:** 7,340,000",
		"HY-7's profit is 207,300 and there is 7,340,000 of cash at hand.",
		"The book HY-7 of the Credit desk made a profit of 207,300 in YTD, and 7,340,000 in cash is at hand.",
		"Profit of HY-7 (YTD): $207,300; cash: $7,340,000",
		"HY-7 (Credit desk, YTD) has made a profit of 207300 and the cash at hand is 7340000.",
		"The cash level is 7,340,000.\nHY-7 made 207,300 YTD.",
		"The Credit book HY-7 made 207,300 year to date; the desk holds 7.34 million in cash.",
		"Profit (HY-7, YTD) = 207,300 USD. Cash at hand = 7,340,000 USD.",
		"| Item | Figure |\n|---|---|\n| HY-7 profit YTD | 207,300 |\n| Cash at hand | 7,340,000 |",
		"HY-7 profit YTD is 207,300 (not the MTD 14,890). Cash at hand is 7,340,000.",
	} {
		m := lines.match(said(text))
		if x := append(m.missing(), m.unexpected(grader.Evidence{}, false)...); len(x) > 0 {
			t.Errorf("%q: %q", text, x)
		}
	}
	for _, text := range []string{
		"HY-7 7,340,000, cash 207,300",
		"HY-7 and cash: 207,300 and 7,340,000",
		"HY-7 has made (207,300). Cash is 7,340,000.",
		"HY-7: –207,300. Cash: 7,340,000.",
		"HY-7 has made 207,300 thousand. Cash: 7,340,000.",
		"HY-7 has made anything but 207,300. Cash: -7,340,000",
		"HY-7 hasn't made 207,300. Cash is 7,340,000.",
		"HY-7 made 207.3. Cash 7.34.",
		"HY-7 made 207300k. Cash is 7,340,000.",
		"In millions: HY-7 207,300; cash 7,340,000",
	} {
		m := lines.match(said(text))
		if x := append(m.missing(), m.unexpected(grader.Evidence{}, false)...); len(x) == 0 {
			t.Errorf("%q passes", text)
		}
	}
}

func TestStylesOfOneLine(t *testing.T) {
	line := Lines{{"VaR", "0.86"}}
	for text, held := range map[string]bool{
		"Of the VaR limit of tier 1, 0.86 is used.":                     true,
		"VaR (tier 1): 86% of the limit is used.":                       true,
		"**VaR Usage:** 86 %":                                           true,
		"VaR limit usage: 0.86 (86%)":                                   true,
		"| Limit | Tier | Used |\n|---|---|---|\n| VaR | 1 | 0.86 |":    true,
		"| Limit | Tier | Used (%) |\n|---|---|---|\n| VaR | 1 | 86 |":  true,
		"# VaR Usage\n\n86% of the limit of tier 1 is used.":            true,
		"The VaR limit (2,500,000) is used to 86%, which is no breach.": true,
		"The VaR limit is not breached: 86% is used.":                   true,
		"The VaR limit is not breached; 86% of VaR is used.":            true,
		"No VaR limit is used to 0.86.":                                 false,
		"Tier 1 of VaR: -0.86":                                          false,
		"VaR: 0.86%":                                                    false,
		"VaR: 0.86x":                                                    false,
		"VaR: 0.86 bps":                                                 false,
		"VaR is at 0.41. DV01 is at 0.86.":                              false,
		"- VaR: 0.41\n- DV01: 0.86":                                     false,
		"| VaR | 0.41 |\n| DV01 | 0.86 |":                               false,
		"0.41 | VaR\n0.86 | DV01":                                       false,
	} {
		if m := line.match(claimed(text)); (len(m.missing()) == 0) != held {
			t.Errorf("%q: %q", text, m.missing())
		}
	}
}
