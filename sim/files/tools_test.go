package files_test

import (
	"strings"
	"testing"

	"benchwright/sim/files"
)

// Every text that a tool can answer with, in one workspace.
func TestWhatToolsSay(t *testing.T) {
	m := commands(t)
	for _, test := range []struct{ name, tool, args, message, code, reason string }{
		{"read", "read_file", `{"path":"data/in.txt"}`, "Read data/in.txt", "", "published text"},
		{"read-dotted", "read_file", `{"path":"./data/../data/in.txt"}`, "Read ./data/../data/in.txt", "", "the path is repeated as it was given"},
		{"read-absolute", "read_file", `{"path":"/workspace/data/in.txt"}`, "Read /workspace/data/in.txt", "", "an absolute path may lie inside"},
		{"read-missing", "read_file", `{"path":"data/no.txt"}`, "File not found: data/no.txt", "file_not_found", "published text"},
		{"read-folder", "read_file", `{"path":"data"}`, "Tool execution failed: IsADirectoryError", "tool_execution_error", "as Python has it"},
		{"read-above", "read_file", `{"path":"../x"}`, "Path '../x' escapes workspace root '/workspace'.", "path_escape", "published text, with no path of the host"},
		{"read-etc", "read_file", `{"path":"/etc/passwd"}`, "Path '/etc/passwd' escapes workspace root '/workspace'.", "path_escape", "an absolute path outside"},
		{"read-neighbour", "read_file", `{"path":"../workspace2/x"}`, "Path '../workspace2/x' escapes workspace root '/workspace'.", "path_escape", "a common prefix is not inside"},
		{"read-zero", "read_file", `{"path":"a\u0000b"}`, "Tool execution failed: ValueError: embedded null byte", "tool_execution_error", "as Python has it"},
		{"write", "write_file", `{"path":"a/b/c.txt","content":"x"}`, "Wrote a/b/c.txt", "", "published text; parents are made"},
		{"write-root", "write_file", `{"path":".","content":"x"}`, "Tool execution failed: IsADirectoryError", "tool_execution_error", "the workspace is a folder"},
		{"write-below-file", "write_file", `{"path":"README.md/x","content":"x"}`, "Tool execution failed: NotADirectoryError", "tool_execution_error", "a file is no folder"},
		{"write-above", "write_file", `{"path":"data/../../x","content":"x"}`, "Path 'data/../../x' escapes workspace root '/workspace'.", "path_escape", "published text"},
		{"write-backslash", "write_file", `{"path":"a\\b","content":"x"}`, "Tool execution failed: OSError: no file can have this name", "tool_execution_error", "not every disk could hold it"},
		{"write-long", "write_file", `{"path":"` + strings.Repeat("x", 300) + `","content":"x"}`, "Tool execution failed: OSError: no file can have this name", "tool_execution_error", "no disk could hold it"},
		{"append", "append_file", `{"path":"README.md","content":"x"}`, "Appended to README.md", "", "published text"},
		{"append-new", "append_file", `{"path":"new.md","content":"x"}`, "Appended to new.md", "", "the file is made"},
		{"list", "list_directory", `{"path":"data"}`, "Listed data", "", "published text"},
		{"list-default", "list_directory", `{}`, "Listed .", "", "the default is the workspace"},
		{"list-missing", "list_directory", `{"path":"nope"}`, "Directory not found: nope", "directory_not_found", "published text"},
		{"list-file", "list_directory", `{"path":"README.md"}`, "Directory not found: README.md", "directory_not_found", "a file is no folder"},
		{"shell", "run_shell", `{"command":"cat data/in.txt"}`, "Ran shell command: cat data/in.txt", "", "published text"},
		{"shell-fails", "run_shell", `{"command":"exit 3"}`, "Ran shell command: exit 3", "nonzero_exit", "success is exit 0"},
		{"shell-killed", "run_shell", `{"command":"kill -9 $$"}`, "Ran shell command: kill -9 $$", "nonzero_exit", "a signal is no success"},
		{"shell-refused", "run_shell", `{"command":"curl x"}`, "Shell command rejected because curl is outside the allowed policy.", "command_rejected", "the policy"},
		{"python", "run_python", `{"command_or_script":"count.py"}`, "Ran python command: count.py", "", "published text"},
		{"python-alias", "run_python", `{"command":"count.py x"}`, "Ran python command: count.py x", "", "the alias of the published tools"},
		{"python-missing", "run_python", `{"command_or_script":"python count.py"}`, "Python script not found: python", "command_rejected", "published text"},
		{"python-folder", "run_python", `{"command_or_script":"data"}`, "Python script not found: data", "command_rejected", "a folder is no script"},
		{"python-above", "run_python", `{"command_or_script":"../x.py"}`, "Path '../x.py' escapes workspace root '/workspace'.", "path_escape", "published text"},
		{"python-inline", "run_python", `{"command_or_script":"-c 'print(1)'"}`, "run_python only accepts workspace-relative script paths in v1.", "command_rejected", "published text"},
		{"python-empty", "run_python", `{"command_or_script":" "}`, "Python command rejected because it is empty.", "command_rejected", "there is nothing to run"},
		{"python-lines", "run_python", `{"command_or_script":"print(1)\nprint(2)"}`, "Python command rejected because inline code is disabled; write a script and run it by its path.", "command_rejected", "code is not a path"},
		{"submit-early", "submit", `{"path_or_answer":"out.json"}`, "Not submitted: out.json", "submit_correction", "the artifact is not there yet"},
		{"missing-argument", "write_file", `{"path":"x"}`, "Tool execution failed: KeyError: 'content' is missing", "tool_execution_error", "the missing argument is named"},
		{"wrong-type", "read_file", `{"path":5}`, "Tool execution failed: TypeError: path must be a string", "tool_execution_error", "all arguments are strings"},
		{"no-object", "read_file", `[]`, "Tool execution failed: TypeError: the arguments must be one JSON object that names no key twice", "tool_execution_error", "arguments are an object"},
		{"more-keys", "read_file", `{"path":"README.md","encoding":"x"}`, "Read README.md", "", "the published tools look at what they know"},
		{"unknown", "fly", `{}`, "Unknown tool: fly", "unknown_tool", "published text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.reason == "" {
				t.Fatal("a case needs a reason")
			}
			w := open(t, files.KindOf(m), deskSetup())
			before := state(t, w)
			o, r := raw(t, w, test.tool, test.args)
			if o.Message != test.message || r.Code != test.code || o.Success != (test.code == "") || r.OK() != o.Success {
				t.Errorf("%s(%s) said %q with the code %q, want %q with %q, because: %s", test.tool, test.args, o.Message, r.Code, test.message, test.code, test.reason)
			}
			if !o.Success && state(t, w).Digest() != before.Digest() {
				t.Errorf("%s(%s) failed and changed the workspace", test.tool, test.args)
			}
			if *o.WorkspaceDigest != state(t, w).Digest() {
				t.Error("the digest shown is another than the state's")
			}
		})
	}
}

func TestDisabledToolsAreNotListed(t *testing.T) {
	setup := deskSetup(func(s *files.Setup) { s.Bundle.Tools.WriteFile = false; s.Bundle.Tools.RunShell = false })
	w := open(t, files.KindOf(nil), setup, "submit", "write_file", "read_file", "run_shell")
	var listed []string
	for _, tool := range w.Tools() {
		listed = append(listed, tool.Name)
	}
	if got := strings.Join(listed, " "); got != "read_file submit" {
		t.Errorf("the tools are %s", got)
	}
	for _, name := range []string{"write_file", "append_file"} { // switched off, out of scope
		if o, r := do(t, w, name, "path", "x", "content", ""); o.Message != name+" is disabled" || r.Code != files.CodePermissionDenied || r.Invalid || o.Guidance != nil {
			t.Errorf("%s: %+v", name, o)
		}
	}
	if o, _ := do(t, w, "read_file", "path", "README.md"); strings.Join(o.State.AvailableTools, " ") != "read_file submit" || o.State.StepIndex != 3 {
		t.Errorf("the tool state: %+v", o.State)
	}
}

func TestDigestsAreShownWhereTheSpecSaysSo(t *testing.T) {
	w := open(t, files.KindOf(nil), deskSetup(func(s *files.Setup) { s.Bundle.Observability.IncludeWorkspaceDigest = false }))
	if o, _ := do(t, w, "list_directory"); o.WorkspaceDigest != nil {
		t.Errorf("a digest is shown: %+v", o)
	}
}

func TestAFileThatGrowsTooLargeIsRefused(t *testing.T) {
	w := open(t, files.KindOf(nil), deskSetup())
	half := strings.Repeat("x", 9<<20)
	do(t, w, "write_file", "path", "big", "content", half)
	if o, _ := do(t, w, "append_file", "path", "big", "content", half); o.Message != "Tool execution failed: OSError: no space left in the workspace" {
		t.Errorf("18 MB: %+v", o)
	}
}
