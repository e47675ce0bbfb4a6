package files

import (
	"bytes"
	"encoding/json"
	"strings"

	"benchwright/sim"
)

// A Readme is what README.md says, section by section. Empty sections are left out.
type Readme struct {
	Title       string
	Description string
	Sections    []Section
	Hints       []string
}

// A Section of a README is a heading over a text, or over a list.
type Section struct {
	Heading string
	Text    string
	Items   []string
}

// String renders the README as Markdown.
func (r Readme) String() string {
	var b strings.Builder
	b.WriteString("# " + r.Title + "\n\n" + strings.TrimSpace(r.Description) + "\n")
	sections := r.Sections
	if len(r.Hints) > 0 {
		sections = append(sections[:len(sections):len(sections)], Section{Heading: "Hints", Items: r.Hints})
	}
	for _, s := range sections {
		if s.Text == "" && len(s.Items) == 0 {
			continue
		}
		b.WriteString("\n## " + s.Heading + "\n\n")
		if s.Text != "" {
			b.WriteString(strings.TrimSpace(s.Text) + "\n")
			if len(s.Items) > 0 {
				b.WriteByte('\n')
			}
		}
		for _, item := range s.Items {
			b.WriteString("- " + item + "\n")
		}
	}
	return b.String()
}

// JSON writes a value as JSON files of workspaces are written: an indent of two spaces, sorted
// keys, a newline at the end. It is for plain data, which cannot fail.
func JSON(v any) string {
	var b bytes.Buffer
	if err := json.Indent(&b, sim.MustCanonical(v), "", "  "); err != nil {
		panic("files: " + err.Error()) // canonical JSON indents
	}
	b.WriteByte('\n')
	return b.String()
}
