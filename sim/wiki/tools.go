package wiki

import (
	"fmt"
	"slices"
	"strings"

	"benchwright/sim"
)

// The names of the tools.
const (
	ListDir   = "list_dir"
	ReadFile  = "read_file"
	Search    = "search"
	ListPages = "list_pages"
	ReadPage  = "read_page"
	WritePage = "write_page"
	LoadSkill = "load_skill"
	GetStatus = "get_status"
	Finish    = "finish"
)

// AllTools is the scope of every tool.
const AllTools = "all"

// A tool is one of the nine.
type tool struct {
	sim.Tool
	params []param
	run    func(k *call) (any, *failure)
}

var catalogue []*tool

var byName = map[string]*tool{}

func init() { // it refers to functions that refer to it
	catalogue = []*tool{
		newTool(ListDir, "List a folder: name, type and size of all that it holds. The roots are listed at \"/\".", (*call).listDir,
			param{name: "path", kind: text, about: "The folder, such as /source."}),
		newTool(ReadFile, fmt.Sprintf("Read a file, at most %d lines a call. Reading a file below %s enters it in the evidence ledger.", maxLines, SourceRoot), (*call).readFile,
			param{name: "path", kind: text, about: "The file, such as /wiki/skeleton.json."},
			param{name: "start_line", kind: count, optional: true, about: "The first line, from 1."},
			param{name: "end_line", kind: count, optional: true, about: "The last line, included."}),
		newTool(Search, fmt.Sprintf("Find lines that hold a text, letter by letter; at most %d. It does not count as reading a file.", maxHits), (*call).search,
			param{name: "query", kind: line, about: "The text."},
			param{name: "path", kind: text, optional: true, about: "The folder or file to look in; everything where it is left out."}),
		newTool(ListPages, "List the planned pages with their evidence and how many requirements across pages are open for each.", (*call).listPages,
			param{name: "filter", kind: choice, optional: true, choices: filters, about: "Pages with evidence missing, pages selected for this stage, or all, which is the default."}),
		newTool(ReadPage, "Read a wiki page.", (*call).readPage,
			param{name: "page_id", kind: text, about: "The id of the page."}),
		newTool(WritePage, "Replace a wiki page as a whole.", (*call).writePage,
			param{name: "page_id", kind: text, about: "The id of the page."},
			param{name: "content", kind: body, about: "The page: front matter, then its sections."},
			param{name: "expected_sha256", kind: text, about: "The SHA-256 of the page that is replaced, as read_page gives it."}),
		newTool(LoadSkill, "Load a skill: how something is done here.", (*call).loadSkill,
			param{name: "name", kind: text, about: "The name of the skill: a file below " + SkillsRoot + " without its .md."}),
		newTool(GetStatus, "Say what the stage is, what may be written, how far the evidence goes, which requirements are open and what is left of the budgets.", (*call).getStatus),
		newTool(Finish, "End the stage.", (*call).finish,
			param{name: "answer", kind: value, optional: true, about: "The answer, where the stage asks for one."}),
	}
	for _, t := range catalogue {
		byName[t.Name] = t
	}
}

func newTool(name, about string, run func(*call) (any, *failure), params ...param) *tool {
	properties, required := map[string]any{}, []string{}
	for _, p := range params {
		properties[p.name] = p.schema()
		if !p.optional {
			required = append(required, p.name)
		}
	}
	schema := sim.MustCanonical(map[string]any{
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	})
	return &tool{sim.Tool{Name: name, Description: about, Schema: schema}, params, run}
}

// ToolNames lists the nine tools, in the order in which an agent is told of them.
func ToolNames() []string {
	names := make([]string, len(catalogue))
	for i, t := range catalogue {
		names[i] = t.Name
	}
	return names
}

// scope returns the tools in scope, in the order of the catalogue.
func scope(names []string) ([]*tool, error) {
	if slices.Equal(names, []string{AllTools}) {
		return catalogue, nil
	}
	for i, name := range names {
		if byName[name] == nil {
			return nil, errorf("unknown tool %q in scope; there are %s", name, strings.Join(ToolNames(), ", "))
		}
		if slices.Contains(names[:i], name) {
			return nil, errorf("tool %q is in scope twice", name)
		}
	}
	var in []*tool
	for _, t := range catalogue {
		if slices.Contains(names, t.Name) {
			in = append(in, t)
		}
	}
	return in, nil
}
