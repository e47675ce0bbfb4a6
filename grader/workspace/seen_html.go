package workspace

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

var (
	// blockTags begin a line, and what follows them too.
	blockTags = strings.Fields("p br div li ul ol tr table thead tbody tfoot h1 h2 h3 h4 h5 h6 section article main nav aside header footer dl dt hr blockquote pre body html caption figure figcaption details summary dialog form fieldset address")
	// unseenTags are never shown, or elsewhere than on the page, or not before somebody acts.
	unseenTags = strings.Fields("head title script style template noscript noembed noframes iframe object embed audio video canvas map option optgroup datalist del s strike desc metadata defs symbol clippath mask param source")
	// flowTags are those in which the line breaks of a note are its own.
	flowTags = strings.Fields("html body div section article main span b i em strong font center details summary blockquote pre")
)

// A page is HTML that is read as it is shown: a block a line, a cell of a table behind each bar, and nothing that is hidden.
type page struct {
	strings.Builder
	document bool     // and not a note with tags in it
	hiding   []string // tags, .classes and #ids that a style sheet hides
	lists    int
}

// shownHTML is the text of HTML.
func shownHTML(text string, document bool) string {
	if !document {
		text = escaped(text)
	}
	root, err := html.Parse(strings.NewReader(text))
	if err != nil { // it is nested too deeply for anybody to show it
		return ""
	}
	p := &page{document: document}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "style" && n.FirstChild != nil {
			p.sheet(n.FirstChild.Data)
		}
	}
	p.write(root, false, document)
	return p.String()
}

// escaped escapes what begins like a tag in a note and is none.
func escaped(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "<")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		if tagAt(rest) {
			b.WriteByte('<')
		} else {
			b.WriteString("&lt;")
		}
		text = rest
	}
}

// write writes what is shown of a node; backed is whether it stands on a background of its own, folded
// whether its line breaks are blanks.
func (p *page) write(n *html.Node, backed, folded bool) {
	switch n.Type {
	case html.TextNode:
		p.text(n, folded)
		return
	case html.CommentNode, html.DoctypeNode:
		return
	case html.ElementNode:
		style, plain := p.styleOf(n)
		backed = backed || style.backed
		if plain || style.hides(backed) {
			return
		}
		folded = (folded || p.document || !slices.Contains(flowTags, n.Data)) && n.Data != "pre" && n.Data != "textarea"
	}
	block := slices.Contains(blockTags, n.Data)
	switch {
	case n.Type != html.ElementNode:
	case n.Data == "td" || n.Data == "th":
		p.WriteString("| ")
		folded = true
	case n.Data == "dd", n.Data == "button", n.Data == "text":
		p.WriteByte(' ')
	case block:
		if !inCell(n) {
			p.WriteByte('\n')
		} else {
			p.WriteByte(' ')
		}
		switch {
		case n.Data == "ul" || n.Data == "ol":
			p.lists++
			defer func() { p.lists-- }()
		case n.Data == "li":
			p.WriteString(strings.Repeat("  ", min(max(p.lists, 0), 20)) + "- ")
		case len(n.Data) == 2 && n.Data[0] == 'h' && digit(n.Data[1]):
			p.WriteString(strings.Repeat("#", int(n.Data[1]-'0')) + " ")
		}
	}
	closed := n.Data == "details" && !has(n, "open")
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !closed || c.Data == "summary" && c.Type == html.ElementNode {
			p.write(c, backed, folded)
		}
	}
	switch {
	case n.Data == "td" || n.Data == "th":
		p.WriteByte(' ')
	case block && n.Data != "br" && !inCell(n):
		p.WriteByte('\n')
	}
}

func (p *page) text(n *html.Node, folded bool) {
	text := n.Data
	if !folded {
		p.WriteString(text)
		return
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		if n.Parent != nil && !slices.Contains([]string{"table", "tbody", "thead", "tr", "ul", "ol", "dl"}, n.Parent.Data) {
			p.WriteByte(' ')
		}
		return
	}
	edge := func(c byte) string {
		if strings.IndexByte(" \t\r\n\f", c) >= 0 {
			return " "
		}
		return ""
	}
	hard := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\f", r) })
	p.WriteString(edge(text[0]) + strings.Join(hard, " ") + edge(text[len(text)-1]))
}

// inCell reports whether a block stands in a cell, where it begins no line of the text.
func inCell(n *html.Node) bool {
	for a := n.Parent; a != nil; a = a.Parent {
		switch a.Data {
		case "td", "th":
			return true
		case "table":
			return false
		}
	}
	return false
}

func has(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// A style is what the attributes of an element say about whether it is seen.
type style struct {
	declared map[string]string
	backed   bool
}

// styleOf reads an element, and reports whether it is one of those that are never seen.
func (p *page) styleOf(n *html.Node) (s style, unseen bool) {
	if slices.Contains(unseenTags, strings.ToLower(n.Data)) || n.Data == "dialog" && !has(n, "open") || has(n, "hidden") || n.Data == "input" {
		return s, true
	}
	if len(p.hiding) > 0 && slices.Contains(p.hiding, n.Data) {
		return s, true
	}
	s.declared = map[string]string{}
	for _, a := range n.Attr {
		switch a.Key {
		case "style":
			declare(s.declared, a.Val)
		case "color", "display", "visibility", "opacity", "font-size":
			s.declared[a.Key] = strings.ToLower(strings.TrimSpace(a.Val))
		case "bgcolor", "background":
			s.backed = true
		case "id":
			unseen = unseen || slices.Contains(p.hiding, "#"+strings.ToLower(a.Val))
		case "class":
			for _, c := range strings.Fields(strings.ToLower(a.Val)) {
				unseen = unseen || slices.Contains(p.hiding, "."+c)
				s.backed = s.backed || n.Namespace == "svg"
			}
		}
	}
	for k, v := range s.declared {
		if strings.HasPrefix(k, "background") && v != "transparent" && v != "none" && !white(v) {
			s.backed = true
		}
	}
	return s, unseen
}

// declare reads declarations of CSS.
func declare(into map[string]string, text string) {
	for d := range strings.SplitSeq(strings.ToLower(text), ";") {
		k, v, _ := strings.Cut(d, ":")
		v, _, _ = strings.Cut(v, "!")
		into[strings.TrimSpace(k)] = strings.Join(strings.Fields(v), " ")
	}
}

// hides reports whether a style keeps an element from being seen.
func (s style) hides(backed bool) bool {
	d := s.declared
	if len(d) == 0 {
		return false
	}
	switch {
	case d["display"] == "none", d["visibility"] == "hidden", d["visibility"] == "collapse", d["content-visibility"] == "hidden",
		nought(d["opacity"]), nought(d["font-size"]), strings.Contains(d["transform"], "scale(0"), nought(d["scale"]),
		strings.Contains(d["text-decoration"]+d["text-decoration-line"], "line-through"),
		strings.Contains(d["clip-path"], "inset(100%") || strings.HasPrefix(d["clip"], "rect(0"),
		strings.HasPrefix(d["text-indent"], "-9"), strings.HasPrefix(d["left"], "-9"), strings.HasPrefix(d["top"], "-9"),
		d["color"] == "transparent", !backed && white(d["color"]), d["color"] != "" && (d["color"] == d["background"] || d["color"] == d["background-color"]):
		return true
	}
	return strings.HasPrefix(d["overflow"], "hidden") && (nought(d["height"]) || nought(d["max-height"]) || nought(d["width"]) || nought(d["max-width"]))
}

func white(color string) bool {
	return slices.Contains([]string{"white", "#fff", "#ffffff", "rgb(255,255,255)", "rgb(255, 255, 255)"}, color)
}

// nought reports whether a size is 0, in whatever unit.
func nought(v string) bool {
	n := strings.TrimRight(v, "abcdefghijklmnopqrstuvwxyz% ")
	return n != "" && strings.Trim(n, "0.") == "" && strings.Contains(n, "0")
}

// sheet notes what a style sheet hides by a tag, class or id. What depends on the medium or the pointer is not read.
func (p *page) sheet(text string) {
	text = without(text, "/*", "*/")
	for text != "" {
		selectors, rest, ok := strings.Cut(text, "{")
		body, after, _ := strings.Cut(rest, "}")
		if text = after; !ok || strings.Contains(selectors, "@") {
			continue
		}
		s := style{declared: map[string]string{}}
		declare(s.declared, body)
		if !s.hides(true) {
			continue
		}
		for one := range strings.SplitSeq(strings.ToLower(selectors), ",") {
			if f := strings.Fields(one); len(f) > 0 && !strings.Contains(one, ":") && len(p.hiding) < 200 {
				p.hiding = append(p.hiding, f[len(f)-1])
			}
		}
	}
}
