package tasks

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	messages "github.com/cucumber/messages/go/v34"

	"benchwright/grader"
)

// A feature is one parsed file.
type feature struct {
	*compiler
	file      string
	src       []byte
	lines     []string
	doc       *messages.GherkinDocument
	dialect   *gherkin.Dialect
	kit       *Kit
	grammar   *grammar
	suite     string
	family    string
	scenarios []*scenario
	flawed    map[string]bool // scenarios, and rows of outlines, whose form is wrong, by node id
	badTags   map[string]bool // labels that are wrong, and have been said to be
	said      map[Problem]bool
}

// A scenario is one task in the making: a plain scenario, or one row of an outline.
type scenario struct {
	Draft *Draft
	title string
	line  int
	row   int // line of the outline's row; 0 for a plain scenario
	steps []stepLine
	known []*sentence // those that its steps say, each once
	stubs []string    // what its steps say that no sentence fits
	dead  bool        // something is wrong already; no task comes of it
	mute  bool        // a step that asks is wrong; demands for want of an ask are no news
}

// A stepLine is one step of a scenario.
type stepLine struct {
	source   grader.Source
	pickle   *messages.PickleStep
	ast      *messages.Step
	sentence *sentence // nil when something is wrong with the step
}

// feature compiles one *.feature file.
func (c *compiler) feature(file string, raw []byte) {
	f := &feature{compiler: c, file: file, flawed: map[string]bool{}, badTags: map[string]bool{}, said: map[Problem]bool{}}
	if !f.text(raw) || !f.parse() || !f.header() {
		return
	}
	f.structure()
	if !f.expand() {
		return
	}
	f.play()
	f.finish()
}

func (f *feature) note(line int, format string, args ...any) {
	f.compiler.note(grader.Source{File: f.file, Line: max(line, 1)}, format, args...)
}

// maxLine is what the parser's scanner takes; a longer line would stop it without a word.
const maxLine = 64<<10 - 1

// text normalises the file: no byte order mark, lines end in a line feed alone.
func (f *feature) text(raw []byte) bool {
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	f.src = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	f.lines = strings.Split(string(f.src), "\n")
	ok := true
	for i, l := range f.lines {
		if len(l) >= maxLine {
			f.note(i+1, "the line is longer than 64 KB: break it up")
			ok = false
		}
		if j := strings.IndexFunc(l, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }); j >= 0 {
			f.note(i+1, "the line holds the control character %q: remove it", l[j])
			ok = false
		}
	}
	return ok
}

// line returns the text of a line, counted from 1.
func (f *feature) line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	return f.lines[n-1]
}

var anyLanguage = regexp.MustCompile(`^\s*#\s*language\s*:`)

// parse builds the document.
func (f *feature) parse() bool {
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(f.src), (&messages.Incrementing{}).NewId)
	if err != nil {
		f.parseErrors(err)
		return false
	}
	if doc == nil || doc.Feature == nil {
		f.note(1, "the file is empty: a feature file starts with tags and a line \"Feature: …\"")
		return false
	}
	for _, c := range doc.Comments {
		if anyLanguage.MatchString(c.Text) {
			f.note(int(c.Location.Line), "this language line has no effect: it must be the first line, and name a language such as en or hi")
		}
	}
	f.doc = doc
	f.dialect = gherkin.DialectsBuiltin().GetDialect(doc.Feature.Language)
	return true
}

// header reads what the feature's own tags say: suite, world, and by the file's name the family.
func (f *feature) header() bool {
	ft := f.doc.Feature
	at := int(ft.Location.Line)
	one := func(key, example string) string {
		var vals []string
		for _, t := range ft.Tags {
			if v, ok := strings.CutPrefix(t.Name, "@"+key+":"); ok {
				vals = append(vals, v)
			}
		}
		switch {
		case len(vals) == 0:
			f.note(at, "the feature has no @%s: tag: write one above it, such as @%s:%s", key, key, example)
		case len(vals) > 1:
			f.note(at, "the feature has %d @%s: tags: leave one", len(vals), key)
		default:
			return vals[0]
		}
		return ""
	}
	f.suite = one("suite", "my-suite")
	if f.suite != "" && ID(f.suite+"/x/x").Valid() != nil {
		f.note(at, "tag @suite:%s: use letters, digits, '.', '_' and '-', not starting with '.' and without '__'", f.suite)
		f.suite = ""
	}
	world := one("world", f.exampleWorld())
	if world != "" {
		if f.kit = f.compiler.suite.Kit(world); f.kit == nil {
			f.note(at, "%v", Unknown("world", world, f.compiler.suite.Worlds()))
		} else {
			f.grammar = f.compiler.grammar(f.kit)
		}
	}
	family, ok := slug(strings.TrimSuffix(path.Base(f.file), path.Ext(f.file)))
	if !ok {
		f.note(at, "the file's name is the family of its tasks, so it needs Latin letters or digits: rename the file")
	} else {
		f.family = family
	}
	return true
}

func (f *feature) exampleWorld() string {
	if w := f.compiler.suite.Worlds(); len(w) > 0 {
		return w[0]
	}
	return "my-world"
}

var parseError = regexp.MustCompile(`^\((\d+):\d+\): (.*)$`)

// parseErrors translates the parser's list of errors.
func (f *feature) parseErrors(err error) {
	lost := false // the feature line itself was not understood; all that follows is noise
	for _, text := range strings.Split(err.Error(), "\n") {
		m := parseError.FindStringSubmatch(text)
		if m == nil {
			if text != "Parser errors:" {
				f.note(1, "cannot read the feature: %s", text)
			}
			continue
		}
		line, _ := strconv.Atoi(m[1])
		msg := m[2]
		got := strings.TrimSpace(f.line(line))
		switch {
		case strings.HasPrefix(msg, "Language not supported: "):
			f.note(line, "%s", f.noLanguage(strings.TrimPrefix(msg, "Language not supported: ")))
		case msg == "A tag may not contain whitespace":
			f.note(line, "a tag may not contain spaces: write @persona:fund_manager, or # before a remark")
		case strings.HasPrefix(msg, "inconsistent cell count"):
			if f.closedRow(line) {
				f.note(line, "the row has another number of cells than the first row of its table; a | within a cell is written \\|")
			}
		case strings.HasPrefix(msg, "unexpected end of file") && strings.Contains(msg, "#DocStringSeparator"):
			f.note(f.last(func(l string) bool { return strings.HasPrefix(l, `"""`) || strings.HasPrefix(l, "```") }), "the doc string that starts here never ends: close it with the same quotes")
		case strings.HasPrefix(msg, "unexpected end of file"):
			if !lost {
				f.note(f.last(func(l string) bool { return l != "" }), "the file ends too early: a tag needs something below it")
			}
		case strings.Contains(msg, "#Language"):
			if !lost {
				f.note(line, "%s cannot start a feature file: expected tags or \"Feature: …\"%s", short(got), suggestKeyword(f.spoken(), got))
			}
			lost = true
		default:
			f.note(line, "cannot read %s here%s", short(got), f.hint(got, msg))
		}
	}
}

// spoken is the dialect of a file that may not have been parsed.
func (f *feature) spoken() *gherkin.Dialect {
	if f.dialect != nil {
		return f.dialect
	}
	for _, l := range f.lines {
		if anyLanguage.MatchString(l) {
			_, lang, _ := strings.Cut(l, ":")
			if d := gherkin.DialectsBuiltin().GetDialect(strings.TrimSpace(lang)); d != nil {
				return d
			}
		}
	}
	return gherkin.DialectsBuiltin().GetDialect(gherkin.DefaultDialect)
}

func (f *feature) noLanguage(lang string) string {
	base, script, _ := strings.Cut(lang, "-")
	switch {
	case strings.EqualFold(lang, "hi-Latn"), strings.EqualFold(lang, "hinglish"):
		return "language " + short(lang) + " has no keywords of its own: Hinglish belongs in an en or hi file, with the keywords of that language"
	case script != "" && gherkin.DialectsBuiltin().GetDialect(base) != nil:
		return "unknown language " + short(lang) + ": write " + base
	}
	return "unknown language " + short(lang) + ": write a code such as en or hi"
}

// last returns the last line for which is holds.
func (f *feature) last(is func(trimmed string) bool) int {
	for i := len(f.lines); i > 0; i-- {
		if is(strings.TrimSpace(f.line(i))) {
			return i
		}
	}
	return 1
}

func (f *feature) hint(got, expected string) string {
	d := f.spoken()
	starts := func(keywords []string) bool {
		return slices.ContainsFunc(keywords, func(k string) bool { return strings.HasPrefix(got, k+":") })
	}
	step := slices.ContainsFunc(d.StepKeywords(), func(k string) bool { return strings.HasPrefix(got, k) })
	switch s := suggestKeyword(d, got); {
	case starts(d.FeatureKeywords()):
		return ": a file holds one feature, and tags stand above it"
	case starts(d.BackgroundKeywords()):
		return ": a background stands before the scenarios of its feature or rule, once and without tags"
	case starts(d.ExamplesKeywords()):
		return ": Examples stand below the steps of an outline"
	case starts(d.RuleKeywords()), starts(d.ScenarioKeywords()), starts(d.ScenarioOutlineKeywords()):
		return ""
	case step:
		return ": a step belongs to a scenario or a background, before any Examples"
	case s != "":
		return s
	case strings.HasPrefix(got, "|"):
		return ": a table belongs below a step or Examples, once"
	case strings.HasPrefix(got, `"""`), strings.HasPrefix(got, "```"):
		return ": a doc string belongs below a step, once"
	case strings.HasPrefix(got, "@"):
		return ": tags belong above a Feature, Rule, Scenario or Examples"
	case strings.Contains(expected, "#StepLine"):
		return ": expected a step that starts with Given, When, Then, And or But"
	}
	return ""
}

// suggestKeyword returns `; did you mean "Given"?` when a line starts with something like a
// keyword of the language.
func suggestKeyword(d *gherkin.Dialect, line string) string {
	if head, _, ok := strings.Cut(line, ":"); ok {
		if s := nearest(strings.TrimSpace(head)+":", titles(d)); s != "" {
			return s
		}
	}
	words := strings.Fields(line)
	for n := 1; n <= min(3, len(words)); n++ {
		var same []string
		head := strings.Join(words[:n], " ")
		for _, k := range d.StepKeywords() {
			if k = strings.TrimSpace(k); k != "*" && len(strings.Fields(k)) == n && slip(head, k) {
				same = append(same, k)
			}
		}
		if s := nearest(head, same); s != "" {
			return s
		}
	}
	return ""
}

// slip reports whether two words differ by at most two letters, in whatever order: "Tehn" is a
// slip for "Then", "This" is not.
func slip(a, b string) bool {
	n := map[rune]int{}
	for _, r := range strings.ToLower(a) {
		n[r]++
	}
	for _, r := range strings.ToLower(b) {
		n[r]--
	}
	d := 0
	for _, c := range n {
		d += max(c, -c)
	}
	return d <= 2
}

// titles are the keywords that end in a colon.
func titles(d *gherkin.Dialect) []string {
	var out []string
	for _, k := range slices.Concat(d.FeatureKeywords(), d.ExamplesKeywords()) {
		out = append(out, k+":")
	}
	return append(out, blocks(d)...)
}

// blocks are the titles that end a description of a feature or rule.
func blocks(d *gherkin.Dialect) []string {
	var out []string
	for _, k := range slices.Concat(d.RuleKeywords(), d.BackgroundKeywords(), d.ScenarioKeywords(), d.ScenarioOutlineKeywords()) {
		out = append(out, k+":")
	}
	return out
}
