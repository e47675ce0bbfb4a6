package finqa

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine is the longest line that Check reads; a longer one is a disagreement. Tables of real reports are a few
// kB.
const maxLine = 64 << 20

// Check runs the programs of a file of JSON lines and compares their answers with the stored ones.
//
// Every line is one object with exactly these keys:
//
//	{"id": "x", "program": "add(1, 2)", "table": [["label", "1", 2]], "exe_ans": 3.0}
//
// program is a text for [Parse] or a list of tokens for [ParseTokens]; a cell is a text or a number, which counts
// by its spelling; exe_ans is a number, "yes" or "no". The answers agree if they are exactly equal as doubles:
// exe_ans is not rounded again.
//
// Check writes one line for every disagreement and, at the end, "agree N/M". A line that is not such an object (not
// JSON, not UTF-8, an unknown, missing or repeated key, a wrong type, more than 64 MB) is a disagreement and counts
// in total; blank lines are skipped, and still count as lines. Foreign text is written quoted and cut.
//
// The error is not nil if there was nothing to check, or if reading or writing failed; then "agree" is not written,
// and agree and total tell how far Check came. A disagreement is not an error.
func Check(r io.Reader, w io.Writer) (agree, total int, err error) {
	return check(lineReader{r: bufio.NewReaderSize(r, 1<<16), max: maxLine}, w)
}

func check(lines lineReader, w io.Writer) (agree, total int, err error) {
	for number := 1; ; number++ {
		line, tooLong, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return agree, total, fmt.Errorf("line %d: %w", number, err)
		}
		if !tooLong && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		total++
		fault := fmt.Sprintf("the line is longer than %d bytes", lines.max)
		if !tooLong {
			fault = disagreement(line)
		}
		if fault == "" {
			agree++
			continue
		}
		if _, err := fmt.Fprintf(w, "line %d: %s\n", number, fault); err != nil {
			return agree, total, fmt.Errorf("writing the disagreement of line %d: %w", number, err)
		}
	}
	if total == 0 {
		return 0, 0, errors.New("there is no program to check (want one JSON object a line)")
	}
	if _, err := fmt.Fprintf(w, "agree %d/%d\n", agree, total); err != nil {
		return agree, total, fmt.Errorf("writing the totals: %w", err)
	}
	return agree, total, nil
}

// disagreement tells what is wrong with one line, and nothing if the answers agree.
func disagreement(line []byte) string {
	rec, err := parseRecord(line)
	if err != nil {
		if rec.id == "" {
			return fmt.Sprintf("broken: %v", err)
		}
		return fmt.Sprintf("id %s: broken: %v", quote(rec.id), err)
	}
	answer, err := rec.run()
	if err == nil && answer == rec.want {
		return ""
	}
	got := answer.String()
	if err != nil {
		got = fmt.Sprintf("error: %v", err)
	}
	return fmt.Sprintf("id %s: program %s: expected %s, got %s", quote(rec.id), quote(rec.text), rec.want, got)
}

// lineReader reads lines of at most max bytes and skips the rest of longer ones.
type lineReader struct {
	r   *bufio.Reader
	max int
}

// next returns the next line without its end; the error is io.EOF after the last. The line is valid until the next
// call.
func (l lineReader) next() (line []byte, tooLong bool, err error) {
	var whole []byte
	for {
		part, err := l.r.ReadSlice('\n')
		if err == io.EOF && len(whole)+len(part) == 0 && !tooLong {
			return nil, false, io.EOF
		}
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return nil, false, err
		}
		if len(whole)+len(bytes.TrimSuffix(part, []byte("\n"))) > l.max {
			tooLong, whole = true, nil
		}
		if !tooLong {
			whole = append(whole, part...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSuffix(whole, []byte("\n")), tooLong, nil
		}
	}
}
