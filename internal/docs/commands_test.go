package docs

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"benchwright/agent/ollama"
	"benchwright/cmd"
	"benchwright/cmd/files"
	"benchwright/cmd/wealth"
	"benchwright/cmd/wiki"
	"benchwright/cmd/workspace"
	"benchwright/features"
	"benchwright/internal/run"
)

var verb = regexp.MustCompile(`(?:^|[ (]|/cmd/)bench ([a-z][^|#>;]*)`)

// Every use of the command names a verb with flags and as many arguments as it takes.
func TestVerbsExist(t *testing.T) {
	check := func(at, line string) {
		m := verb.FindStringSubmatch(line)
		if m == nil {
			return
		}
		c, rest, err := cmd.New(features.Suite(), slices.Concat(wealth.Verbs(), workspace.Verbs(), files.Verbs(), wiki.Verbs())...).Find(strings.Fields(m[1]))
		switch {
		case err != nil:
			t.Errorf("%s: %s: %v", at, line, err)
		case c.HasSubCommands() && len(rest) > 0:
			t.Errorf("%s: %s: %s has no verb %s", at, line, c.Name(), rest[0])
		case c.HasSubCommands():
		case c.ParseFlags(rest) != nil:
			t.Errorf("%s: %s: %v", at, line, c.ParseFlags(rest))
		case len(rest) > 0 && c.ValidateArgs(c.Flags().Args()) != nil: // a verb may be named alone
			t.Errorf("%s: %s: %v", at, line, c.ValidateArgs(c.Flags().Args()))
		}
	}
	for _, p := range pages(t) {
		for _, span := range p.spans() {
			check(p.path, span)
		}
		for _, b := range p.blocks {
			for _, line := range strings.Split(b.text, "\n") {
				check(b.at, line)
			}
		}
	}
}

var assignment = regexp.MustCompile(`^([A-Z_]+)=('[^']*'|"[^"]*"|\S*)\s*`)

// The variables of every command line in a shell block could be set together.
func TestVariablesCanBeSetSo(t *testing.T) {
	for _, b := range blocksOf(pages(t), "sh") {
		for _, line := range strings.Split(strings.ReplaceAll(b.text, "\\\n", ""), "\n") {
			var env []string
			rest := line
			for m := assignment.FindStringSubmatch(rest); m != nil; m = assignment.FindStringSubmatch(rest) {
				env = append(env, m[1]+"="+strings.Trim(m[2], `'"`))
				rest = rest[len(m[0]):]
			}
			c, err := run.FromEnv(env)
			if err != nil {
				t.Errorf("%s: %s\n%v", b.at, line, err)
				continue
			}
			if _, err := ollama.ParseOptions(c.Options); err != nil {
				t.Errorf("%s: %s\n%v", b.at, line, err)
			}
		}
	}
}
