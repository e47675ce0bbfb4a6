package reports

import (
	"cmp"
	_ "embed"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"benchwright/grader"
)

//go:embed junit.xsd
var xsd []byte

// XSD returns the XML schema of our dialect of JUnit.
func XSD() []byte { return slices.Clone(xsd) }

// maxBody is how long the body of a failure may be.
const maxBody = 16 << 10

type (
	xmlSuite struct {
		XMLName    xml.Name      `xml:"testsuite"`
		Name       string        `xml:"name,attr"`
		Tests      int           `xml:"tests,attr"`
		Failures   int           `xml:"failures,attr"`
		Errors     int           `xml:"errors,attr"`
		Skipped    int           `xml:"skipped,attr"`
		Time       string        `xml:"time,attr"`
		Timestamp  string        `xml:"timestamp,attr"`
		Properties []xmlProperty `xml:"properties>property"`
	}
	xmlCase struct {
		XMLName    xml.Name      `xml:"testcase"`
		Classname  string        `xml:"classname,attr"`
		Name       string        `xml:"name,attr"`
		File       string        `xml:"file,attr,omitempty"`
		Line       int           `xml:"line,attr,omitempty"`
		Time       string        `xml:"time,attr"`
		Properties []xmlProperty `xml:"properties>property,omitempty"`
		Failure    *xmlProblem   `xml:"failure"`
		Error      *xmlProblem   `xml:"error"`
		Skipped    *xmlSkipped   `xml:"skipped"`
	}
	xmlProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	xmlProblem struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Body    string `xml:",cdata"`
	}
	xmlSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// WriteJUnit writes the bundle as JUnit XML: a test suite for each suite and a test case for
// each task, sorted by id, with classname suite.family and the task's name. The time of a test
// case is what its trials took, without queueing. A task with several trials fails if any valid
// one failed, and is an error if none was valid and one broke; the body speaks of each trial.
// A task that was selected and has no record is skipped.
//
// Of a bundle that is not sound, as [Reader.Rows] says, nothing is written.
//
// The output is XML 1.0 and follows [XSD], whatever a model has said.
func (r *Reader) WriteJUnit(w io.Writer) error {
	rows, err := r.Rows()
	if err != nil {
		return err
	}
	return r.writeJUnit(w, rows)
}

func (r *Reader) writeJUnit(w io.Writer, rows []Row) error {
	all := group(r.run, rows)
	var total Counts
	time := 0.0
	for _, t := range all {
		total.add(t.outcome())
		time += t.wall()
	}
	name := r.run.Suite
	if name == "" {
		name = "benchwright"
	}
	x := &xmlWriter{w: w}
	x.printf("%s<testsuites name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%s\">\n",
		xml.Header, attr(name), total.All(), total.Failed, total.Broken, total.Skipped, seconds(time))
	seen := map[[2]string]bool{}
	for len(all) > 0 {
		suite := all[0].ID.Suite()
		n := slices.IndexFunc(all, func(t taskRow) bool { return t.ID.Suite() != suite })
		if n < 0 {
			n = len(all)
		}
		if err := r.writeSuite(x, suite, all[:n], seen); err != nil {
			return err
		}
		all = all[n:]
	}
	x.printf("</testsuites>\n")
	return x.err
}

func (r *Reader) writeSuite(x *xmlWriter, name string, all []taskRow, seen map[[2]string]bool) error {
	var c Counts
	time := 0.0
	for _, t := range all {
		c.add(t.outcome())
		time += t.wall()
	}
	x.open(xmlSuite{
		Name: Clean(name, 200), Tests: c.All(), Failures: c.Failed, Errors: c.Broken, Skipped: c.Skipped,
		Time: seconds(time), Timestamp: r.run.Started.UTC().Format("2006-01-02T15:04:05"),
		Properties: r.runProperties(),
	})
	for _, t := range all {
		tc, err := r.testcase(t)
		if err != nil {
			return err
		}
		if key := [2]string{tc.Classname, tc.Name}; seen[key] { // dots in a suite's or family's name
			tc.Name = Clean(string(t.ID), 300)
		}
		seen[[2]string{tc.Classname, tc.Name}] = true
		x.element(tc)
	}
	x.printf("\t</testsuite>\n")
	return x.err
}

func (r *Reader) runProperties() []xmlProperty {
	p := properties{}
	p.add("run", r.run.ID)
	p.add("kind", r.run.Kind)
	p.add("agent", r.run.Agent)
	if r.run.Model.Name != "" {
		p.add("model", r.run.Model.Name)
		p.add("model_digest", r.run.Model.Digest)
	}
	p.add("protocol", r.run.Protocol)
	p.add("trials", strconv.Itoa(max(r.run.Trials, 1)))
	p.add("gate", r.run.Gate)
	p.add("task_set_digest", string(r.run.TaskSet))
	p.add("commit", r.run.Commit)
	return p
}

func (r *Reader) testcase(t taskRow) (xmlCase, error) {
	tc := xmlCase{
		Classname: Clean(t.ID.Suite()+"."+t.ID.Family(), 200), Name: Clean(t.ID.Name(), 200),
		File: Clean(t.File, 300), Line: t.Line, Time: seconds(t.wall()), Properties: r.taskProperties(t),
	}
	if tc.File == "" {
		tc.Line = 0
	}
	switch outcome := t.outcome(); outcome {
	case grader.Skipped:
		tc.Skipped = &xmlSkipped{"never reached"}
		if len(t.rows) > 0 {
			tc.Skipped.Message = cmp.Or(t.rows[0].Message, "skipped")
		}
	case grader.Failed, grader.Broken:
		first := t.rows[slices.IndexFunc(t.rows, func(row Row) bool { return row.Outcome == outcome })]
		body, err := r.body(t)
		if err != nil {
			return xmlCase{}, err
		}
		p := &xmlProblem{Message: problem(first), Body: body}
		if outcome == grader.Failed {
			p.Type = known(first.Type, string(grader.ContractType), findingTypes)
			tc.Failure = p
		} else {
			p.Type = known(string(first.Layer), string(grader.LayerOrchestration), layers)
			tc.Error = p
		}
	}
	return tc, nil
}

// The words that our dialect knows; a bundle from elsewhere may hold others.
var (
	findingTypes = []string{
		string(grader.StateType), string(grader.TraceType), string(grader.AnswerType),
		string(grader.BudgetType), string(grader.ContractType),
	}
	layers = []string{
		string(grader.LayerProvider), string(grader.LayerAdapter), string(grader.LayerContext),
		string(grader.LayerToolRuntime), string(grader.LayerGrader), string(grader.LayerJudge),
		string(grader.LayerFixture), string(grader.LayerAccounting), string(grader.LayerOrchestration),
	}
)

func known(word, otherwise string, words []string) string {
	if slices.Contains(words, word) {
		return word
	}
	return otherwise
}

// problem is "code: message" of a row, in one line.
func problem(row Row) string {
	code := row.Fault
	if len(row.Codes) > 0 {
		code = row.Codes[0]
	}
	switch {
	case code == "":
		return Clean(row.Message, maxMessage)
	case row.Message == "":
		return Clean(code, maxMessage)
	}
	return Clean(code+": "+row.Message, maxMessage)
}

// body tells of every trial that is not passed, from the records.
func (r *Reader) body(t taskRow) (string, error) {
	var b strings.Builder
	for _, row := range t.rows {
		if len(t.rows) > 1 {
			fmt.Fprintf(&b, "trial %d of %d: %s", row.Trial, max(len(t.rows), t.planned), row.Outcome)
			if row.Outcome == grader.Broken {
				fmt.Fprintf(&b, " (%s)", row.Layer)
			}
			b.WriteByte('\n')
		}
		if row.Outcome == grader.Passed || b.Len() > maxBody {
			continue
		}
		rec, err := r.again(row)
		if err != nil {
			return "", err
		}
		b.WriteString(verdictText(rec))
		fmt.Fprintf(&b, "record: %s\n", Clean(row.Record, 300))
	}
	again := fmt.Sprintf("again: %s\n", Rerun(r.run, t.File, t.Line))
	return CleanText(b.String(), maxBody-len(again)) + again, nil
}

// again reads the record of a row that follows from it.
func (r *Reader) again(row Row) (*Record, error) {
	key := strings.TrimSuffix(strings.TrimPrefix(row.Record, EpisodesDir+"/"), ".json")
	file, raw, err := r.raw(key)
	var rec *Record
	if err == nil {
		rec, err = decodeRecord(key, raw)
	}
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %s: %w", r.name, file, err)
	}
	return rec, nil
}

func (r *Reader) taskProperties(t taskRow) []xmlProperty {
	p := properties{}
	c := t.counts()
	p.labels(labels(t.ID, t.Labels))
	p.add("agent", r.run.Agent)
	p.add("trials", strconv.Itoa(max(len(t.rows), t.planned)))
	p.add("passes", strconv.Itoa(c.Passed))
	if len(t.rows) == 0 {
		return p
	}
	var score mean
	turns, calls := 0, 0
	var usage UsageSums
	record := ""
	for _, row := range t.rows {
		if row.Outcome == grader.Passed || row.Outcome == grader.Failed {
			score.add(row.Score)
		}
		turns, calls = turns+row.Turns, calls+row.Calls
		usage.add(row)
		if record == "" && row.Outcome != grader.Passed {
			record = row.Record
		}
	}
	usage.settle()
	p.add("score", number(score.value()))
	p.add("floor", number(t.rows[0].Floor))
	if slices.ContainsFunc(t.rows, func(row Row) bool { return row.Uncertified }) {
		p.add("uncertified", "true")
	}
	p.add("turns", strconv.Itoa(turns))
	p.add("tool_calls", strconv.Itoa(calls))
	p.add("input_tokens", tokens(usage.Input))
	p.add("output_tokens", tokens(usage.Output))
	p.add("budget_tokens", strconv.FormatInt(usage.Budget, 10))
	cost := "unknown"
	if c := usage.Cost; c != nil {
		cost = string(*c)
	}
	p.add("cost", cost)
	p.add("record", cmp.Or(record, t.rows[0].Record))
	return p
}

// wall is the time of all trials, in seconds.
func (t taskRow) wall() float64 {
	s := 0.0
	for _, row := range t.rows {
		s += row.WallMS
	}
	return s / 1000
}

type properties []xmlProperty

// add leaves out what has no value.
func (p *properties) add(name, value string) {
	if value != "" {
		*p = append(*p, xmlProperty{Clean(name, 100), Clean(value, maxMessage)})
	}
}

// labels adds a property label.KEY for each key, with all its values, and label.TAG = true
// for a tag without a value: consumers that make a map of properties then lose none.
func (p *properties) labels(tags []string) {
	var keys []string
	values := map[string][]string{}
	for _, tag := range tags {
		key, value, ok := strings.Cut(tag, ":")
		if !ok {
			value = "true"
		}
		if values[key] == nil {
			keys = append(keys, key)
		}
		values[key] = append(values[key], value)
	}
	slices.Sort(keys)
	for _, k := range keys {
		p.add("label."+k, strings.Join(values[k], ", "))
	}
}

func number(x *float64) string {
	if x == nil {
		return "unknown"
	}
	return strconv.FormatFloat(round(*x, 4), 'f', -1, 64)
}

func tokens(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return strconv.FormatInt(*n, 10)
}

func seconds(s float64) string { return strconv.FormatFloat(max(s, 0), 'f', 6, 64) }

func attr(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(Clean(s, 200)))
	return b.String()
}

// An xmlWriter writes elements one by one, so that a report of any size needs little memory.
type xmlWriter struct {
	w   io.Writer
	err error
}

func (x *xmlWriter) printf(format string, args ...any) {
	if x.err == nil {
		_, x.err = fmt.Fprintf(x.w, format, args...)
	}
}

func (x *xmlWriter) marshal(v any, depth string) string {
	raw, err := xml.MarshalIndent(v, depth, "\t")
	if err != nil && x.err == nil {
		x.err = err
	}
	return string(raw)
}

func (x *xmlWriter) element(v any) { x.printf("%s\n", x.marshal(v, "\t\t")) }

// open writes an element without its end tag.
func (x *xmlWriter) open(v xmlSuite) {
	x.printf("%s\n", strings.TrimSuffix(x.marshal(v, "\t"), "\n\t</testsuite>"))
}
