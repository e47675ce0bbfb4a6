package files

import (
	"testing"

	world "benchwright/sim/files"
)

// The reference is met by what it left, with what its own command made beside it where every case
// clears that away, and by nothing that code could find to be different.
func TestTheReferenceIsKnownByWhatItLeft(t *testing.T) {
	flow := compile(t, "pipeline", "sales_csv_pipeline", 2, 4)
	both := compile(t, "composite_workspace", "retrieval_guided_pipeline_repair", 3, 7)
	client := compile(t, "retrieval_workspace", "client_adapter_sync", 2, 7)
	for _, c := range []struct {
		name   string
		in     *world.Instance
		over   world.Tree
		solved bool
		reason string
	}{
		{"as-it-is", flow, nil, true, "the solution itself"},
		{"made", flow, world.Tree{"artifacts/x.json": "[]\n"}, true, "what the command makes is cleared away before every case"},
		{"made-otherwise", both, world.Tree{"artifacts/a/b.json": "no JSON", "config/resolved_contract.json": "{}\n"}, true, "whatever it holds"},
		{"beside", flow, world.Tree{"artifacts2/x.json": "[]\n"}, false, "a folder that begins like it is another"},
		{"data", flow, world.Tree{"data/x.csv": "a\n"}, false, "code may read it"},
		{"module", flow, world.Tree{"json.py": "print('x')\n"}, false, "code would import it"},
		{"code", flow, world.Tree{"run_pipeline.py": "print('x')\n"}, false, "it is not the author's"},
		{"no-case-clears", client, world.Tree{"artifacts/x.json": "[]\n"}, false, "calls clear nothing"},
	} {
		e, err := ours().find(c.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := solved(e, c.in, c.in.Solved().With(c.over)); got != c.solved {
			t.Errorf("%s: got %t, want %t: %s", c.name, got, c.solved, c.reason)
		}
	}
	e, _ := ours().find(flow)
	if solved(e, flow, flow.Visible) {
		t.Error("untouched: nothing is solved")
	}
}
