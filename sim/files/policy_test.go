package files

import (
	"slices"
	"testing"
)

func TestShellPolicy(t *testing.T) {
	const because = "Shell command rejected because "
	for _, test := range []struct{ line, want, reason string }{
		{"python run_example.py", "", "the documented command"},
		{"python -u run.py --flag -c", "", "an option of the script is not one of Python"},
		{"ls -la src && grep -rn 'x = 1' .", "", "looking around"},
		{"sed -i 's/a b/c/' src/a.py | tail -n 2", "", "an edit in place"},
		{"echo a..b", "", "dots are no parent folder"},
		{"", "", "an empty line does nothing"},
		{"cat ../x", because + "it contains a disallowed path or network target: ../", "above the workspace"},
		{`type ..\x`, because + `it contains a disallowed path or network target: ..\`, "the same on Windows"},
		{"pip install http://x", because + "it contains a disallowed path or network target: http://", "network"},
		{"git clone https://x", because + "it contains a disallowed path or network target: https://", "network"},
		{"echo ftp://x", because + "it contains a disallowed path or network target: ftp://", "network"},
		{"cat $HOME/x", because + "it contains a disallowed path or network target: $HOME", "outside"},
		{"dir %USERPROFILE%", because + "it contains a disallowed path or network target: %USERPROFILE%", "outside"},
		{"ls ~", because + "it contains a disallowed path or network target: ~", "outside"},
		{"cd ..", because + "parent-directory traversal is not allowed.", "a segment of its own"},
		{"ls src/..", because + "parent-directory traversal is not allowed.", "a segment at the end"},
		{"cat /etc/passwd", because + "absolute paths are not allowed.", "absolute"},
		{`more C:\x`, because + "absolute paths are not allowed.", "absolute on Windows, though the quoting takes the backslash"},
		{`more 'C:\x'`, because + "absolute paths are not allowed.", "absolute on Windows"},
		{"X=1 python a.py", because + "inline environment assignments are not allowed.", "assignment"},
		{"CURL x", because + "CURL is outside the allowed policy.", "capitals do not help"},
		{"nc -l 80", because + "nc is outside the allowed policy.", "network"},
		{"python -c 'print(1)'", because + "python -c is not allowed; use run_python with a script.", "inline code"},
		{"python3 -B -m pytest", because + "python -m is not allowed; use run_python with a script.", "a module"},
		{"echo 'x", "Command rejected because it could not be parsed: No closing quotation", "published text"},
		{`echo x\`, "Command rejected because it could not be parsed: No escaped character", "published text"},
	} {
		if got := shellPolicy(test.line); got != test.want {
			t.Errorf("%q: %q, want %q, because: %s", test.line, got, test.want, test.reason)
		}
	}
}

func TestWordsAreSplitAsPythonSplitsThem(t *testing.T) {
	for _, test := range []struct {
		line string
		want []string
		err  error
	}{ // what shlex.split of Python 3.14 returns
		{"", nil, nil},
		{" a  b\tc\nd ", []string{"a", "b", "c", "d"}, nil},
		{`'a b'"c d"e`, []string{"a bc de"}, nil},
		{`a\ b "x\"y\\z\q" '\'`, []string{"a b", `x"y\z\q`, `\`}, nil},
		{`""`, []string{""}, nil},
		{`a '' b`, []string{"a", "", "b"}, nil},
		{`a#b # c`, []string{"a#b", "#", "c"}, nil},
		{`"`, nil, errQuotation},
		{`'x`, nil, errQuotation},
		{`\`, nil, errEscaped},
		{`"a\`, nil, errEscaped},
		{"é 'ü ß'", []string{"é", "ü ß"}, nil},
	} {
		if got, err := splitWords(test.line); err != test.err || !slices.Equal(got, test.want) {
			t.Errorf("%q is split into %q, %v; Python: %q, %v", test.line, got, err, test.want, test.err)
		}
	}
}
