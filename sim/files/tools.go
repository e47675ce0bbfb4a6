package files

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"benchwright/sim"
	"benchwright/sim/files/sandbox"
)

// The tools, in the order of the protocol.
const (
	toolRead   = "read_file"
	toolWrite  = "write_file"
	toolAppend = "append_file"
	toolList   = "list_directory"
	toolShell  = "run_shell"
	toolPython = "run_python"
	toolSubmit = "submit"
)

// Codes of results that are not ok. Beside them there are the limits of package sandbox.
const (
	CodeFileNotFound      = "file_not_found"
	CodeDirectoryNotFound = "directory_not_found"
	CodePermissionDenied  = "permission_denied"
	CodeCommandRejected   = "command_rejected"
	CodeTimeout           = "timeout"
	CodePathEscape        = "path_escape"
	CodeToolError         = "tool_execution_error"
	CodeUnknownTool       = "unknown_tool"
	CodeEpisodeDone       = "episode_done"
	CodeSubmitCorrection  = "submit_correction"
	CodeNonzeroExit       = "nonzero_exit" // of Result.Code alone: what the agent sees has an exit code
)

// A tool is one of the seven.
type tool struct {
	sim.Tool
	params []param
	run    func(w *world, ctx context.Context, args []string) (outcome, error)
}

// A param is an argument; all are texts.
type param struct {
	name, alias string
	about       string
	optional    string // its value where it is left out; "" makes it required
}

// outcome is an Outcome on its way.
type outcome struct {
	Outcome
	target string // the file that was to be written
	seen   string // the file that was read
	ended  bool   // by a submission that counts
}

// ToolNames lists the seven tools, in the order of the protocol.
func ToolNames() []string {
	names := make([]string, len(catalogue))
	for i, t := range catalogue {
		names[i] = t.Name
	}
	return names
}

var catalogue []*tool

func init() { // it refers to functions that refer to it
	const inside = "A path in the workspace."
	catalogue = []*tool{
		newTool(toolRead, "Read a text file.", (*world).read, param{name: "path", about: inside}),
		newTool(toolWrite, "Write a text file; what it held is replaced, and folders are made where they are missing.", (*world).write,
			param{name: "path", about: inside}, param{name: "content", about: "All that the file is to hold."}),
		newTool(toolAppend, "Add text to the end of a file, which is made where it is missing.", (*world).append,
			param{name: "path", about: inside}, param{name: "content", about: "The text to add."}),
		newTool(toolList, "List what is in a folder. Names of folders end in a slash.", (*world).list,
			param{name: "path", about: "A folder in the workspace; the workspace itself where it is left out.", optional: "."}),
		newTool(toolShell, "Run a command line with /bin/sh in the workspace.", (*world).shell,
			param{name: "command", about: "The command line. Absolute paths, parent folders and the network are not allowed."}),
		newTool(toolPython, "Run a Python script of the workspace.", (*world).python,
			param{name: "command_or_script", alias: "command", about: "The path of the script in the workspace, then its arguments. Inline code is not allowed."}),
		newTool(toolSubmit, "Submit the work. This ends the episode.", (*world).submit,
			param{name: "path_or_answer", about: "The path of the required file, or a word such as done."}),
	}
	for _, t := range catalogue {
		byName[t.Name] = t
	}
}

var byName = map[string]*tool{}

func newTool(name, about string, run func(*world, context.Context, []string) (outcome, error), params ...param) *tool {
	properties := map[string]any{}
	required := []string{}
	for _, p := range params {
		properties[p.name] = map[string]any{"type": "string", "description": p.about}
		if p.optional == "" {
			required = append(required, p.name)
		}
	}
	schema := sim.MustCanonical(map[string]any{
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	})
	return &tool{sim.Tool{Name: name, Description: about, Schema: schema}, params, run}
}

func succeeded(message string) outcome {
	return outcome{Outcome: Outcome{Success: true, Message: message}}
}

func failed(code, message string) outcome {
	return outcome{Outcome: Outcome{Message: message, Error: &code}}
}

// raised is a failure as the published tools report it: by the name of an exception.
func raised(exception string) outcome {
	return failed(CodeToolError, "Tool execution failed: "+exception)
}

// at resolves a path that an agent gave. The outcome is of use where ok is false.
func (w *world) at(p string) (real string, o outcome, ok bool) {
	if strings.ContainsRune(p, 0) {
		return "", raised("ValueError: embedded null byte"), false
	}
	real, err := w.files.resolve(p)
	switch err {
	case nil:
		return real, outcome{}, true
	case errLoop:
		return "", raised("RuntimeError: symlink loop"), false
	}
	return "", failed(CodePathEscape, "Path '"+echo(p)+"' escapes workspace root '"+Root+"'."), false
}

func (w *world) read(_ context.Context, args []string) (outcome, error) {
	real, o, ok := w.at(args[0])
	if !ok {
		return o, nil
	}
	n := w.files.find(real)
	switch {
	case n == nil && w.files.isFolder(real), n != nil && n.kind == folder:
		return raised("IsADirectoryError"), nil
	case n == nil || n.kind != file:
		return failed(CodeFileNotFound, "File not found: "+echo(args[0])), nil
	case !utf8.ValidString(n.text):
		return raised("UnicodeDecodeError"), nil
	}
	o = succeeded("Read " + echo(args[0]))
	o.Content, o.seen = &n.text, real
	return o, nil
}

func (w *world) write(_ context.Context, args []string) (outcome, error) {
	return w.put(args[0], args[1], "Wrote ", false), nil
}

func (w *world) append(_ context.Context, args []string) (outcome, error) {
	return w.put(args[0], args[1], "Appended to ", true), nil
}

// put writes a file.
func (w *world) put(p, text, did string, add bool) outcome {
	real, o, ok := w.at(p)
	if !ok {
		return o
	}
	n := &node{text: text, at: w.steps + 1}
	was := w.files.find(real)
	if was == nil && w.files.isFolder(real) || was != nil && was.kind == folder {
		return raised("IsADirectoryError")
	}
	for dir := path.Dir(real); dir != "."; dir = path.Dir(dir) {
		if above := w.files.find(dir); above != nil && above.kind != folder {
			return raised("NotADirectoryError")
		}
	}
	size := int64(0)
	if was != nil {
		size = was.length()
		n.exec = was.exec
		if add {
			n.text = was.text + text
		}
	}
	switch {
	case !storable(real):
		return raised("OSError: no file can have this name")
	case len(n.text) > maxWritten || w.files.bytes-size+n.length() > maxBytes || len(w.files.entries) >= maxEntries:
		return raised("OSError: no space left in the workspace")
	}
	w.files = w.files.with(real, n)
	o = succeeded(did + echo(p))
	o.TouchedFiles, o.target = []string{real}, real
	return o
}

func (w *world) list(_ context.Context, args []string) (outcome, error) {
	real, o, ok := w.at(args[0])
	if !ok {
		return o, nil
	}
	if !w.files.isFolder(real) {
		return failed(CodeDirectoryNotFound, "Directory not found: "+echo(args[0])), nil
	}
	o = succeeded("Listed " + echo(args[0]))
	o.Listing = w.files.list(real)
	content := strings.Join(o.Listing, "\n")
	o.Content = &content
	return o, nil
}

func (w *world) shell(ctx context.Context, args []string) (outcome, error) {
	line := args[0]
	switch refusal := shellPolicy(line); {
	case refusal != "":
		return failed(CodeCommandRejected, echo(refusal)), nil
	case strings.ContainsRune(line, 0):
		return raised("ValueError: embedded null byte"), nil
	case len(line) > maxLine:
		return raised("OSError: argument list too long"), nil
	}
	return w.execute(ctx, "shell", line, w.plan.permissions.ShellTimeoutSeconds, Command{Line: line})
}

func (w *world) python(ctx context.Context, args []string) (outcome, error) {
	line := args[0]
	words, refusal := pythonPolicy(line)
	switch {
	case refusal != "":
		return failed(CodeCommandRejected, echo(refusal)), nil
	case strings.ContainsRune(line, 0):
		return raised("ValueError: embedded null byte"), nil
	case len(line) > maxLine:
		return raised("OSError: argument list too long"), nil
	}
	real, o, ok := w.at(words[0])
	if !ok {
		return o, nil
	}
	if n := w.files.find(real); n == nil || n.kind != file {
		return failed(CodeCommandRejected, "Python script not found: "+echo(words[0])), nil
	}
	// Its own name, so that what lies beside it can be imported, and no option can be meant.
	words[0] = "./" + real
	return w.execute(ctx, "python", line, w.plan.permissions.PythonTimeoutSeconds, Command{Script: words})
}

// maxLine is how long a command may be: Linux takes no longer argument.
const maxLine = 128<<10 - 1

// minWall is the least time that a command gets.
const minWall = 100 * time.Millisecond

// execute runs a command with the time that its tool allows and that is left of the episode.
func (w *world) execute(ctx context.Context, sort, line string, seconds int, c Command) (outcome, error) {
	c.Wall = min(time.Duration(seconds)*time.Second, w.left())
	if deadline, ok := ctx.Deadline(); ok {
		c.Wall = min(c.Wall, time.Until(deadline))
	}
	c.Wall = max(c.Wall, minWall)
	after, res, err := w.command(ctx, c)
	late := strings.ToUpper(sort[:1]) + sort[1:] + " command timed out: " + echo(line)
	if err != nil {
		if ctx.Err() != nil { // it ended because the episode did
			return failed(CodeTimeout, late), nil
		}
		return outcome{}, err
	}
	o := succeeded("Ran " + sort + " command: " + echo(line))
	o.TouchedFiles = changed(w.files, after)
	w.files = after
	o.Stdout, o.Stderr = strings.ToValidUTF8(string(res.Stdout), "\uFFFD"), strings.ToValidUTF8(string(res.Stderr), "\uFFFD")
	code := res.ExitCode
	switch {
	case res.Over == sandbox.TimedOut:
		slow := failed(CodeTimeout, late)
		o.Message, o.Error, o.Success = slow.Message, slow.Error, false
	case res.Over != "":
		over := string(res.Over)
		o.Error, o.Success = &over, false
	default:
		if res.Signal != 0 {
			code = -int(res.Signal)
		}
		o.ExitCode, o.Success = &code, code == 0
		// What was drained and not kept; of a command that was ended it depends on the moment.
		o.Omitted = int(res.StdoutBytes - int64(len(res.Stdout)) + res.StderrBytes - int64(len(res.Stderr)))
	}
	return o, nil
}

func (w *world) submit(_ context.Context, args []string) (outcome, error) {
	if correction := w.correct(args[0]); correction != "" {
		o := failed(CodeSubmitCorrection, "Not submitted: "+echo(args[0]))
		o.Guidance = &correction
		return o, nil
	}
	answer := args[0]
	w.submission = &answer
	o := succeeded("Submitted " + echo(answer))
	o.ended = true
	return o, nil
}

// arguments returns the arguments of a call in the order of the tool's params, and in their
// canonical spelling. What is wrong with them is worded as an exception.
func (t *tool) arguments(raw []byte) (args []string, canonical []byte, problem string) {
	v, err := sim.ParseJSON(raw)
	object, ok := v.(map[string]any)
	if err != nil || !ok {
		return nil, nil, "TypeError: the arguments must be one JSON object that names no key twice"
	}
	kept := map[string]any{}
	for _, p := range t.params {
		value, there := object[p.name]
		if !there && p.alias != "" {
			value, there = object[p.alias]
		}
		if !there && p.optional != "" {
			value, there = p.optional, true
		}
		if !there {
			return nil, nil, "KeyError: '" + p.name + "' is missing"
		}
		text, ok := value.(string)
		if !ok {
			return nil, nil, "TypeError: " + p.name + " must be a string"
		}
		kept[p.name] = text
		args = append(args, text)
	}
	return args, sim.AppendCanonical(nil, kept), ""
}

// scope returns the tools that a task names, in the order of the protocol.
func scope(tools []string) ([]*tool, error) {
	if len(tools) == 1 && tools[0] == everyTool {
		return slices.Clone(catalogue), nil
	}
	var in []*tool
	for i, name := range tools {
		if byName[name] == nil {
			return nil, errorf("unknown tool %q in scope; there are %s", clip(name), strings.Join(ToolNames(), ", "))
		}
		if slices.Contains(tools[:i], name) {
			return nil, errorf("tool %q is in scope twice", name)
		}
	}
	for _, t := range catalogue {
		if slices.Contains(tools, t.Name) {
			in = append(in, t)
		}
	}
	return in, nil
}
