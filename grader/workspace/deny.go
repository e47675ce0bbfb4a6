package workspace

import (
	"slices"
	"strings"
)

// What an agent denies it does not say. The rule is for English, and simple enough to foresee:
//
//   - The words not, no, none, never, without, neither, nor, nothing, nobody, hardly and cannot, those that end in n't, and
//     false, untrue, wrong and fictitious deny up to six words that follow them in the same clause. A clause ends at the marks . ! ? ; , | and
//     dashes, where brackets close, at a colon, and at words such as but, and, while, than.
//   - Where such a clause runs into a colon at the end of a line, what it introduces is denied; and where the sentence goes on
//     behind the colon, that, if it begins with the denial or is about this, these, those, they, it, that, there or the following:
//     "None of this is open: …", but not "The limit is not breached: …". Only what denies a whole clause does so: without
//     does not, and no does only at the beginning. So does a heading that denies.
//   - "Not only", "no other", "not closed" and the like deny nothing, nor does "No. 5"; and a clause that denies no more than
//     that something is closed, assigned, rounded or the like denies nothing of what its colon introduces.
//
// What is denied afterwards ("BR-2041 is not open") counts as said.
const (
	denyWords  = 6
	mostBefore = 200 // bytes before a denier that are looked at
	longClause = 40  // words of a clause that are looked at
)

var (
	deniers     = []string{"not", "no", "none", "never", "without", "neither", "nor", "nothing", "cannot", "nobody", "hardly", "false", "untrue", "wrong", "fictitious"}
	clauseWords = []string{"but", "and", "however", "while", "whereas", "although", "though", "so", "because", "instead", "only", "except", "than"}
	// After a denier these deny nothing about what follows.
	harmless = strings.Fields("only just merely simply least limited later less fewer doubt other others further " +
		"closed resolved cleared settled remediated remedied fixed addressed escalated reviewed waived cured repaired assigned rounded estimated amended counting including loss losses change changes")
	pointers = []string{"this", "these", "those", "they", "it", "that", "there", "following", "everything", "all"} // to what follows
	between  = []string{"yet", "been", "be", "so", "far", "being", "fully"}                                        // between a denier and what makes it harmless
)

// denied reports whether what begins at a place is denied.
func (s *saying) denied(at int) bool {
	if !s.claim || s.all {
		return false
	}
	if !s.weighed {
		s.denials, s.weighed = s.weigh(), true
	}
	i, found := slices.BinarySearchFunc(s.denials, at, func(d span, at int) int { return d.from - at })
	if !found {
		i--
	}
	return i >= 0 && at < s.denials[i].to
}

// doubts reports whether there is anything in a text that is denied or left open.
func (s *saying) doubts() bool {
	s.denied(0)
	return len(s.denials) > 0 || strings.Contains(s.text, alternative)
}

// weigh returns what is denied, in order and apart.
func (s *saying) weigh() []span {
	if !slices.ContainsFunc([]string{"no", "n't", "n’t", "neither", "without", "never", "false", "untrue", "wrong", "fictitious", "hardly"}, func(w string) bool { return strings.Contains(s.text, w) }) {
		return nil
	}
	var all []span
	lines := s.textLines()
	for i, l := range lines {
		for at := l.from; at < l.to; {
			w := nextWord(s.text, at, l.to)
			if w.from == w.to {
				break
			}
			at = w.to
			if !s.denies(w, l.to) {
				continue
			}
			d, under := s.scope(l, w)
			if under {
				d.to = max(d.to, lines[beneath(lines, i)-1].whole.to)
			}
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b span) int { return a.from - b.from })
	var out []span
	for _, d := range all {
		if n := len(out); n > 0 && d.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, d.to)
			continue
		}
		out = append(out, d)
	}
	return out
}

// denies reports whether a word denies what follows it.
func (s *saying) denies(w span, end int) bool {
	t := s.text[w.from:w.to]
	if !slices.Contains(deniers, t) && !strings.HasSuffix(t, "n't") && !strings.HasSuffix(t, "n’t") {
		return false
	}
	if t == "no" && w.to < end && s.text[w.to] == '.' {
		if j := skipBlank(s.text, w.to+1); j < end && digit(s.text[j]) {
			return false
		}
	}
	next := w
	for range 3 {
		next = nextWord(s.text, next.to, end)
		n := s.text[next.from:next.to]
		if slices.Contains(harmless, n) {
			return false
		}
		if !slices.Contains(between, n) {
			break
		}
	}
	return true
}

// scope returns what a denier denies, and whether that is all that its line introduces.
func (s *saying) scope(l textLine, w span) (span, bool) {
	t := s.text[w.from:w.to]
	whole := t != "without" && (t != "no" || strings.Trim(s.text[l.from:w.from], " "+marks) == "")
	d, words, depth := span{w.to, l.to}, 0, 0
	for i := w.to; i < l.to && words < longClause; {
		n := nextWord(s.text, i, l.to)
		for j := i; j < n.from || n.from == n.to && j < l.to; j++ {
			stop := false
			switch c := s.text[j]; c {
			case '.', '!', '?':
				stop = j+1 == l.to || s.text[j+1] == ' ' || strings.IndexByte(marks, s.text[j+1]) >= 0
			case ';', '|', '\t':
				stop = true
			case ',':
				stop = !(j > 0 && digit(s.text[j-1]) && j+1 < l.to && digit(s.text[j+1]))
			case '(':
				depth++
			case ')':
				depth--
				stop = depth < 0
			case '-':
				stop = j > 0 && s.text[j-1] == ' ' && j+1 < l.to && s.text[j+1] == ' '
			case ':':
				if j+1 < l.to && strings.IndexByte(" \t"+marks, s.text[j+1]) < 0 {
					continue // a time, or an address
				}
				if whole && !s.besides(w.to, j) {
					return s.after(l, w, j)
				}
				stop = true
			default:
				stop = strings.HasPrefix(s.text[j:], "—") || strings.HasPrefix(s.text[j:], " – ")
			}
			if stop {
				d.to = min(d.to, j)
				return d, false
			}
		}
		if n.from == n.to {
			break
		}
		if slices.Contains(clauseWords, s.text[n.from:n.to]) {
			d.to = min(d.to, n.from)
			return d, false
		}
		if words++; words > denyWords {
			d.to = min(d.to, n.from)
		}
		i = n.to
	}
	return d, whole && l.level > 0 && words < longClause
}

// after returns what a clause that denies and runs into a colon denies.
func (s *saying) after(l textLine, w span, colon int) (span, bool) {
	if strings.Trim(s.text[colon+1:l.to], " "+marks) == "" {
		return span{w.to, l.to}, true
	}
	all := l.span
	if i, ok := slices.BinarySearchFunc(l.sentence, colon, func(x span, at int) int { return x.from - at }); ok || i > 0 {
		if !ok {
			i--
		}
		if x := l.sentence[i]; x.from <= colon && colon < x.to {
			all = x
		}
	}
	from := max(min(all.from, w.from), w.from-mostBefore)
	before := strings.Fields(s.text[from:w.from])
	if strings.Trim(strings.Join(before, ""), marks) != "" && !slices.ContainsFunc(before, func(w string) bool { return slices.Contains(pointers, w) }) {
		return span{w.to, colon}, false
	}
	return span{w.to, all.to}, false
}

// besides reports whether a clause denies no more than what makes no denial of what it introduces: that it is resolved, or assigned.
func (s *saying) besides(from, to int) bool {
	for w := nextWord(s.text, from, to); w.from < w.to; w = nextWord(s.text, w.to, to) {
		if slices.Contains(harmless, s.text[w.from:w.to]) {
			return true
		}
	}
	return false
}

// nextWord returns the next run of letters, digits and apostrophes between them.
func nextWord(s string, from, to int) span {
	i := from
	for i < to && !wordAfter(s, i) {
		i++
	}
	j := i
	for j < to {
		if wordAfter(s, j) {
			j++
			for j < to && s[j]&0xC0 == 0x80 {
				j++
			}
		} else if a := apostrophe(s[j:]); a > 0 && j > i && j+a < to && wordAfter(s, j+a) {
			j += a
		} else {
			break
		}
	}
	return span{i, min(j, to)}
}

func apostrophe(s string) int {
	for _, a := range []string{"'", "’"} {
		if strings.HasPrefix(s, a) {
			return len(a)
		}
	}
	return 0
}
