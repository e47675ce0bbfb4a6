package wiki

import (
	"bytes"
	"encoding/json"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	rules "benchwright/grader/wiki"
	"benchwright/reports"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/tasks"
)

// escapes are calls with something that no record may hold. Whoever could break a measurement with one
// had a way out of a failure.
func escapes() map[string]sim.Call {
	home, key := "/home/"+"alice/project", "AKIA"+"ABCDEFGHIJKLMNOP"
	call := func(tool string, arguments map[string]any) sim.Call {
		return sim.Call{Name: tool, Arguments: sim.MustCanonical(arguments)}
	}
	answer := func(v any) sim.Call { return call(world.Finish, map[string]any{"answer": v}) }
	return map[string]sim.Call{
		"home":           call(world.ListDir, map[string]any{"path": home}),
		"root":           call(world.ListDir, map[string]any{"path": "/ro" + "ot"}),
		"behind-a-root":  call(world.ListDir, map[string]any{"path": "/source/.." + home}),
		"read":           call(world.ReadFile, map[string]any{"path": home}),
		"written":        call(world.WritePage, map[string]any{"page_id": home, "content": home, "expected_sha256": key}),
		"skill":          call(world.LoadSkill, map[string]any{"name": home}),
		"key":            call(world.Search, map[string]any{"query": key}),
		"address":        call(world.Search, map[string]any{"query": "file" + "://x"}),
		"page":           call(world.ReadPage, map[string]any{"page_id": home}),
		"tool":           call("file"+"://x", nil), // it is no call
		"answer":         answer(home),
		"answer-deep":    answer(map[string]any{"symbols": []any{map[string]any{"symbol": home, "path": home, "line": 1}}}),
		"answer-key":     answer(map[string]any{home: 1}),
		"answer-named":   answer(map[string]any{"pass" + "word": "q8Zt4LmX0vRw7Ye2"}),
		"answer-in-two":  answer([]any{"tok" + "en='q8Zt4Lm", "X0vRw7Ye2'"}),
		"answer-newline": answer("\n" + home),
		"no-arguments":   {Name: world.ListDir, Arguments: json.RawMessage(`["` + home + `"]`)},
	}
}

// recordsOf are the records of one episode of a qualification.
func recordsOf(t *testing.T, tk tasks.Task, ep *agent.Episode) map[string][]byte {
	t.Helper()
	s, err := parsed(tk)
	if err != nil {
		t.Fatal(err)
	}
	p := played{folder: "codewiki/x", c: plugins(t), run: reports.Run{ID: "r1", Agent: "candidate", Started: noon}}
	p.qualification = &episode{tk, s, &reports.Record{Episode: *ep}}
	files, err := p.records(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestNoAgentBreaksItsRecords plays each escape instead of any work, and some before good work: the records are
// sealed, say what the bundle says, and have a mark where the text was.
func TestNoAgentBreaksItsRecords(t *testing.T) {
	tk := task(t, "three_gates")
	good, err := Candidate(plugins(t), Good, []string{world.Protocol, world.EvidenceSample})
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[grader.Outcome]string{grader.Passed: rules.Pass, grader.Failed: rules.Fail}
	seen := map[string]int{}
	for name, c := range escapes() {
		for _, then := range []struct {
			name  string
			moves []tasks.Move
		}{{"nothing", []tasks.Move{{Calls: []sim.Call{{Name: world.Finish, Arguments: json.RawMessage(`{}`)}}}}}, {"good", good}} {
			if then.name == "good" && c.Name != world.ListDir && c.Name != world.Search {
				continue
			}
			t.Run(name+"-then-"+then.name, func(t *testing.T) {
				moves := append([]tasks.Move{{Calls: []sim.Call{c}}}, then.moves...)
				ep := play(t, tk, loop(agent.Script(Dialect{}, agent.ProtocolJSON, moves)))
				files := recordsOf(t, tk, ep)
				if err := rules.Verify(files); err != nil {
					t.Error(err)
				}
				g, err := rules.ParseGrading(files[rules.GradingFile])
				if err != nil || verdicts[ep.Outcome] == "" || g.Attribution.Verdict != verdicts[ep.Outcome] {
					t.Errorf("the records say %+v, the bundle %s (%s); %v", g.Attribution, ep.Outcome, ep.Reason, err)
				}
				seen[g.Attribution.Verdict]++
				for file, raw := range files {
					for _, text := range []string{"/home/" + "alice", "AKIA" + "ABCD", "q8Zt4Lm"} {
						if bytes.Contains(raw, []byte(text)) {
							t.Errorf("%s holds %s", file, text)
						}
					}
				}
				if name != "no-arguments" && name != "tool" && !bytes.Contains(files[rules.EventsFile], []byte("redacted")) {
					t.Error("nothing is marked")
				}
			})
		}
	}
	if seen[rules.Pass] == 0 || seen[rules.Fail] == 0 {
		t.Errorf("verdicts %v", seen)
	}
}
