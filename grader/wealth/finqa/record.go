package finqa

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// record is one line of a file for Check.
type record struct {
	id    string
	text  string   // the program as it is shown in messages
	list  []string // the program, if it is a token list; nil otherwise
	table [][]string
	want  Answer
}

// recordKeys are the keys of a line. All are required, and there are no others.
var recordKeys = []string{"id", "program", "table", "exe_ans"}

// run parses and runs the program of the line.
func (rec record) run() (Answer, error) {
	var program Program
	var err error
	if rec.list != nil {
		program, err = ParseTokens(rec.list)
	} else {
		program, err = Parse(rec.text)
	}
	if err != nil {
		return Answer{}, err
	}
	return program.Run(rec.table)
}

// parseRecord reads one line strictly. On error, the record holds the id if that could be read.
func parseRecord(line []byte) (record, error) {
	var rec record
	values, err := objectValues(line)
	if raw, ok := values["id"]; ok {
		idErr := decodeString(raw, &rec.id)
		if err == nil && idErr != nil {
			err = fmt.Errorf("id: %w", idErr)
		}
	}
	if err != nil {
		return rec, err
	}
	for _, key := range recordKeys {
		if _, ok := values[key]; !ok {
			return rec, fmt.Errorf("missing key %q", key)
		}
	}
	if err := rec.setProgram(values["program"]); err != nil {
		return rec, fmt.Errorf("program: %w", err)
	}
	if err := rec.setTable(values["table"]); err != nil {
		return rec, fmt.Errorf("table: %w", err)
	}
	if err := rec.setAnswer(values["exe_ans"]); err != nil {
		return rec, fmt.Errorf("exe_ans: %w", err)
	}
	return rec, nil
}

// objectValues splits a JSON object into its values. The keys are walked one by one because json.Unmarshal into a
// struct keeps the last of two equal keys and ignores the case of keys. On error, the values before it are
// returned.
func objectValues(line []byte) (map[string]json.RawMessage, error) {
	if !utf8.Valid(line) {
		return nil, errors.New("not UTF-8")
	}
	// The whole line is checked first: a decoder alone would stop at the end of the object and not see what
	// follows.
	if err := json.Unmarshal(line, new(json.RawMessage)); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil, fmt.Errorf("want one JSON object with the keys %s", strings.Join(recordKeys, ", "))
	}
	values := map[string]json.RawMessage{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return values, fmt.Errorf("not JSON: %w", err)
		}
		key, _ := token.(string)
		if !slices.Contains(recordKeys, key) {
			return values, fmt.Errorf("unknown key %s (want %s)", quote(key), strings.Join(recordKeys, ", "))
		}
		if _, twice := values[key]; twice {
			return values, fmt.Errorf("key %q occurs twice", key)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return values, fmt.Errorf("not JSON: %w", err)
		}
		values[key] = raw
	}
	return values, nil
}

func (rec *record) setProgram(raw json.RawMessage) error {
	if raw[0] == '"' {
		return decodeString(raw, &rec.text)
	}
	elements, err := arrayElements(raw)
	if err != nil {
		return fmt.Errorf("%w or a string", err)
	}
	rec.list = make([]string, len(elements))
	for i, element := range elements {
		if err := decodeString(element, &rec.list[i]); err != nil {
			return fmt.Errorf("token %d: %w", i, err)
		}
	}
	rec.text = strings.Join(rec.list, " ")
	return nil
}

func (rec *record) setTable(raw json.RawMessage) error {
	rows, err := arrayElements(raw)
	if err != nil {
		return err
	}
	rec.table = make([][]string, len(rows))
	for i, row := range rows {
		cells, err := arrayElements(row)
		if err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
		rec.table[i] = make([]string, len(cells))
		for k, cell := range cells {
			if isNumber(cell) {
				rec.table[i][k] = string(cell)
			} else if err := decodeString(cell, &rec.table[i][k]); err != nil {
				return fmt.Errorf("row %d, cell %d: %w or a number", i, k, err)
			}
		}
	}
	return nil
}

func (rec *record) setAnswer(raw json.RawMessage) error {
	if isNumber(raw) {
		x, err := json.Number(raw).Float64()
		if err != nil {
			return fmt.Errorf("%s: too large for a double", quote(string(raw)))
		}
		rec.want = Answer{Number: x}
		return nil
	}
	var word string
	if err := decodeString(raw, &word); err != nil {
		return fmt.Errorf("%w or a number", err)
	}
	if word != "yes" && word != "no" {
		return fmt.Errorf(`%s: want "yes", "no" or a number`, quote(word))
	}
	rec.want = Answer{Word: word}
	return nil
}

// isNumber reports whether a valid JSON value is a number.
func isNumber(raw json.RawMessage) bool {
	return raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9'
}

// kind names the type of a valid JSON value.
func kind(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	}
	return "a number"
}

// decodeString reads a JSON string; json.Unmarshal alone would also take null.
func decodeString(raw json.RawMessage, s *string) error {
	if raw[0] != '"' {
		return fmt.Errorf("got %s, want a string", kind(raw))
	}
	return json.Unmarshal(raw, s)
}

// arrayElements splits a JSON array; json.Unmarshal alone would also take null.
func arrayElements(raw json.RawMessage) ([]json.RawMessage, error) {
	if raw[0] != '[' {
		return nil, fmt.Errorf("got %s, want a list", kind(raw))
	}
	var elements []json.RawMessage
	err := json.Unmarshal(raw, &elements)
	return elements, err
}
