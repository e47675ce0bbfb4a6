package agent_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// record writes an episode as a bundle does.
func record(ep *agent.Episode) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(ep)
	return b.Bytes(), err
}

// An episode that was written and read again is the same evidence and gives the same bytes.
func TestEpisodeRoundTrip(t *testing.T) {
	full := func(ep *agent.Episode) *agent.Episode {
		floor := 0.25
		ep.Floor, ep.Cost, ep.Budget, ep.BudgetNote, ep.Queued, ep.Pid, ep.Uncertified = &floor, "0.001250", 42, "note", time.Second, 7, true
		ep.Started = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
		ep.Source = tasks.Source{File: "a.feature", Line: 3}
		return ep
	}
	for _, c := range []struct {
		name    string
		ep      *agent.Episode
		answers []string
	}{
		{"answered", full(play(t, loop(costs(add(2), used(3, 4)), says("?"), answer(`{"a":1.0}`)), task(lenient))), []string{`{"a":1.0}`}},
		{"null", play(t, loop(answer(`null`)), task()), []string{""}},
		{"one-of-two", play(t, loop(add(2), answer(`"x"`)), task(twoAsks, limits(tasks.Limits{Turns: 2}))), []string{`"x"`, ""}},
		{"noop", play(t, agent.Noop{}, task(twoAsks)), []string{"", ""}},
		{"hostile", play(t, loop(replies(agent.Reply{Calls: []sim.Call{{Name: "a\x1b\xff\u2028", Arguments: json.RawMessage(`{"n":1,"n":2}`)}, {Name: "add", Arguments: json.RawMessage("\x00{")}}}), says("\xff\xfe<script>\x1b[0m")), task(), inTools), []string{`"�<script>\u001b[0m"`}},
		{"broken", play(t, loop(add(2), tool("fault")), task()), nil},
		{"not-set-up", play(t, loop(), task(defect("new"))), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw, err := record(c.ep)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := sim.ParseJSON(raw); err != nil {
				t.Errorf("the record is not sound: %v", err)
			}
			var back agent.Episode
			d := json.NewDecoder(bytes.NewReader(raw))
			d.DisallowUnknownFields()
			if err := d.Decode(&back); err != nil {
				t.Fatal(err)
			}
			again, err := record(&back)
			if err != nil || !bytes.Equal(raw, again) {
				t.Errorf("written again it differs (%v)\n%s\n%s", err, raw, again)
			}
			if back.Started != c.ep.Started || back.Cost != c.ep.Cost || back.End != c.ep.End {
				t.Errorf("read back as %+v", back)
			}
			for ask, want := range c.answers {
				a, err := c.ep.Evidence(ask)
				b, err2 := back.Evidence(ask)
				if err != nil || err2 != nil {
					t.Fatal(err, err2)
				}
				if string(a.Answer) != want || (a.Answer == nil) != (b.Answer == nil) || !reflect.DeepEqual(a, b) {
					t.Errorf("evidence of ask %d: %+v, read back %+v", ask, a, b)
				}
			}
			if c.answers == nil {
				_, err := c.ep.Evidence(0)
				_, err2 := back.Evidence(0)
				if err == nil || err2 == nil || err.Error() != err2.Error() {
					t.Errorf("a broken episode is no evidence: %v, %v", err, err2)
				}
			}
		})
	}
}

func TestCostIsExact(t *testing.T) {
	for cost, want := range map[json.Number]string{"": "", "0.000001": `"cost":0.000001`, "0": `"cost":0`} {
		raw, err := json.Marshal(&agent.Episode{Cost: cost})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(raw); !strings.Contains(got, want) || want == "" && strings.Contains(got, `"cost"`) {
			t.Errorf("cost %q: %s", cost, got)
		}
	}
}

// An episode whose grading broke can be graded again; one whose playing broke cannot.
func TestEvidenceOfBrokenEpisodes(t *testing.T) {
	ep := play(t, loop(add(2), answer(`1`)), task(func(t *tasks.Task) { t.Rubric.Checks = []grader.Check{fails(0, errors.New("x"))} }))
	if ep.Outcome != grader.Broken || ep.Layer != grader.LayerGrader {
		t.Fatal(ends(ep))
	}
	raw, _ := json.Marshal(ep)
	var back agent.Episode
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if v := grader.Grade(t.Context(), task().Rubric.Checks, &back); v.Outcome != grader.Passed {
		t.Errorf("graded again it is %s: %s", v.Outcome, v.Reason)
	}
}

func TestKey(t *testing.T) {
	if got := agent.Key("a/b.c/d-e", 2); got != "a__b.c__d-e__t2" {
		t.Error(got)
	}
}
