package workspace

import (
	"slices"
	"strings"
)

// A textLine is a line of a text, as Markdown has it.
type textLine struct {
	span          // without what marks it as an item or heading
	whole    span // all of it
	indent   int
	level    int  // of a heading, from 1; a line that is bold as a whole is one of level 7
	item     bool // of a list
	row      bool // of a table
	lead     bool // ends in a colon: what stands beneath belongs to it
	sentence []span
}

func (l textLine) blank() bool { return l.from >= l.to }

// textLines takes a text apart.
func textLines(text string) (out []textLine) {
	for from := 0; from <= len(text); {
		to := len(text)
		if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
			to = from + i
		}
		out = append(out, readLine(text, from, to))
		from = to + 1
	}
	return out
}

func readLine(text string, from, to int) textLine {
	l := textLine{whole: span{from, to}}
	line := text[from:to]
	body := strings.TrimLeft(line, " \t>")
	l.indent = len(line) - len(body)
	start := from + l.indent
	body = strings.TrimRight(body, " \t\r")
	end := start + len(body)
	skip := func(n int) {
		body = strings.TrimLeft(body[n:], " ")
		start = end - len(body)
	}
	if rest := strings.TrimLeft(body, "#"); len(rest) < len(body) && strings.HasPrefix(rest, " ") {
		l.level = min(6, len(body)-len(rest))
		skip(len(body) - len(rest))
	}
	for _, p := range []string{"- ", "* ", "+ ", "• ", "– ", "[ ] ", "[x] "} {
		if strings.HasPrefix(body, p) {
			l.item = true
			skip(len(p))
		}
	}
	if rest := strings.TrimLeft(body, "0123456789"); len(rest) < len(body) && len(body)-len(rest) <= 3 && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		l.item = true
		skip(len(body) - len(rest) + 2)
	}
	l.span = span{start, end}
	bare := strings.TrimRight(body, "*_ ")
	bold := strings.HasPrefix(body, "**") && strings.Count(body, "**") == 2 && len(bare) < len(strings.TrimRight(body, ":"))
	l.lead = strings.HasSuffix(bare, ":") || bold && strings.HasSuffix(strings.TrimRight(body, " "), ":")
	if bold && l.level == 0 && !l.item && strings.HasSuffix(strings.TrimRight(body, ": "), "**") {
		l.level = 7
	}
	l.row = !l.item && l.level == 0 && (strings.HasPrefix(body, "|") || strings.Count(body, "|") > 1 || strings.Count(body, "\t") > 0)
	l.sentence = sentences(text, l.span)
	return l
}

// sentences takes a line apart at full stops and the like, and semicolons. A sentence that goes on
// about the subject of the one before ("It made …") belongs to it.
func sentences(text string, l span) (out []span) {
	from := l.from
	add := func(to int) {
		s := strings.TrimSpace(text[from:to])
		if s != "" {
			first, _, _ := strings.Cut(strings.TrimLeft(s, marks), " ")
			switch strings.TrimRight(first, ",'’s") {
			case "it", "thi", "that", "their", "they", "he", "she", "hi", "her", "which":
				if len(out) > 0 {
					out[len(out)-1].to = to
					from = to
					return
				}
			}
			out = append(out, span{from, to})
		}
		from = to
	}
	for i := l.from; i < l.to; i++ {
		switch text[i] {
		case ';':
			add(i + 1)
		case '.', '!', '?':
			if j := skipMarks(text, i+1); j >= l.to || text[j] == ' ' {
				add(min(j, l.to))
			}
		}
	}
	add(l.to)
	return out
}

const mostBeneath = 200

func (s *saying) textLines() []textLine {
	if !s.lined {
		s.lines, s.lined = textLines(s.text), true
	}
	return s.lines
}

// beneath returns the number of the line that no longer belongs to what line i introduces: a heading
// of no lower level, an item that is not indented more, and, under what is no heading, a line behind the first
// block that is neither an item nor a row. It looks no further than mostBeneath lines.
func beneath(lines []textLine, i int) int {
	top, j, block := lines[i], i+1, !lines[i].lead
	for ; j < min(len(lines), i+1+mostBeneath); j++ {
		l := lines[j]
		switch {
		case l.blank():
			continue
		case l.level > 0 && (top.level == 0 || l.level <= top.level),
			top.item && top.level == 0 && l.indent <= top.indent,
			top.level == 0 && block && lines[j-1].blank() && !l.item && !l.row:
			return j
		}
		block = true
	}
	return j
}

// label gives numbers that do not say their scale that of their label: "P&L (k): 207.3", a column
// "P&L in thousands", or a line "All in thousands" above them.
func (s *saying) label() {
	if !strings.ContainsAny(s.text, "(%"+currencySigns) && !strings.Contains(s.text, "in ") && !strings.Contains(s.text, "000") &&
		!slices.ContainsFunc(currencies, func(c string) bool { return strings.Contains(s.text, c) }) {
		return
	}
	caption, until := 0, 0 // the scale of the lines before until
	var header []int       // by column
	numbers, lines := s.numbers, s.textLines()
	for i, l := range lines {
		line := s.text[l.from:l.to]
		switch {
		case !l.row:
			header = header[:0]
		case (i == 0 || !lines[i-1].row) && i+1 < len(lines) && lines[i+1].row:
			for c := range strings.SplitSeq(line, "|") {
				header = append(header, labelScale(c))
			}
		}
		if !l.row && !strings.ContainsAny(line, "0123456789") {
			switch n := labelScale(line); {
			case n == 0:
			case l.lead || l.level > 0:
				caption, until = n, beneath(lines, i)
			case n > 0:
				caption, until = n, len(lines)
			}
		}
		if i >= until {
			caption = 0
		}
		carried, from := caption, l.from
		for len(numbers) > 0 && numbers[0].from < l.whole.to {
			q := &numbers[0]
			numbers = numbers[1:]
			if !q.bare || q.from < l.from || q.own.digits == "" {
				continue
			}
			label := s.text[min(from, q.from):q.from]
			from = q.to
			if j := strings.LastIndexAny(label, "|\t"); j >= 0 {
				label, carried = label[j:], caption
				if c := strings.Count(s.text[l.from:q.from], "|"); c < len(header) && header[c] != 0 {
					carried = header[c]
				}
			}
			n := labelScale(label)
			if n != 0 || strings.ContainsAny(label, "(:;") {
				carried = caption
			}
			ten := carried
			if n != 0 {
				ten = n
				if strings.Contains(label, ":") { // for all that follows it
					carried = n
				}
			}
			if !q.scaled {
				q.value.exponent += ten
			}
		}
	}
}

// labelScale returns the power of ten that a label says in brackets, or after "in".
func labelScale(label string) int {
	for from := 0; ; {
		i := strings.IndexByte(label[from:], '(')
		if i < 0 {
			break
		}
		i += from
		j := strings.IndexByte(label[i:], ')')
		if j < 0 {
			break
		}
		if n := bracketScale(label[i+1 : i+j]); n != 0 {
			return n
		}
		from = i + j
	}
	for rest := label; ; {
		i := strings.Index(rest, "in ")
		if i < 0 {
			break
		}
		spaced := i == 0 || !wordRune(rune(rest[i-1]))
		rest = rest[i+3:]
		if !spaced {
			continue
		}
		j := skipBlank(rest, currencyAt(rest, 0))
		if n, _, k := scaleWord(rest, j); n != 0 && (k-j > 3 || rest[j] == '%' || rest[j:k] == "bps") && (rest[k-1] == 's' || n < 0) {
			return n
		}
	}
	if strings.Contains(label, "000s") || strings.Contains(label, "'000") {
		return 3
	}
	for i := range len(label) {
		if j := currencyAt(label, i); j > i && !wordBefore(label, i) {
			if n, _, k := scaleWord(label, skipBlank(label, j)); k > j && n > 0 { // $k
				return n
			}
		}
	}
	if t := strings.TrimRight(label, " :"+marks); strings.HasSuffix(t, "%") && !strings.ContainsAny(t, "0123456789") {
		return scales["%"]
	}
	return 0
}

// bracketScale reads what a label has in brackets: a scale, with a currency or "in" beside it.
func bracketScale(s string) (ten int) {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !wordRune(r) && r != '%' }) {
		n, ok := scales[w]
		switch {
		case ok && ten == 0 && w != "b":
			ten = n
		case w == "in" || w == "of" || w == "us" || slices.Contains(currencies, w):
		case len(w) > 2 || ten == 0:
			if strings.Contains(s, "thousand") || strings.Contains(s, "million") || strings.Contains(s, "billion") || strings.Contains(s, "%") {
				continue
			}
			return 0
		}
	}
	return ten
}
