package workspace

import (
	"slices"
	"strings"
)

// mentioned is a text as it is read for what it must not say: what is denied or left open is mentioned, letters that
// look like others are those, and emphasis parts nothing.
func (s *saying) mentioned() *saying {
	if !s.claim || s.all {
		return s
	}
	text := s.text
	if !ascii(text) {
		text = lookalikes.Replace(text)
	}
	text = unstressed(text)
	if text == s.text && !s.doubts() {
		return s
	}
	return &saying{text: text, claim: true, all: true, long: s.long, exact: s.exact}
}

// unstressed takes out the marks of emphasis that stand within a word.
func unstressed(text string) string {
	if !strings.ContainsAny(text, "*`") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '*' && text[i] != '`' {
			b.WriteByte(text[i])
			continue
		}
		j := i + len(text[i:]) - len(strings.TrimLeft(text[i:], "*`"))
		if j == len(text) || wordAfter(text, j) && i > 0 && text[i-1] != ' ' && text[i-1] != '\n' {
			i = j - 1
			continue
		}
		b.WriteString(text[i:j])
		i = j - 1
	}
	return b.String()
}

// touches reports whether a text that must not be said is mentioned: as [saying.mentions] has it, a number with either sign, more
// digits behind the point or in any unit, and an identifier between whatever marks.
func (s *saying) touches(text string) bool {
	f := newFragment(text)
	if len(s.find(nil, f, false, true)) > 0 {
		return true
	}
	if f.number {
		n := f.numbers[0].own.magnitude()
		whole := plainNumber(f.text) && len(n.digits)+n.exponent > 2 && n.exponent >= 0
		return slices.ContainsFunc(s.quantities(), func(q quantity) bool {
			return q.bare && (q.own.magnitude().near(n) || q.value.magnitude().near(n) || q.other.magnitude() == n || whole && q.own.magnitude().whole() == n)
		})
	}
	if p := shapeOf([]string{f.text}); p != nil {
		return slices.ContainsFunc(p.find(s.text), func(t span) bool { return unmarked(s.text[t.from:t.to]) == unmarked(f.text) })
	}
	return false
}

// magnitude is a number without its sign.
func (d decimal) magnitude() decimal {
	d.negative = false
	return d
}

// whole is a number without what stands behind its point.
func (d decimal) whole() decimal {
	if d.exponent >= 0 {
		return d
	}
	n := len(d.digits) + d.exponent
	if n <= 0 {
		return decimal{}
	}
	t := strings.TrimRight(d.digits[:n], "0")
	return decimal{d.negative, t, n - len(t)}
}
