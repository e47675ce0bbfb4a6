package backend

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Str is the text of a JSON value by which options, filters and arguments are compared: what
// Python's str makes of it. Text is itself, true is "True", null is "None", 5 is "5" and 5.0 is
// "5.0".
func Str(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return repr(v)
}

// repr is what Python's repr makes of a JSON value.
func repr(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case string:
		return reprText(v)
	case json.Number:
		return number(v)
	case float64:
		return number(json.Number(strconv.FormatFloat(v, 'g', -1, 64)))
	case int:
		return strconv.Itoa(v)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = repr(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *object:
		parts := make([]string, len(v.keys))
		for i, k := range v.keys {
			parts[i] = reprText(k) + ": " + repr(v.m[k])
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case map[string]any:
		parts := make([]string, 0, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, reprText(k)+": "+repr(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// number spells a JSON number: an integer as it stands, anything else as a Python float.
func number(n json.Number) string {
	s := string(n)
	if !strings.ContainsAny(s, ".eE") {
		if s == "-0" {
			return "0"
		}
		return s
	}
	f, err := n.Float64()
	if err != nil || math.IsInf(f, 0) {
		return s
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	if s = strconv.FormatFloat(f, 'f', -1, 64); !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// reprText quotes text with single quotes, or with double ones if only single ones are inside.
func reprText(s string) string {
	q := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = `"`
	}
	s = strings.ReplaceAll(escape(s), `\`, `\\`)
	if q == "'" {
		s = strings.ReplaceAll(s, "'", `\'`)
	}
	return q + s + q
}

// names words a list as messages do: sorted, each once, ['a', 'b'].
func names(list []string) string {
	list = slices.Clone(list)
	slices.Sort(list)
	list = slices.Compact(list)
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = reprText(shorten(s))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// maxText bounds what a message quotes of a manifest.
const maxText = 200

// shown makes text of a manifest fit for a message, which people read on terminals.
func shown(s string) string { return escape(shorten(s)) }

func shorten(s string) string {
	n := 0
	for i := range s {
		if n++; n > maxText {
			return s[:i] + "…"
		}
	}
	return s
}

func escape(s string) string {
	if strings.IndexFunc(s, unprintable) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unprintable(r) {
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unprintable runes move cursors, hide text or turn it round.
func unprintable(r rune) bool {
	return r != ' ' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r))
}

// splitList splits comma-separated text; blanks round an element do not count.
func splitList(s string) []string {
	var out []string
	for _, e := range strings.Split(s, ",") {
		if e = strings.TrimSpace(e); e != "" {
			out = append(out, e)
		}
	}
	return out
}

// Slug lower-cases s and turns each run of characters outside a-z and 0-9 into one dash, with
// none at the ends. Nothing left gives the fallback.
func Slug(s, fallback string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		} else {
			dash = true
		}
	}
	if b.Len() == 0 {
		return fallback
	}
	return b.String()
}
