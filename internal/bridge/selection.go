package bridge

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/onsi/ginkgo/v2/types"

	"benchwright/internal/run"
)

// selection returns the jobs that Ginkgo's flags select, by the rules that Ginkgo applies to its
// specs: label filter, focused and skipped files, focused and skipped texts, all of which must
// agree. Ginkgo's own preview would tell as much, but it forgets specs and set-up nodes that
// stand at the top level of a test file, outside any container.
func selection(jobs []*run.Job, suite string, cfg types.SuiteConfig) ([]*run.Job, error) {
	label, err := types.ParseLabelFilter(cfg.LabelFilter)
	if err != nil {
		return nil, fmt.Errorf("label filter %q: %w", cfg.LabelFilter, err)
	}
	focusFiles, err := types.ParseFileFilters(cfg.FocusFiles)
	if err != nil {
		return nil, err
	}
	skipFiles, err := types.ParseFileFilters(cfg.SkipFiles)
	if err != nil {
		return nil, err
	}
	focus, err := regexp.Compile(strings.Join(cfg.FocusStrings, "|"))
	if err != nil {
		return nil, fmt.Errorf("-ginkgo.focus: %w", err)
	}
	skip, err := regexp.Compile(strings.Join(cfg.SkipStrings, "|"))
	if err != nil {
		return nil, fmt.Errorf("-ginkgo.skip: %w", err)
	}
	var out []*run.Job
	for _, group := range grouped(jobs) {
		container := containerLocation(group)
		for _, j := range group {
			places := []types.CodeLocation{container, location(j)}
			text := suite + " " + containerText(group) + " " + specName(j)
			if cfg.LabelFilter != "" && !label(specLabels(j)) ||
				len(cfg.FocusFiles) > 0 && !focusFiles.Matches(places) ||
				len(cfg.SkipFiles) > 0 && skipFiles.Matches(places) ||
				len(cfg.FocusStrings) > 0 && !focus.MatchString(text) ||
				len(cfg.SkipStrings) > 0 && skip.MatchString(text) {
				continue
			}
			out = append(out, j)
		}
	}
	return out, nil
}
