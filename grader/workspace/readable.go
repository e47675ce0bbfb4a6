package workspace

import (
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	world "benchwright/sim/workspace"
)

// readable is what somebody reads in a generated widget: a note without comments and what is
// struck out, a document without its tags, and a table or chart row by row.
func readable(w *world.Widget) string {
	text, ok := w.GeneratedData.(string)
	if !ok {
		var b strings.Builder
		rowText(&b, w.GeneratedData)
		return b.String()
	}
	text = visible(begun(text, 4*maxSaid))
	if w.Type == "html" || strings.Contains(text, "</") || strings.Contains(text, "<br") {
		text = untagged(text)
	}
	return html.UnescapeString(text)
}

// raw is what is looked for in bits: all that a document holds, but its comments.
func raw(w *world.Widget) string {
	if text, ok := w.GeneratedData.(string); ok && w.Type == "html" {
		return html.UnescapeString(visible(text))
	}
	return readable(w)
}

// visible takes out comments and what is struck out.
func visible(text string) string {
	for _, m := range [][2]string{{"<!--", "-->"}, {"[//]:", "\n"}, {"~~", "~~"}} {
		if strings.Contains(text, m[0]) {
			text = without(text, m[0], m[1])
		}
	}
	return text
}

func without(text, open, end string) string {
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
		if end == "\n" {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
}

var blockTags = []string{"p", "br", "div", "li", "ul", "ol", "tr", "table", "thead", "tbody", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "header", "footer", "dl", "dt", "hr", "blockquote", "pre", "body", "html", "title", "caption"}

// untagged is the text of a document: a block a line, a cell of a table behind each bar.
func untagged(text string) string {
	var b strings.Builder
	depth := 0 // of lists
	for text != "" {
		before, rest, ok := strings.Cut(text, "<")
		b.WriteString(before)
		if !ok {
			break
		}
		if rest == "" || rest[0] != '/' && rest[0] != '!' && (rest[0]|0x20 < 'a' || rest[0]|0x20 > 'z') {
			b.WriteByte('<') // no tag
			text = rest
			continue
		}
		tag, after, ok := strings.Cut(rest, ">")
		if !ok {
			break
		}
		text = after
		closing := strings.HasPrefix(tag, "/")
		name := strings.ToLower(strings.TrimLeft(tag, "/"))
		if i := strings.IndexFunc(name, func(r rune) bool { return !wordRune(r) }); i >= 0 {
			name = name[:i]
		}
		switch {
		case !closing && slices.Contains([]string{"script", "style", "del", "s", "strike", "template", "head"}, name):
			end := "</" + name
			i := strings.Index(strings.ToLower(text), end)
			if i < 0 {
				return b.String()
			}
			text = text[i:]
		case name == "td" || name == "th":
			if !closing {
				b.WriteString("| ")
			} else {
				b.WriteByte(' ')
			}
		case name == "dd":
			b.WriteByte(' ')
		case slices.Contains(blockTags, name):
			b.WriteByte('\n')
			if name == "ul" || name == "ol" {
				depth += map[bool]int{true: -1, false: 1}[closing]
			}
			if !closing && len(name) == 2 && name[0] == 'h' && digit(name[1]) {
				b.WriteString(strings.Repeat("#", int(name[1]-'0')) + " ")
			}
			if !closing && name == "li" {
				b.WriteString(strings.Repeat("  ", min(max(depth, 0), 20)) + "- ")
			}
		}
	}
	return b.String()
}

// rowText writes a value for reading: an object a line, each of its values behind its key.
func rowText(b *strings.Builder, v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			rowText(b, e)
		}
	case map[string]any:
		line := b.Len()
		var nested []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			switch e := v[k].(type) {
			case map[string]any, []any:
				nested = append(nested, k)
			case nil:
			default:
				fmt.Fprintf(b, "| %s: %s ", oneLine(k), oneLine(fmt.Sprint(e)))
			}
		}
		if b.Len() > line {
			b.WriteString("|\n")
		}
		for _, k := range nested {
			b.WriteString(oneLine(k) + ":\n")
			rowText(b, v[k])
			b.WriteByte('\n')
		}
	case nil:
	default:
		b.WriteString(fmt.Sprint(v) + "\n")
	}
}

// oneLine keeps a cell in its row.
func oneLine(s string) string { return strings.NewReplacer("\n", " ", "\r", " ", "|", " ").Replace(s) }
