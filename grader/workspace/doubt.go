package workspace

import (
	"slices"
	"strings"
)

// What an agent leaves open it does not say either. The rule is for English:
//
//   - A number is open that has a word or sign before it that makes it no more than near or a bound ("about 5", "~5", "at
//     most 5"), and one that stands between others of which "or" leaves the choice ("5, 6 or 7"), unless they are equal.
//   - A name is open beside which "or" stands.
//   - A number behind a word of loss ("lost 5", "a shortfall of 5") is negative, but "profit or loss: 5" is not.
//   - A few digits apart before a number of more than three ("1 182000") leave open where it begins.
const alternative = " or "

var (
	nearWords = strings.Fields("about approximately approx approx. around roughly circa ca ca. nearly almost over under above below maybe perhaps possibly probably presumably " +
		"most least than to")
	nearPairs = map[string][]string{"most": {"at"}, "least": {"at"}, "than": {"more", "less", "fewer", "greater", "higher", "lower"}, "to": {"up", "close"}}
	lossWords = strings.Fields("loss losses lost loses losing shortfall deficit overdrawn overdraft")
	lossLinks = strings.Fields("of by is was at to a the total about")
)

// doubt weighs the numbers of what an agent says.
func (s *saying) doubt() {
	lossy := slices.ContainsFunc([]string{"los", "shortfall", "deficit", "overdra"}, func(w string) bool { return strings.Contains(s.text, w) })
	choice := strings.Contains(s.text, alternative)
	all := s.numbers
	for i := range all {
		q := &all[i]
		if !q.bare {
			continue
		}
		before := s.text[s.lineOf(q.start):q.start]
		if c := currencyBefore(before, len(before)); c < len(before) {
			before = before[:c]
		}
		before = strings.TrimRight(before, " *_`")
		q.doubt = q.doubt || vague(before)
		if lossy && !q.value.negative && loss(before) {
			q.value.negative = q.value.digits != ""
			q.other = decimal{}
		}
		if i > 0 && all[i-1].bare && !q.scaled && !all[i-1].scaled && all[i-1].end <= q.start && q.to-q.from > 3 &&
			allDigits(s.text[q.from:q.to]) && allDigits(s.text[all[i-1].from:all[i-1].to]) && all[i-1].to-all[i-1].from <= 3 && strings.Trim(s.text[all[i-1].end:q.start], " ") == "" {
			q.doubt = true
		}
		if !choice {
			continue
		}
		if i > 0 && s.link(i) == "or" && all[i-1].value != q.value {
			q.doubt = true
			for j := i - 1; j >= 0; j-- {
				if all[j].doubt = true; j == 0 || s.link(j) != "," {
					break
				}
			}
		}
		rest := strings.TrimLeft(s.text[q.end:min(len(s.text), q.end+40)], " *_`)")
		if strings.HasPrefix(rest, "or ") && (i+1 == len(all) || s.link(i+1) != "or") {
			q.doubt = true
		}
	}
}

// lineOf returns where what may stand before a number begins: on its line, and not far.
func (s *saying) lineOf(at int) int {
	from := max(0, at-80)
	return from + strings.LastIndexByte(s.text[from:at], '\n') + 1
}

// link returns what stands between a number and the one before, "," or "or", or "".
func (s *saying) link(i int) string {
	a, b := s.numbers[i-1].end, s.numbers[i].start
	if b <= a || b-a > 20 {
		return ""
	}
	switch strings.Trim(s.text[a:b], " *_`()") {
	case "or", ", or", "and/or":
		return "or"
	case ",":
		return ","
	}
	return ""
}

// vague reports whether a text ends in what makes the number behind it no more than near, or a bound.
func vague(before string) bool {
	if before == "" {
		return false
	}
	for _, sign := range []string{"~", "≈", "∼", "<", "≤", "≥", ">", "<=", ">="} {
		if rest, ok := strings.CutSuffix(before, sign); ok {
			rest = strings.TrimRight(rest, " ")
			return sign != ">" || rest != "" && strings.IndexByte("-=", before[len(before)-2]) < 0 && rest[len(rest)-1] != '>'
		}
	}
	rest, w := lastWord(before)
	if !slices.Contains(nearWords, w) {
		return false
	}
	pairs, ok := nearPairs[w]
	if !ok {
		return true
	}
	_, w = lastWord(strings.TrimRight(rest, " *_`"))
	return slices.Contains(pairs, w)
}

func lastWord(s string) (before, word string) {
	i := strings.LastIndexAny(s, " \t(,;:|\n")
	return s[:i+1], s[i+1:]
}

// loss reports whether a text ends in a word that makes a loss of the number behind it.
func loss(before string) bool {
	before = strings.TrimRight(before, " :=)")
	for range 4 {
		rest, w := lastWord(before)
		if slices.Contains(lossWords, w) {
			return !strings.Contains(rest[max(0, len(rest)-14):], "profit")
		}
		if !slices.Contains(lossLinks, w) {
			return false
		}
		before = strings.TrimRight(rest, " ")
	}
	return false
}

// open reports whether beside a name another stands to choose.
func (s *saying) open(p span) bool {
	after := strings.TrimLeft(s.text[p.to:min(len(s.text), p.to+20)], " *_`)\"'")
	if strings.HasPrefix(after, "or ") && p.to < len(s.text) && !wordAfter(s.text, p.to) {
		return true
	}
	before := strings.TrimRight(s.text[max(0, p.from-20):p.from], " *_`(\"'")
	return strings.HasSuffix(before, " or") || strings.HasSuffix(before, " either")
}
