package workspace

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	world "benchwright/sim/workspace"
)

// readable is what somebody reads in a generated widget: of a note and a document what is seen of it, and a table or
// chart row by row.
func readable(w *world.Widget) string {
	text, ok := w.GeneratedData.(string)
	if !ok {
		var b strings.Builder
		rowText(&b, w.GeneratedData)
		return b.String()
	}
	text = begun(text, 4*maxSaid)
	if w.Type == "html" {
		return shownHTML(text, true)
	}
	return seen(text)
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
