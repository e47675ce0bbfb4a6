package gates

import (
	"slices"
	"strings"
	"unicode"
)

// A folded text is its letters and digits alone, in lower case, so that a value is found in it
// however it is spelt: planted-77, PLANTED 77 and planted_77 are one. Found are whole words,
// one or several: ax7 is not in max 70.
type folded struct {
	text  string
	edges []int // offsets at which words begin or end, ascending
}

// fold folds a text. JSON within it counts as its keys and values; no word goes on from one to
// the next.
func fold(text string) folded {
	var b strings.Builder
	b.Grow(len(text))
	f := folded{edges: make([]int, 0, 2+len(text)/4)}
	edge := func() {
		if n := len(f.edges); n == 0 || f.edges[n-1] != b.Len() {
			f.edges = append(f.edges, b.Len())
		}
	}
	edge()
	eachToken(text, 0, func(t string) {
		if t == "" {
			b.WriteByte(0)
		}
		edge()
		for _, r := range t {
			if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
				b.WriteRune(unicode.ToLower(r))
			} else {
				edge()
			}
		}
		edge()
	})
	f.text = b.String()
	return f
}

// fewestFolded is how many letters and digits a value must have to be looked for in another
// spelling: shorter ones turn up by chance.
const fewestFolded = 4

// spelling returns how a value looks in a folded text, or "" for one that has no other
// spelling: a number, whose point means something, or a short one.
func spelling(value string) string {
	if number(nil, value) != nil {
		return ""
	}
	s := strings.ReplaceAll(fold(value).text, "\x00", "")
	if len([]rune(s)) < fewestFolded {
		return ""
	}
	return s
}

// holds reports whether a value stands in the text, in whatever spelling.
func (f folded) holds(value string) bool {
	s := spelling(value)
	return s != "" && f.spells(s)
}

// spells reports whether one of texts holds what spelling returned.
func spells(texts []folded, spelling string) bool {
	return spelling != "" && slices.ContainsFunc(texts, func(f folded) bool { return f.spells(spelling) })
}

// spells is holds for what spelling returned.
func (f folded) spells(s string) bool {
	for from := 0; ; {
		i := strings.Index(f.text[from:], s)
		if i < 0 {
			return false
		}
		i += from
		_, begins := slices.BinarySearch(f.edges, i)
		_, ends := slices.BinarySearch(f.edges, i+len(s))
		if begins && ends {
			return true
		}
		from = i + 1
	}
}
