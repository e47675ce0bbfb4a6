// Package stock holds what the families that generate programs share: sources as templates, small
// numbers as Python writes them, documents that settle what is in force, documents that settle
// nothing, and names.
package stock

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"benchwright/sim/files"
)

// Words are what the places of a template are filled with: «name» stands for the word of a name.
type Words map[string]string

// With returns the words with others beside and in place of them.
func (w Words) With(over Words) Words {
	c := Words{}
	for k, v := range w {
		c[k] = v
	}
	for k, v := range over {
		c[k] = v
	}
	return c
}

// Fill fills the places of a text.
func (w Words) Fill(text string) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "«")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "»")
		word, known := w[name]
		if !closed || !known {
			return "", fmt.Errorf("template: no word for the place %q", name)
		}
		b.WriteString(word)
		text = after
	}
}

// Sources reads the templates below a folder and fills them.
func Sources(templates fs.FS, dir string, w Words) (files.Tree, error) {
	t := files.Tree{}
	err := fs.WalkDir(templates, dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(templates, p)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(p, dir+"/")
		if t[name], err = w.Fill(string(raw)); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		return nil
	})
	return t, err
}

// Defects fills the places of the edits of defects.
func Defects(list []files.Defect, w Words) ([]files.Defect, error) {
	out := make([]files.Defect, 0, len(list))
	for _, d := range list {
		edits := make([]files.Edit, 0, len(d.Edits))
		for _, e := range d.Edits {
			var err error
			if e.Old, err = w.Fill(e.Old); err == nil {
				e.New, err = w.Fill(e.New)
			}
			if err != nil {
				return nil, fmt.Errorf("defect %s: %w", d.ID, err)
			}
			edits = append(edits, e)
		}
		d.Edits = edits
		out = append(out, d)
	}
	return out, nil
}

// Decimal is a number of so many units of the last of some places: {125, 1} is 12.5.
type Decimal struct {
	Units  int
	Places int
}

// String writes the number as Python prints the float of it: at least one decimal, no zeros after
// that.
func (d Decimal) String() string {
	s := strconv.Itoa(d.Units)
	sign := ""
	if d.Units < 0 {
		sign, s = "-", s[1:]
	}
	for len(s) <= d.Places {
		s = "0" + s
	}
	whole, part := s[:len(s)-d.Places], strings.TrimRight(s[len(s)-d.Places:], "0")
	if part == "" {
		part = "0"
	}
	return sign + whole + "." + part
}

// Fixed writes the number with all its places.
func (d Decimal) Fixed() string {
	return fmt.Sprintf("%d.%0*d", d.Units/pow(d.Places), d.Places, d.Units%pow(d.Places))
}

func pow(n int) int {
	p := 1
	for range n {
		p *= 10
	}
	return p
}

// MarshalJSON writes the number as String does.
func (d Decimal) MarshalJSON() ([]byte, error) { return []byte(d.String()), nil }

// Ratio returns the quotient of two numbers of units, rounded half up to some places.
func Ratio(units, by, places int) Decimal {
	n := units * pow(places) * 2 / by
	return Decimal{(n + 1) / 2, places}
}

// CSV writes rows as a table with a header.
func CSV(rows ...[]string) string {
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if strings.ContainsAny(cell, ",\"\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
