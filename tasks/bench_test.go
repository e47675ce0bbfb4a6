package tasks_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"benchwright/tasks"
)

// thousand returns a suite of 1,000 scenarios of one turn, each with its own words, in so many
// files, in a vocabulary of about a hundred sentences.
func thousand(files int) tasks.Suite {
	fsys := fstest.MapFS{}
	for f := range files {
		var b strings.Builder
		b.WriteString("@suite:load @world:counter\nFeature: Load\n  Background:\n    Given at most 3 turns\n")
		for n := range 1000 / files {
			fmt.Fprintf(&b, `
  @level:%d
  Scenario: Task %d
    Given a counter at %d
    When the agent is asked "Add %d to it, please."
    Then the counter stands at %d
    And the reference adds %d
    And the reference answers done
`, n%4, n, n+100, f+1, n+f+101, f+1)
		}
		fsys[fmt.Sprintf("load_%03d.feature", f)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	k := counter()
	for i := range 80 {
		k.Vocabulary = k.Vocabulary.With(tasks.Then(fmt.Sprintf(`the (\w+) of widget %d is "([^"]*)"`, i), func(*tasks.Draft, string, string) error { return nil }))
	}
	return tasks.Suite{Features: fsys, Kits: []tasks.Kit{k}}
}

func BenchmarkCompile1000(b *testing.B) {
	for _, files := range []int{1, 50} {
		b.Run(fmt.Sprintf("files=%d", files), func(b *testing.B) {
			s := thousand(files)
			b.ReportAllocs()
			for b.Loop() {
				if len(compile(b, s).Tasks) != 1000 {
					b.Fatal("want 1000 tasks")
				}
			}
		})
	}
}
