package tasks_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"benchwright/tasks"
)

const good = "testdata/good"

// dump writes tasks as JSON, one a line.
func dump(t testing.TB, all []tasks.Task) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, task := range all {
		raw, err := tasks.Encode(task)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(raw)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func compile(t testing.TB, s tasks.Suite) *tasks.Compiled {
	t.Helper()
	c, err := tasks.Compile(s)
	if err != nil {
		t.Fatalf("compile:\n%v", err)
	}
	return c
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
		for i := range max(len(g), len(w)) {
			if i >= len(g) || i >= len(w) || g[i] != w[i] {
				t.Fatalf("%s, line %d (run with -update to rewrite)\n got: %s\nwant: %s", file, i+1, at(g, i), at(w, i))
			}
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

func TestCompileGolden(t *testing.T) {
	golden(t, "good.golden", dump(t, compile(t, suite(good, good)).Tasks))
}

func TestCompileIsSilent(t *testing.T) {
	old := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout = w
	compile(t, suite(good, good))
	os.Stdout = old
	w.Close()
	var b bytes.Buffer
	b.ReadFrom(r)
	if b.Len() > 0 {
		t.Errorf("Compile printed %q", b.String())
	}
	if _, set := os.LookupEnv("GODOG_SEED"); set {
		t.Error("Compile left GODOG_SEED in the environment")
	}
}

func TestCompileTwiceGivesTheSameBytes(t *testing.T) {
	first := dump(t, compile(t, suite(good, good)).Tasks)
	second := dump(t, compile(t, suite(good, good)).Tasks)
	if !bytes.Equal(first, second) {
		t.Error("two compilations of one suite differ")
	}
}

func TestCompileConcurrently(t *testing.T) {
	want := dump(t, compile(t, suite(good, good)).Tasks)
	shared := suite(good, good) // one Suite, several compilers: a Kit must not be written to
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			c, err := tasks.Compile(shared)
			if err != nil {
				t.Error(err)
				return
			}
			if !bytes.Equal(dump(t, c.Tasks), want) {
				t.Error("a concurrent compilation differs")
			}
			if _, err := tasks.Compile(suite(bad, bad)); err == nil {
				t.Error("bad files compile")
			}
		})
	}
	wg.Wait()
}

func TestFind(t *testing.T) {
	c := compile(t, suite(good, good))
	for _, want := range c.Tasks {
		got, ok := c.Find(want.ID)
		if !ok || got.ID != want.ID || got.Source.String() != want.Source.String() {
			t.Errorf("Find(%s) = %s, %v", want.ID, got.ID, ok)
		}
	}
	if _, ok := c.Find("counting/adding/none"); ok {
		t.Error("Find finds a task that does not exist")
	}
}

const head = "@suite:s @world:counter\nFeature: F\n  Background:\n    Given at most 4 turns\n"

const body = `
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
`

// TestIdentity is about what a task is called, and where it says that it comes from.
func TestIdentity(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		ids              []tasks.ID
		lines            []int
		reason           string
	}{
		{"scenario-slug", "t.feature", head + "  Scenario: Restore the stale view – and “leave” 2 notes!" + body,
			[]tasks.ID{"s/t/restore_the_stale_view_and_leave_2_notes"}, []int{5}, "runs of other characters become one _"},
		{"accents", "Café au lait.feature", head + "  Scenario: Über Émile" + body,
			[]tasks.ID{"s/cafe_au_lait/uber_emile"}, []int{5}, "accents are dropped, the letters stay"},
		{"nested-folder", "a/b/Low-Level.feature", head + "  Scenario: x" + body,
			[]tasks.ID{"s/low_level/x"}, []int{5}, "the family is the file's name, whatever its folder"},
		{"id-tag", "t.feature", head + "  @id:B2-x.y\n  Scenario: दो जोड़ो" + body,
			[]tasks.ID{"s/t/B2-x.y"}, []int{6}, "an @id is used as it is, and a name in another script needs one"},
		{"mixed-script", "t.feature", head + "  Scenario: Trade Ideas खोलो" + body,
			[]tasks.ID{"s/t/trade_ideas"}, []int{5}, "what is Latin of a mixed name is enough"},
		{"number", "t.feature", head + "  Scenario: 42" + body,
			[]tasks.ID{"s/t/42"}, []int{5}, "a number is a name; only digits left over from another script are none"},
		{"rows", "t.feature", head + "  Scenario Outline: Add <n> to <key>\n    Given a counter at <n>" + body + "    Examples:\n      | key | n |\n      | Level 3 | 1 |\n      | 7,5 | 2 |\n",
			[]tasks.ID{"s/t/add_to_level_3", "s/t/add_to_7_5"}, []int{12, 13}, "columns vary, so they are left out of the slug; the first column's cell is added"},
		{"rows-with-id", "t.feature", head + "  @id:add\n  Scenario Outline: जोड़ो\n    Given a counter at <n>" + body + "    Examples:\n      | key | n |\n      | a | 1 |\n",
			[]tasks.ID{"s/t/add_a"}, []int{13}, "an @id takes the place of the slug, not of the key"},
		{"example-keyword", "t.feature", head + "  Example: x\n    Given a counter at <n>" + body + "    Scenarios:\n      | key | n |\n      | a | 1 |\n",
			[]tasks.ID{"s/t/x_a"}, []int{12}, "a Scenario with Examples is an outline"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case without a reason")
			}
			all := compile(t, one(c.file, c.text)).Tasks
			var ids []tasks.ID
			var lines []int
			for _, task := range all {
				ids, lines = append(ids, task.ID), append(lines, task.Source.Line)
				if task.Source.File != c.file {
					t.Errorf("source %s, want the file %s", task.Source, c.file)
				}
			}
			if !slices.Equal(ids, c.ids) || !slices.Equal(lines, c.lines) {
				t.Errorf("got %v at %v\nwant %v at %v\nreason: %s", ids, lines, c.ids, c.lines, c.reason)
			}
		})
	}
}

// TestTags is about what tags do, and how they are inherited.
func TestTags(t *testing.T) {
	text := `@suite:s @world:counter @a @trials:2
Feature: F
  Background:
    Given at most 4 turns

  Scenario: plain` + body + `
  @b @a @persona:compliance
  Scenario Outline: rows
    Given a counter at <n>` + body + `
    @c
    Examples:
      | key | n |
      | 1   | 1 |

    @requires:t:plain
    Examples:
      | key | n |
      | 2   | 1 |

  @r @requires:rows_1
  Rule: R
    @requires:rows_1
    Scenario: ruled` + body + `
  @requires:s:t:ruled
  Rule: R
    @family:t
    Scenario: again` + body
	all := compile(t, one("t.feature", text)).Tasks
	for i, want := range []struct {
		id       tasks.ID
		labels   string
		requires tasks.ID
		reason   string
	}{
		{"s/t/plain", "suite:s world:counter a trials:2 family:t", "", "feature tags reach everything; the family is added"},
		{"s/t/rows_1", "suite:s world:counter a trials:2 b persona:compliance c family:t", "", "each label once, outer tags first"},
		{"s/t/rows_2", "suite:s world:counter a trials:2 b persona:compliance requires:t:plain family:t", "s/t/plain", "tags of Examples reach their rows alone; family:name"},
		{"s/t/ruled", "suite:s world:counter a trials:2 r requires:rows_1 family:t", "s/t/rows_1", "a rule's tags reach its scenarios; saying one twice is no contradiction"},
		{"s/t/again", "suite:s world:counter a trials:2 requires:s:t:ruled family:t", "s/t/ruled", "a second rule does not get the first one's tags"},
	} {
		got := all[i]
		if got.ID != want.id || strings.Join(got.Labels, " ") != want.labels || got.Requires != want.requires || got.Trials != 2 {
			t.Errorf("got %s, labels %v, requires %q, %d trials\nwant %+v", got.ID, got.Labels, got.Requires, got.Trials, want)
		}
	}
}

// Byte order marks and carriage returns are how some editors save; they change nothing.
func TestLineEndings(t *testing.T) {
	text := head + "  Scenario: x\n    When the agent is asked:\n      \"\"\"\n      one\n      two\n      \"\"\"\n    Then the counter stands at 1\n    And the reference adds 1\n"
	want := dump(t, compile(t, one("t.feature", text)).Tasks)
	for name, variant := range map[string]string{
		"bom":  "\uFEFF" + text,
		"crlf": strings.ReplaceAll(text, "\n", "\r\n"),
		"both": "\uFEFF" + strings.ReplaceAll(text, "\n", "\r\n"),
	} {
		if got := dump(t, compile(t, one("t.feature", variant)).Tasks); !bytes.Equal(got, want) {
			t.Errorf("%s changes the task:\n got %s\nwant %s", name, got, want)
		}
	}
}

func TestBackgrounds(t *testing.T) {
	all := compile(t, suite(good, "")).Tasks
	i := slices.IndexFunc(all, func(task tasks.Task) bool { return task.ID == "counting/rules/raise" })
	var got []string
	for _, s := range all[i].Source.Steps {
		got = append(got, s.String()+" "+s.Text)
	}
	want := []string{
		"nested/rules.feature:4 Given at most 6 turns",
		"nested/rules.feature:11 Given a counter at 1",
		`nested/rules.feature:14 When the agent is asked "Raise it."`,
		"nested/rules.feature:15 Then the counter stands at 2",
		"nested/rules.feature:16 And the reference adds 1",
		"nested/rules.feature:17 And the reference answers ok",
	}
	if !slices.Equal(got, want) {
		t.Errorf("steps of a scenario in a rule:\n%s\nwant the feature's background, then the rule's, then its own:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What a suite must have before any file is looked at.
func TestSuites(t *testing.T) {
	k := counter()
	unnamed := counter()
	unnamed.Kind.Name = ""
	for _, c := range []struct {
		name  string
		suite tasks.Suite
		want  string
	}{
		{"nothing", tasks.Suite{Kits: []tasks.Kit{k}}, "the suite has no tasks"},
		{"no-kits", one("t.feature", head+"  Scenario: x"+body), "the suite has no kits"},
		{"twin-kits", tasks.Suite{Kits: []tasks.Kit{k, k}}, `two kits of the suite are called "counter"`},
		{"unnamed-kit", tasks.Suite{Kits: []tasks.Kit{unnamed}}, "has no name"},
		{"no-folder", suite("testdata/nowhere", ""), "no such file"},
		{"large", one("t.feature", strings.Repeat("# much\n", 2<<20)), "t.feature:1: the file is larger than 8 MB: split it"},
		{"many-steps", one("t.feature", head+"  Scenario Outline: x\n"+strings.Repeat("    Given a counter at <n>\n", 3000)+"    Examples:\n      | n |\n"+strings.Repeat("      | 1 |\n", 3000)), "t.feature:1: the file expands to"},
		{"many-bytes", one("t.feature", head+"  Scenario Outline: x\n    Given "+strings.Repeat("<n>", 20000)+"\n    Examples:\n      | n |\n      | "+strings.Repeat("1", 60000)+" |\n"), "the outlines expand to more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "no-kits" {
				c.suite.Kits = nil
			}
			_, err := tasks.Compile(c.suite)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}
