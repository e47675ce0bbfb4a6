//go:build unix

package features

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"benchwright/grader/gates"
	world "benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/steps/files"
	"benchwright/tasks"
)

// BenchmarkFiles gives, by family, what generating a workspace costs and what certifying one does:
// processor time, that of children included, of each workspace of the sample. A family whose
// workspaces are graded both with and without running code has two rows.
func BenchmarkFiles(b *testing.B) {
	list, err := workspaces()
	if err != nil {
		b.Fatal(err)
	}
	families := builtin.Families()
	of := map[string][]tasks.Task{}
	var names []string
	for _, t := range list {
		name := t.ID.Family()
		if slices.Contains(t.Labels, "code") {
			name += "-code"
		}
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], t)
	}
	slices.Sort(names)
	each := func(b *testing.B, list []tasks.Task, do func(*tasks.Kit, tasks.Task)) {
		begun := cpu(b)
		for b.Loop() {
			kit := files.Kit() // a new one remembers no verdict
			for _, t := range list {
				do(&kit, t)
			}
		}
		b.ReportMetric(float64((cpu(b)-begun).Microseconds())/1000/float64(b.N*len(list)), "cpu-ms/workspace")
	}
	for _, name := range names {
		b.Run(name+"/generate", func(b *testing.B) {
			each(b, of[name], func(_ *tasks.Kit, t tasks.Task) {
				setup, err := world.ParseSetup(t.Setup)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := families.Compile(*setup.Spec); err != nil {
					b.Fatal(err)
				}
			})
		})
		b.Run(name+"/certify", func(b *testing.B) {
			each(b, of[name], func(kit *tasks.Kit, t tasks.Task) {
				if c := gates.Certify(b.Context(), kit, t, gates.Options{}); !c.Held() {
					b.Fatal(gates.Table([]gates.Certificate{c}))
				}
			})
		})
	}
}

// cpu is the processor time of this process and of all that it waited for.
func cpu(b *testing.B) time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}
