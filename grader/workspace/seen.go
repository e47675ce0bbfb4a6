package workspace

import (
	"html"
	"strings"
)

// seen is what somebody sees of a text that an agent wrote as Markdown, in which HTML may stand: a note or an answer.
// Nobody sees comments, what is struck out, the definitions that links refer to, the addresses and titles of links, images,
// the word behind the marks of a block of code, or what HTML hides.
func seen(text string) string {
	text = shownMarkdown(text)
	if tagged(text) {
		return shownHTML(text, false)
	}
	if strings.Contains(text, "&") {
		text = html.UnescapeString(text)
	}
	return text
}

// tagged reports whether a text has anything that begins like a tag or comment.
func tagged(text string) bool {
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 || i+1 == len(text) {
			return false
		}
		if text = text[i+1:]; tagAt(text) {
			return true
		}
	}
}

// tagAt reports whether what follows a "<" makes a tag or comment of it: a name, and a ">".
func tagAt(s string) bool {
	if strings.HasPrefix(s, "!") || strings.HasPrefix(s, "?") {
		return true
	}
	s = strings.TrimPrefix(s, "/")
	if s == "" || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return false
	}
	i := strings.IndexAny(s[:min(len(s), 64)], " \t\r\n/>:@<")
	return i > 0 && s[i] != ':' && s[i] != '@' && s[i] != '<' && strings.IndexByte(s[:min(len(s), 8<<10)], '>') >= 0
}

// shownMarkdown takes out what Markdown does not show. What it shows as it is written, as code, has no tags.
func shownMarkdown(text string) string {
	if !strings.ContainsAny(text, "`~[<") {
		return text
	}
	text = without(text, "<!--", "-->")
	var b strings.Builder
	fence, defined, before := "", false, "" // the marks around code; after a definition; the line before
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " \t>")
		bare := strings.TrimSpace(body)
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
				b.WriteString("\n")
			} else {
				b.WriteString(strings.ReplaceAll(line, "<", "&lt;"))
			}
			continue
		case strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~"):
			rest := strings.TrimLeft(bare, bare[:1])
			if marks := bare[:len(bare)-len(rest)]; !strings.Contains(rest, "`") {
				fence, before, defined = marks, "", false
				b.WriteString("\n")
				continue
			}
		}
		if defined && isTitle(bare) {
			defined = false
			b.WriteString("\n")
			continue
		}
		defined = false
		if (before == "" || strings.HasPrefix(bare, "[//]:")) && definition(bare) {
			defined = true
			b.WriteString("\n")
			continue
		}
		before = bare
		b.WriteString(shownSpans(line))
	}
	return without(b.String(), "~~", "~~")
}

// definition reports whether a line says where a link leads: [name]: address "title".
func definition(line string) bool {
	if !strings.HasPrefix(line, "[") || strings.HasPrefix(line, "[^") {
		return false
	}
	_, rest, ok := strings.Cut(line, "]:")
	if strings.HasPrefix(line, "[//]:") {
		return true
	}
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "<") {
		_, rest, _ = strings.Cut(rest, ">")
	} else {
		_, rest, _ = strings.Cut(rest, " ")
	}
	rest = strings.TrimSpace(rest)
	return ok && (rest == "" || isTitle(rest))
}

// isTitle reports whether a text is one in quotes or brackets.
func isTitle(s string) bool {
	n := len(s)
	return n > 1 && (s[0] == '"' && s[n-1] == '"' || s[0] == '\'' && s[n-1] == '\'' || s[0] == '(' && s[n-1] == ')')
}

// shownSpans takes images and the addresses of links out of a line.
func shownSpans(line string) string {
	if !strings.ContainsAny(line, "`[") {
		return line
	}
	var b strings.Builder
	last := 0
	open := []int{} // where brackets open
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '`':
			n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
			end := strings.Index(line[i+n:], line[i:i+n])
			if end < 0 {
				i += n - 1
				continue
			}
			end += i + 2*n
			b.WriteString(line[last:i])
			b.WriteString(strings.ReplaceAll(line[i:end], "<", "&lt;"))
			last, i = end, end-1
		case '[':
			open = append(open, i)
		case ']':
			if len(open) == 0 {
				continue
			}
			from := open[len(open)-1]
			open = open[:len(open)-1]
			end := i + 1
			if end < len(line) && line[end] == '(' {
				end = addressEnd(line, end)
			}
			image := from > 0 && line[from-1] == '!' && from-1 >= last
			switch {
			case end == i+1:
			case image:
				b.WriteString(line[last : from-1])
				last, i = end, end-1
			default:
				b.WriteString(line[last : i+1])
				last, i = end, end-1
			}
		}
	}
	b.WriteString(line[last:])
	return b.String()
}

// addressEnd returns where the address of a link ends that opens at i. What has blanks and no title is
// no address: then it is where it opens.
func addressEnd(line string, i int) int {
	end, depth, quote := -1, 0, byte(0)
	for j := i; j < min(len(line), i+2000) && end < 0; j++ {
		switch c := line[j]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && line[j-1] == ' ':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				end = j
			}
		}
	}
	if end < 0 {
		return i
	}
	_, title, _ := strings.Cut(strings.TrimSpace(line[i+1:end]), " ")
	if title = strings.TrimSpace(title); title != "" && !isTitle(title) {
		return i
	}
	return end + 1
}

// without takes out what stands between two marks, with them.
func without(text, open, end string) string {
	if !strings.Contains(text, open) {
		return text
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, open)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		if _, text, ok = strings.Cut(rest, end); !ok {
			if open == "~~" { // never closed
				b.WriteString(rest)
			}
			return b.String()
		}
		b.WriteByte(' ')
	}
}
