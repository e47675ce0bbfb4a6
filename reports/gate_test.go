package reports

import "testing"

func TestAGateSaysWhatIsWrongWithIt(t *testing.T) {
	for in, words := range map[string][]string{
		"lenient":           {`gate "lenient"`, `"lenient" is not one of strict, none, rate:R`},
		"baseline:runs/x":   {`"baseline:…" is not one of strict, none, rate:R`},
		"rate":              {"rate:0.85"},
		"rate:":             {"a decimal number from 0 to 1"},
		"rate:85":           {"rate:85", "from 0 to 1"},
		"rate:-0.1":         {"from 0 to 1"},
		"rate:1/2":          {"from 0 to 1"},
		"rate:1e-1":         {"from 0 to 1"},
		"rate:0.8.5":        {"from 0 to 1"},
		"strict,broken":     {"only broken:N may follow"},
		"strict,":           {"only broken:N may follow"},
		"strict,broken:":    {"whole number"},
		"strict,broken:-1":  {"whole number"},
		"strict,broken:+1":  {"whole number"},
		"none,broken:1.5":   {"broken:1.5"},
		"broken:2":          {`"broken:2" is not one of`},
		" strict":           {`" strict" is not one of`},
		"none,broken:1,x:2": {"whole number"},
	} {
		g, err := ParseGate(in)
		if err == nil {
			t.Errorf("%q gives %v", in, g)
			continue
		}
		wantError(t, err, words...)
	}
	for _, in := range []string{"strict", "none", "rate:0.85", "rate:1", "rate:0", "strict,broken:2", "none,broken:10", "rate:0.5,broken:3"} {
		if g, err := ParseGate(in); err != nil || g.String() != in {
			t.Errorf("%q gives %q, %v", in, g, err)
		}
	}
	if g, err := ParseGate(""); err != nil || g.String() != "strict" {
		t.Errorf("empty: %v, %v", g, err)
	}
}

func TestAGateJudges(t *testing.T) {
	sum := func(passed, failed, broken, skipped int) Summary {
		return Summary{
			Kind: KindModel, Episodes: passed + failed + broken + skipped, Passed: passed, Failed: failed, Broken: broken, Skipped: skipped,
			TaskOutcomes: Counts{passed, failed, broken, skipped},
		}
	}
	unreached := func(s Summary, n int) Summary { s.Unreached = n; return s }
	certification := func(s Summary) Summary { s.Kind = KindCertification; return s }
	cases := []struct {
		name, gate string
		sum        Summary
		exit       int
		says       string
		reason     string
	}{
		{"strict-clean", "strict", sum(24, 0, 0, 0), 0, "gate strict: all 24 tasks passed", "nothing is wrong"},
		{"strict-skips", "strict", sum(23, 0, 0, 1), 0, "gate strict: 23 of 24 tasks passed, none failed", "skipped is not failed"},
		{"strict-one-failed", "strict", sum(23, 1, 0, 0), 1, "gate strict: 1 of 24 tasks failed", "any failed task fails"},
		{"strict-broken", "strict", sum(23, 0, 1, 0), 1, "gate strict: 1 episode is broken, and 0 tolerated", "none is tolerated unless it is said"},
		{"strict-tolerates", "strict,broken:1", sum(23, 0, 1, 0), 0, "gate strict,broken:1: 23 of 24 tasks passed, none failed", "as many as said"},
		{"strict-tolerates-no-more", "strict,broken:1", sum(22, 0, 2, 0), 1, "gate strict,broken:1: 2 episodes are broken, and 1 tolerated", "and not one more"},
		{"none-failed", "none", sum(0, 24, 0, 0), 0, "gate none: 0 of 24 valid episodes passed", "the agent may fail"},
		{"none-broken", "none", sum(5, 0, 1, 0), 1, "gate none: 1 episode is broken, and 0 tolerated", "the measurement may not"},
		{"none-unreached", "none", unreached(sum(5, 0, 0, 0), 3), 1, "3 episodes were never reached", "always"},
		{"none-invalid", "none,broken:9", sum(0, 0, 5, 2), 1, "no valid episode: 5 broken, 2 skipped", "always"},
		{"none-empty", "none", sum(0, 0, 0, 0), 1, "no episode was played", "always"},
		{"rate-exact", "rate:0.85", sum(17, 3, 0, 0), 0, "gate rate:0.85: 17 of 20 valid episodes passed: 85.0 %", "17 of 20 is 0.85 though no float is"},
		{"rate-below", "rate:0.85", sum(16, 3, 0, 0), 1, "gate rate:0.85: 16 of 19 valid episodes passed: 84.2 % are too few", "below"},
		{"rate-hair", "rate:0.3333", sum(3332, 6668, 0, 0), 1, "gate rate:0.3333: 3332 of 10000 valid episodes passed: 33.3 % are too few", "exact"},
		{"rate-skips", "rate:1", sum(5, 0, 0, 9), 0, "gate rate:1: 5 of 5 valid episodes passed: 100.0 %", "skipped ones do not count"},
		{"rate-broken", "rate:0.5", sum(5, 0, 1, 0), 1, "gate rate:0.5: 1 episode is broken, and 0 tolerated", "before the rate"},
		{"unreached-first", "strict", unreached(sum(0, 1, 1, 0), 1), 1, "1 episode was never reached", "first of all"},
		{"certification-skipped", "strict", certification(sum(0, 0, 0, 4)), 0, "4 tasks were skipped: nothing could be certified here", "what the machine lacks is no failure"},
		{"certification-broken", "strict", certification(sum(0, 0, 1, 3)), 1, "no valid episode: 1 broken, 3 skipped", "but a broken one is"},
		{"model-skipped", "strict", sum(0, 0, 0, 4), 1, "no valid episode: 0 broken, 4 skipped", "a model run must measure something"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case needs a reason")
			}
			g, err := ParseGate(c.gate)
			if err != nil {
				t.Fatal(err)
			}
			if exit, says := g.Judge(c.sum); exit != c.exit || says != c.says {
				t.Errorf("exit %d: %s\nwant %d: %s\n(%s)", exit, says, c.exit, c.says, c.reason)
			}
		})
	}
}
