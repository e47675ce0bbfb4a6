package files

import (
	"fmt"
	"strings"

	"benchwright/sim"
)

// actions finds the actions of a reply: the reply itself where it is one JSON object, else every
// object within it that has a "tool", wherever it stands: bare, or in a code fence. An object
// within another, or within a JSON string, is none: what a file to be written holds is no action.
func actions(reply string) []map[string]any {
	if o, ok := object(strings.TrimSpace(reply)); ok {
		if _, has := o["tool"]; has {
			return []map[string]any{o}
		}
		return nil
	}
	var found []map[string]any
	wrong := 0
	for at := 0; at < len(reply) && wrong < mostWrong; {
		i := strings.IndexByte(reply[at:], '{')
		if i < 0 {
			break
		}
		at += i
		end := closing(reply, at)
		if end < 0 {
			break
		}
		o, ok := object(reply[at:end])
		switch {
		case !ok:
			wrong++
			at++
			continue
		case o["tool"] != nil:
			found = append(found, o)
		}
		at = end
	}
	return found
}

// mostWrong is how many braces that open no object are tried, so that a reply of nothing but braces
// costs no more than some readings of it.
const mostWrong = 50

func object(text string) (map[string]any, bool) {
	if !strings.HasPrefix(text, "{") {
		return nil, false
	}
	v, err := sim.ParseJSON([]byte(text))
	if err != nil {
		return nil, false
	}
	o, ok := v.(map[string]any)
	return o, ok
}

// closing returns the offset after the brace that closes the one at from, or -1.
func closing(text string, from int) int {
	depth, quoted := 0, false
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// clip bounds a word of somebody else's inside a message.
func clip(s string) string {
	s = strings.Trim(fmt.Sprintf("%q", s), `"`)
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
