package wealth_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/sim/wealth"
)

func TestDecimals(t *testing.T) {
	tests := []struct {
		name, sent string // JSON
		want       string // canonical, or "" for a number that is refused
		reason     string
	}{
		{"plain string", `"2500000"`, "2500000", "the recommended spelling"},
		{"plain number", `2500000`, "2500000", "JSON numbers are read as text"},
		{"trailing zeros", `"2500000.00"`, "2500000", "equal numbers have one spelling"},
		{"number with trailing zeros", `0.060`, "0.06", "equal numbers have one spelling"},
		{"zero", `0`, "0", "zero is allowed for a part"},
		{"zero with fraction", `"0.000"`, "0", "it is zero"},
		{"negative zero", `"-0.0"`, "0", "there is one zero"},
		{"eighteen digits", `"999999999999999999"`, "999999999999999999", "the longest integer"},
		{"ten fraction digits", `"0.1234567891"`, "0.1234567891", "the longest fraction"},
		{"beyond a float", `900719925474099301`, "900719925474099301", "a float would read …300"},
		{"nineteen digits", `"1000000000000000000"`, "", "too long"},
		{"eleven fraction digits", `"0.12345678912"`, "", "too long"},
		{"eleven fraction digits of zeros", `"1.00000000000"`, "", "length is counted as it is written"},
		{"negative", `"-1"`, "", "amounts are not negative"},
		{"negative fraction", `-0.01`, "", "amounts are not negative"},
		{"exponent", `"2.5e6"`, "", "no exponents"},
		{"number with exponent", `2.5e6`, "", "no exponents in numbers either"},
		{"capital exponent", `2E5`, "", "no exponents"},
		{"plus", `"+5"`, "", "no plus"},
		{"lakh grouping", `"25,00,000"`, "", "no grouping"},
		{"western grouping", `"2,500,000"`, "", "no grouping"},
		{"underscores", `"2_500_000"`, "", "big.Rat would take it"},
		{"hexadecimal", `"0x10"`, "", "big.Rat would take it"},
		{"binary", `"0b1"`, "", "big.Rat would take it"},
		{"octal", `"0o7"`, "", "big.Rat would take it"},
		{"ratio", `"1/2"`, "", "big.Rat would take it"},
		{"leading zero", `"007"`, "", "not how numbers are written"},
		{"leading zeros of zero", `"00"`, "", "not how numbers are written"},
		{"bare point", `"."`, "", "no digits"},
		{"no integer part", `".5"`, "", "digits before the point are needed"},
		{"no fraction", `"5."`, "", "digits after the point are needed"},
		{"two points", `"1.2.3"`, "", "not a number"},
		{"minus alone", `"-"`, "", "no digits"},
		{"two minuses", `"--1"`, "", "not a number"},
		{"Devanagari digits", `"२५"`, "", "ASCII digits only"},
		{"fullwidth digits", `"１"`, "", "ASCII digits only"},
		{"Unicode minus", `"−1"`, "", "ASCII only"},
		{"currency", `"₹100"`, "", "no symbol"},
		{"per cent", `"6%"`, "", "no symbol"},
		{"unit", `"25 lakh"`, "", "no words"},
		{"space before", `" 5"`, "", "no space"},
		{"newline after", `"5\n"`, "", "no space"},
		{"NUL after", `"5\u0000"`, "", "a C string would end here"},
		{"NaN", `"NaN"`, "", "not a number"},
		{"infinity", `"Infinity"`, "", "not a number"},
		{"empty", `""`, "", "not a number"},
		{"true", `true`, "", "not a number"},
		{"null", `null`, "", "present, but nothing"},
		{"list", `["5"]`, "", "not a number"},
		{"object", `{"value":"5"}`, "", "not a number"},
	}
	w := open(t, wealth.PercentOf)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			args := `{"part":` + test.sent + `,"whole":"100"}`
			r := call(w, wealth.PercentOf, args)
			if (test.want != "") != r.OK() || r.OK() == r.Invalid {
				t.Fatalf("%s: got %s %s: %s", test.reason, r.Status, r.Code, r.Data)
			}
			if want := `{"part":"` + test.want + `","whole":"100"}`; r.OK() && string(r.Arguments) != want {
				t.Errorf("%s: canonical arguments %s, want %s", test.reason, r.Arguments, want)
			}
			if got := wealth.CanonicalArguments(wealth.PercentOf, json.RawMessage(args)); string(got) != string(r.Arguments) {
				t.Errorf("CanonicalArguments gives %s, the call %s", got, r.Arguments)
			}
		})
	}
}

func TestRanges(t *testing.T) {
	fv := func(principal, rate, years string) string {
		return `{"principal":` + principal + `,"annual_rate":` + rate + `,"years":` + years + `}`
	}
	tests := []struct {
		name, tool, args string
		ok               bool
		reason           string
	}{
		{"rate in per cent", wealth.FutureValue, fv(`1`, `6`, `5`), false, "6 for 6 % is the usual slip"},
		{"rate just above one", wealth.FutureValue, fv(`1`, `"1.0000000001"`, `5`), false, "the bound is exact"},
		{"rate of one", wealth.FutureValue, fv(`1`, `"1.0"`, `5`), true, "the bound is included"},
		{"negative rate", wealth.FutureValue, fv(`1`, `"-0.01"`, `5`), false, "rates are not negative"},
		{"rate below zero by sign only", wealth.FutureValue, fv(`1`, `"-0"`, `5`), true, "it is zero"},
		{"principal of a million million", wealth.FutureValue, fv(`"1000000000000.00"`, `0`, `5`), true, "the bound is included"},
		{"principal just above", wealth.FutureValue, fv(`"1000000000000.01"`, `0`, `5`), false, "the bound is exact"},
		{"years as a string", wealth.FutureValue, fv(`1`, `0`, `"5"`), true, "both spellings"},
		{"years with a point", wealth.FutureValue, fv(`1`, `0`, `5.0`), false, "years are written whole"},
		{"years with a point, in a string", wealth.FutureValue, fv(`1`, `0`, `"5.0"`), false, "years are written whole"},
		{"half a year", wealth.FutureValue, fv(`1`, `0`, `"0.5"`), false, "years are whole"},
		{"no years", wealth.FutureValue, fv(`1`, `0`, `0`), false, "at least one"},
		{"sixty years", wealth.FutureValue, fv(`1`, `0`, `60`), true, "the bound is included"},
		{"sixty-one years", wealth.FutureValue, fv(`1`, `0`, `61`), false, "the bound"},
		{"negative years", wealth.FutureValue, fv(`1`, `0`, `-5`), false, "at least one"},
		{"years beyond any integer", wealth.FutureValue, fv(`1`, `0`, `999999999999999999`), false, "no overflow"},
		{"target of zero", wealth.RequiredMonthlySaving, `{"target":0,"annual_rate":0,"years":1}`, false, "more than zero"},
		{"smallest target", wealth.RequiredMonthlySaving, `{"target":"0.0000000001","annual_rate":0,"years":1}`, true, "more than zero"},
		{"whole of zero", wealth.PercentOf, `{"part":1,"whole":"0.00"}`, false, "no division by zero"},
		{"expenses of zero", wealth.CoverMonths, `{"liquid_assets":1,"monthly_expenses":0}`, false, "no division by zero"},
		{"nothing liquid", wealth.CoverMonths, `{"liquid_assets":0,"monthly_expenses":1}`, true, "zero or more"},
		{"household as a number", wealth.ReadPortfolio, `{"household_id":1}`, false, "ids are strings"},
		{"household as null", wealth.ReadPortfolio, `{"household_id":null}`, false, "ids are strings"},
		{"empty household", wealth.ReadPortfolio, `{"household_id":""}`, false, "an id says something"},
		{"long household", wealth.ReadPortfolio, `{"household_id":"` + strings.Repeat("H", 65) + `"}`, false, "ids are short"},
		{"fund as a list", wealth.GetNAV, `{"fund_id":["IDX50"]}`, false, "ids are strings"},
		{"currency in lower case", wealth.GetFXRate, `{"base":"usd","quote":"INR"}`, false, "upper case"},
		{"currency of four letters", wealth.GetFXRate, `{"base":"USDT","quote":"INR"}`, false, "three letters"},
		{"currency with a symbol", wealth.GetFXRate, `{"base":"US$","quote":"INR"}`, false, "letters"},
		{"Cyrillic currency", wealth.GetFXRate, `{"base":"USD","quote":"ІНР"}`, false, "ASCII letters"},
	}
	w := open(t, wealth.AllTools)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := call(w, test.tool, test.args)
			if r.OK() != test.ok || r.Invalid == test.ok {
				t.Errorf("%s: got %s: %s", test.reason, r.Status, r.Data)
			}
		})
	}
	r := call(w, wealth.FutureValue, fv(`1`, `6`, `5`))
	if message := get(t, r, "error").(map[string]any)["message"].(string); !strings.Contains(message, "rates are fractions") {
		t.Errorf("a rate of 6 is told %q; the remedy is that rates are fractions", message)
	}
}

func TestShapes(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	tests := []struct{ name, args, canonical, reason string }{
		{"absent", ``, ``, "stays absent"},
		{"null", `null`, `null`, "no object"},
		{"list", `["1","2"]`, `["1","2"]`, "no object"},
		{"string", `"{}"`, `"{}"`, "no object, though one is inside"},
		{"empty object", `{}`, `{}`, "both arguments are missing"},
		{"one missing", `{"part":"1.50"}`, `{"part":"1.5"}`, "numbers of a bad call are canonical too"},
		{"one too many", `{"part":1,"whole":2,"why":1.50}`, `{"part":"1","whole":"2","why":1.50}`, "unknown arguments stay as they were sent"},
		{"other name", `{"part":1,"Whole":2}`, `{"Whole":2,"part":"1"}`, "names are exact"},
		{"twice", `{"part":1,"part":1,"whole":2}`, `"{\"part\":1,\"part\":1,\"whole\":2}"`, "which one is meant? it becomes text"},
		{"cut", `{"part":1`, `"{\"part\":1"`, "no JSON: it becomes text"},
		{"two objects", `{"part":1,"whole":2}{}`, `"{\"part\":1,\"whole\":2}{}"`, "no JSON value"},
		{"not UTF-8", "\xff", `"` + "\uFFFD" + `"`, "text is made valid"},
		{"too deep", deep, string(sim.MustCanonical(deep[:256])), "it becomes the beginning of its text"},
		{"too long", `{"part":"` + strings.Repeat("1", 70_000) + `"}`, `"{\"part\":\"` + strings.Repeat("1", 256-9) + `"`, "it becomes the beginning of its text"},
	}
	w := open(t, wealth.PercentOf)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := call(w, wealth.PercentOf, test.args)
			if !r.Invalid || r.Code != wealth.CodeInvalidArguments {
				t.Errorf("%s: got %s %s", test.reason, r.Status, r.Code)
			}
			if string(r.Arguments) != test.canonical {
				t.Errorf("%s: canonical %s, want %s", test.reason, r.Arguments, test.canonical)
			}
		})
	}
}

func TestCanonicalArgumentsOfOtherTools(t *testing.T) {
	tests := []struct{ name, tool, args, want, reason string }{
		{"all spellings", wealth.FutureValue, `{"years":5,"principal":2500000.00,"annual_rate":0.060}`, `{"annual_rate":"0.06","principal":"2500000","years":"5"}`, "what traces show"},
		{"bad years", wealth.FutureValue, `{"years":5.0,"principal":"1","annual_rate":"0"}`, `{"annual_rate":"0","principal":"1","years":5.0}`, "what is refused stays visible"},
		{"a number out of range", wealth.FutureValue, `{"years":500,"principal":"1","annual_rate":6.0}`, `{"annual_rate":"6","principal":"1","years":"500"}`, "spelling is one thing, range another"},
		{"ids", wealth.ReadPortfolio, `{ "household_id" : "H-A" }`, `{"household_id":"H-A"}`, "no space"},
		{"an id like a number", wealth.GetNAV, `{"fund_id":"1.50"}`, `{"fund_id":"1.50"}`, "ids are no numbers"},
		{"escapes", wealth.GetNAV, `{"fund_id":"\u0041\"\n\u00e9"}`, `{"fund_id":"A\"\né"}`, "one spelling"},
		{"writing tool", wealth.PlaceOrder, `{"amount":3.00}`, `{"amount":3.00}`, "its arguments are unknown"},
		{"unknown tool", "no_such_tool", `{"b":1.0,"a":[]}`, `{"a":[],"b":1.0}`, "its arguments are unknown"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := wealth.CanonicalArguments(test.tool, json.RawMessage(test.args))
			if string(got) != test.want {
				t.Errorf("%s\n got %s\nwant %s", test.reason, got, test.want)
			}
			if again := wealth.CanonicalArguments(test.tool, got); string(again) != string(got) {
				t.Errorf("not idempotent: %s becomes %s", got, again)
			}
		})
	}
}

// value returns the value of a successful calculation.
func value(t *testing.T, w sim.World, tool, args string) *big.Rat {
	t.Helper()
	v, ok := get(t, call(w, tool, args), "value").(string)
	r, okRat := new(big.Rat).SetString(v)
	if !ok || !okRat {
		t.Fatalf("%s(%s) gave %q", tool, args, v)
	}
	return r
}

func TestProjectionsAreMonotone(t *testing.T) {
	w := open(t, wealth.AllTools)
	for _, years := range []int{1, 2, 7, 60} {
		var before [2]*big.Rat
		for percent := 0; percent <= 100; percent += 4 {
			rate := fmt.Sprintf("%d.%02d", percent/100, percent%100)
			fv := value(t, w, wealth.FutureValue, fmt.Sprintf(`{"principal":"12345.67","annual_rate":"%s","years":%d}`, rate, years))
			rms := value(t, w, wealth.RequiredMonthlySaving, fmt.Sprintf(`{"target":"12345.67","annual_rate":"%s","years":%d}`, rate, years))
			if percent > 0 && (fv.Cmp(before[0]) <= 0 || rms.Cmp(before[1]) > 0) {
				t.Errorf("rate %s over %d years: the value must rise and the saving fall", rate, years)
			}
			before = [2]*big.Rat{fv, rms}
		}
	}
}

// Saving what the calculator says must reach the target, to within what rounding to hundredths
// of so many payments can do.
func TestSavingReachesItsTarget(t *testing.T) {
	w := open(t, wealth.AllTools)
	for _, test := range []struct {
		rate  string
		years int
	}{{"0.12", 10}, {"0.0725", 3}, {"0.0001", 25}, {"1", 1}} {
		saving := value(t, w, wealth.RequiredMonthlySaving, fmt.Sprintf(`{"target":"4000000","annual_rate":"%s","years":%d}`, test.rate, test.years))
		monthly, _ := new(big.Rat).SetString(test.rate)
		monthly.Quo(monthly, big.NewRat(12, 1))
		saved, slack := new(big.Rat), new(big.Rat)
		for range 12 * test.years {
			for _, sum := range []*big.Rat{saved, slack} {
				sum.Add(sum, new(big.Rat).Mul(sum, monthly))
			}
			saved.Add(saved, saving)
			slack.Add(slack, big.NewRat(1, 200))
		}
		off := new(big.Rat).Sub(saved, big.NewRat(4_000_000, 1))
		if off.Abs(off).Cmp(slack) > 0 {
			t.Errorf("rate %s, %d years: saving %s misses the target by %s", test.rate, test.years, saving.FloatString(2), off.FloatString(2))
		}
	}
}
