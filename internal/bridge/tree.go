package bridge

import (
	"fmt"
	"slices"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"benchwright/internal/run"
	"benchwright/tasks"
)

// declare adds a container for every feature file and a spec for every job. Files whose tasks
// require one another share an ordered container, so that no two processes divide them.
func declare(jobs []*run.Job, body func(ginkgo.SpecContext, *run.Job)) {
	for _, group := range grouped(jobs) {
		args := []any{containerLocation(group)}
		if slices.ContainsFunc(group, func(j *run.Job) bool { return j.Task.Requires != "" }) {
			args = append(args, ginkgo.Ordered, ginkgo.ContinueOnFailure)
		}
		ginkgo.Describe(containerText(group), append(args, func() {
			for _, j := range group {
				ginkgo.It(specName(j), specLabels(j), location(j), func(ctx ginkgo.SpecContext) { body(ctx, j) })
			}
		})...)
	}
}

func containerText(group []*run.Job) string {
	return group[0].Task.ID.Suite() + " " + group[0].Task.ID.Family()
}

func containerLocation(group []*run.Job) types.CodeLocation {
	return types.CodeLocation{FileName: group[0].Task.Source.File, LineNumber: 1}
}

func location(j *run.Job) types.CodeLocation {
	return types.CodeLocation{FileName: j.Task.Source.File, LineNumber: j.Task.Source.Line}
}

// specName is the spec's text: the task's name, and the trial where there are several.
func specName(j *run.Job) string {
	if j.Of > 1 {
		return fmt.Sprintf("%s [%d/%d]", j.Task.ID.Name(), j.Trial, j.Of)
	}
	return j.Task.ID.Name()
}

func specLabels(j *run.Job) ginkgo.Labels {
	labels := slices.Clone(j.Task.Labels)
	if j.Of > 1 {
		labels = append(labels, fmt.Sprintf("try:%d", j.Trial))
	}
	return labels
}

// specKey finds a spec's job again in Ginkgo's reports.
func specKey(file string, line int, text string) string {
	return fmt.Sprintf("%s:%d %s", file, line, text)
}

// grouped puts the jobs of a file together, and those of files that require one another; what is
// required comes first.
func grouped(jobs []*run.Job) [][]*run.Job {
	fileOf := map[tasks.ID]string{}
	for _, j := range jobs {
		fileOf[j.Task.ID] = j.Task.Source.File
	}
	parent := map[string]string{}
	var root func(string) string
	root = func(f string) string {
		if p, ok := parent[f]; ok && p != f {
			return root(p)
		}
		return f
	}
	for _, j := range jobs {
		if f, ok := fileOf[j.Task.Requires]; ok && j.Task.Requires != "" {
			if a, b := root(j.Task.Source.File), root(f); a != b {
				parent[a] = b
			}
		}
	}
	var out [][]*run.Job
	at := map[string]int{}
	for _, j := range jobs {
		k := root(j.Task.Source.File) + "\x00" + j.Task.ID.Suite()
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], j)
	}
	for _, g := range out {
		slices.SortStableFunc(g, func(a, b *run.Job) int { return depth(g, a) - depth(g, b) })
	}
	return out
}

// depth is how many requirements stand before a job.
func depth(group []*run.Job, j *run.Job) int {
	n := 0
	for id := j.Task.Requires; id != "" && n <= len(group); n++ {
		i := slices.IndexFunc(group, func(o *run.Job) bool { return o.Task.ID == id })
		if i < 0 {
			break
		}
		id = group[i].Task.Requires
	}
	return n
}
