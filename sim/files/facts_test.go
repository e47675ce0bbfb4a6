package files_test

import (
	"reflect"
	"testing"

	"benchwright/sim"
	"benchwright/sim/files"
)

func TestFactsSayWhatACallDid(t *testing.T) {
	digest := func(s string) *string { d := files.FileDigest(s); return &d }
	w := open(t, files.KindOf(nil), deskSetup(func(s *files.Setup) { s.Bundle.Observability.IncludeWorkspaceDigest = false }))
	before := state(t, w).Digest()
	for _, c := range []struct {
		name    string
		call    sim.Call
		read    string
		changed map[string]files.Change
		reason  string
	}{
		{"list", call("list_directory"), "", nil, "nothing is changed, and no file read"},
		{"read", call("read_file", "path", "./data/../README.md"), "README.md", nil, "one file has one name"},
		{"read-nothing", call("read_file", "path", "nowhere"), "", nil, "what is not there was not read"},
		{"add", call("write_file", "path", "a", "content", "1"), "", map[string]files.Change{"a": {After: digest("1")}}, "a file is new"},
		{"change", call("append_file", "path", "a", "content", "2"), "", map[string]files.Change{"a": {digest("1"), digest("12")}}, "and changed"},
		{"same", call("write_file", "path", "a", "content", "12"), "", nil, "to write what stands there changes nothing"},
		{"unknown", call("no_such_tool"), "", nil, "there is no such tool"},
		{"submit", call("submit", "path_or_answer", "out.json"), "", nil, "the correction changes nothing"},
	} {
		r := w.Call(t.Context(), c.call)
		f, err := files.ParseFacts(r.Facts)
		if err != nil {
			t.Fatalf("%s: %v: %s", c.name, err, r.Facts)
		}
		after := state(t, w).Digest()
		if f.Before != before || f.After != after || f.Read != c.read || !reflect.DeepEqual(f.Changed, c.changed) {
			t.Errorf("%s: %s\nwant read %q, changed %v: %s", c.name, r.Facts, c.read, c.changed, c.reason)
		}
		before = after
	}
}

func TestFactsOfCommands(t *testing.T) {
	w := open(t, files.KindOf(commands(t)), deskSetup())
	r := w.Call(t.Context(), call("run_shell", "command", "rm README.md; echo 1 > a; ln -s a b; mkdir c"))
	f, err := files.ParseFacts(r.Facts)
	if err != nil {
		t.Fatal(err)
	}
	removed, added, link := f.Changed["README.md"], f.Changed["a"], f.Changed["b"]
	if len(f.Changed) != 3 || removed.After != nil || removed.Before == nil || added.Before != nil || *added.After != files.FileDigest("1\n") || link.After == nil {
		t.Errorf("%s", r.Facts)
	}
}
