package wealth

import "testing"

func TestDecimal(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-0": "0", "1234567890123456789012": "1234567890123456789012", "0.123456789012": "0.123456789012", "-0.00": "0", "1.50": "1.5", "100": "100", "-2.0": "-2", "0.10": "0.1",
		"": "", "-": "", ".5": "", "5.": "", "05": "", "+5": "", "1e3": "", "1,000": "", " 1": "", "--1": "", "0x1": "", "NaN": "", "१": "",
	} {
		got, ok := Decimal(in)
		if got != want || ok != (want != "") {
			t.Errorf("Decimal(%q) = %q, %v, want %q", in, got, ok, want)
		}
	}
}

func TestArgumentsHaveALimitedLength(t *testing.T) {
	for in, want := range map[string]bool{
		"123456789012345678": true, "1234567890123456789": false, "-123456789012345678": true,
		"0.1234567890": true, "0.12345678901": false, "1e3": false,
	} {
		if got, ok := decimal(in); ok != want {
			t.Errorf("decimal(%q) = %q, %v", in, got, ok)
		}
	}
}
