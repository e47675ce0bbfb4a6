package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/agent"
	served "benchwright/agent/mcp"
	"benchwright/cmd"
	"benchwright/features"
	"benchwright/sim"
	"benchwright/sim/workspace"
	"benchwright/tasks"
)

// drift runs the verb and returns what it printed and its exit code.
func drift(args ...string) (string, int) {
	var out bytes.Buffer
	c := driftVerb()
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(args)
	if err := c.Execute(); err != nil {
		return out.String() + err.Error(), cmd.Code(err)
	}
	return out.String(), 0
}

// product is a server that offers what the product does, after it was doctored.
func product(t *testing.T, doctor func(*mcp.Server)) string {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "product", Version: "3"}, &mcp.ServerOptions{PageSize: 5})
	w, err := workspace.Kind.New(t.Context(), sim.Env{}, json.RawMessage(`{}`), []string{workspace.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range w.Tools() {
		if !workspace.Wrapper(tool.Name) {
			offer(s, tool.Name, tool.Schema)
		}
	}
	d := w.(sim.Documented).Documents()
	for _, p := range d.Prompts {
		s.AddPrompt(&mcp.Prompt{Name: p.Name}, nil)
	}
	for _, r := range d.Resources {
		s.AddResource(&mcp.Resource{URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: r.MIMEType}, nil)
	}
	if doctor != nil {
		doctor(s)
	}
	front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(func() { front.CloseClientConnections(); front.Close() })
	return front.URL
}

func offer(s *mcp.Server, name string, schema json.RawMessage) {
	s.AddTool(&mcp.Tool{Name: name, Description: "Words of its own.", InputSchema: schema}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, nil
	})
}

func TestDriftOfServers(t *testing.T) {
	for _, c := range []struct {
		name   string
		doctor func(*mcp.Server)
		exit   int
		want   []string
		reason string
	}{
		{"the same", nil, 0, []string{"18 tools, 2 prompts, 16 resources", "no drift"}, "pages are followed, words do not count"},
		{"tool gone", func(s *mcp.Server) { s.RemoveTools("read_widget") }, 1, []string{"DRIFT  tool", "read_widget  is gone"}, "agents call it"},
		{"tool new", func(s *mcp.Server) { offer(s, "undo", json.RawMessage(`{"type":"object"}`)) }, 0, []string{"note  tool  undo  is new", "no drift"}, "what came is a note"},
		{"wrapper", func(s *mcp.Server) {
			offer(s, "read_workspace_resource", json.RawMessage(`{"type":"object"}`))
		}, 0, []string{"note", "of the simulator"}, "eighteen and two"},
		{"schema", func(s *mcp.Server) {
			offer(s, "get_skill_content", json.RawMessage(`{"type":"object","properties":{"slug":{"type":"string","enum":["a"]}},"required":["slug"]}`))
		}, 1, []string{"slug: takes only listed values now", "reason: is gone"}, "both are told"},
		{"prompt gone", func(s *mcp.Server) { s.RemovePrompts("workspace_tool_usage") }, 1, []string{"workspace_tool_usage", "is gone"}, ""},
		{"prompt wants more", func(s *mcp.Server) {
			s.AddPrompt(&mcp.Prompt{Name: "workspace_tool_usage", Arguments: []*mcp.PromptArgument{{Name: "who", Required: true}, {Name: "may"}}}, nil)
		}, 1, []string{"the argument who is required now"}, ""},
		{"resource gone", func(s *mcp.Server) { s.RemoveResources("openbb://workspace/guides/debug-app") }, 1, []string{"guides/debug-app", "is gone"}, ""},
		{"resource says something else", func(s *mcp.Server) {
			s.AddResource(&mcp.Resource{URI: "openbb://workspace/guides/debug-app", Name: "Debug an App", Description: "Other words.", MIMEType: "text/markdown"}, nil)
		}, 1, []string{"its uri, name, description or type changed"}, "by its hash"},
		{"resource new", func(s *mcp.Server) { s.AddResource(&mcp.Resource{URI: "openbb://workspace/x", Name: "X"}, nil) }, 0, []string{"note  resource  openbb://workspace/x  is new"}, ""},
		{"template new", func(s *mcp.Server) {
			s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "openbb://workspace/{x}", Name: "X"}, nil)
		}, 0, []string{"note  template"}, ""},
		{"no templates at all", func(s *mcp.Server) {
			s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
				return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
					if method == "resources/templates/list" {
						return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found"}
					}
					return next(ctx, method, req)
				}
			})
		}, 0, []string{"no drift"}, "whoever has resources need not know of templates"},
		{"hostile names", func(s *mcp.Server) { s.AddPrompt(&mcp.Prompt{Name: "x\x1b[2J"}, nil) }, 0, []string{"␛[2J"}, "a server's words are shown, not obeyed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, exit := drift(product(t, c.doctor))
			if exit != c.exit {
				t.Errorf("exit %d, want %d: %s\n%s", exit, c.exit, c.reason, out)
			}
			for _, w := range c.want {
				if !strings.Contains(out, w) {
					t.Errorf("nothing says %q: %s\n%s", w, c.reason, out)
				}
			}
		})
	}
}

func TestDriftAgainstWhatWasSaved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "surface.json")
	if out, exit := drift("--save", file, product(t, func(s *mcp.Server) {
		s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "x:{y}", Name: "Y"}, nil)
	})); exit != 0 {
		t.Fatal(out)
	}
	if out, exit := drift("--save", file, product(t, nil)); exit != 2 {
		t.Errorf("a file was overwritten: %d %s", exit, out)
	}
	if out, exit := drift("--against", file, product(t, nil)); exit != 1 || !strings.Contains(out, "x:{y}") {
		t.Errorf("a template that is gone: %d %s", exit, out)
	}
}

func TestDriftWithoutAComparison(t *testing.T) {
	page := httptest.NewServer(http.NotFoundHandler())
	defer page.Close()
	for _, args := range [][]string{{}, {"ftp://x"}, {"http://a", "http://b"}, {page.URL}, {"http://127.0.0.1:1/mcp"}, {"--", "false"}, {"--against", "nowhere", page.URL}, {"--token-env", "NOT_SET_AT_ALL", page.URL}} {
		if out, exit := drift(args...); exit != 2 {
			t.Errorf("%q: exit %d\n%s", args, exit, out)
		}
	}
}

func TestDriftSendsItsToken(t *testing.T) {
	url := product(t, nil)
	t.Setenv("WORKSPACE_TOKEN", "s3cret")
	asked := 0
	gate := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			http.Error(w, "who?", http.StatusUnauthorized)
			return
		}
		asked++
		http.Redirect(w, r, url, http.StatusTemporaryRedirect)
	}))
	defer gate.Close()
	if out, exit := drift("--token-env", "WORKSPACE_TOKEN", gate.URL); exit != 2 || asked == 0 || strings.Contains(out, "s3cret") || !strings.Contains(out, "redirects") {
		t.Errorf("exit %d, asked %d times: a token goes nowhere else\n%s", exit, asked, out)
	}
}

// Our own server drifts by what is documented, and by nothing else.
func TestOwnServerDoesNotDrift(t *testing.T) {
	suite := features.Suite()
	compiled, err := tasks.Compile(suite)
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range compiled.Tasks {
		if task.World != "workspace" || len(task.Asks) > 1 || !slices.Equal(task.Tools, []string{tasks.AllTools}) {
			continue
		}
		hub, err := served.Listen("127.0.0.1:0", true, served.Options{})
		if err != nil {
			t.Fatal(err)
		}
		k := suite.Kit(task.World)
		done := make(chan *agent.Episode, 1)
		go func() {
			done <- agent.Play(context.Background(), hub.Agent(k.Speaks()), agent.Config{Kit: k, Task: task, Protocol: agent.ProtocolTools})
		}()
		for status := 0; status != http.StatusOK; {
			res, err := http.Get(hub.URL() + "/prompt")
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			status = res.StatusCode
		}
		out, exit := drift(hub.URL() + "/mcp")
		notes := 0
		for _, extra := range []string{"read_workspace_resource", "get_workspace_prompt", "task"} {
			if strings.Contains(out, extra+" ") {
				notes++
			}
		}
		if exit != 0 || notes != 3 || strings.Count(out, "note ") > 4 {
			t.Errorf("exit %d\n%s", exit, out)
		}
		http.Post(hub.URL()+"/done", "", nil)
		<-done
		hub.Close(t.Context())
		return
	}
	t.Fatal("there is no such task")
}

// branching is a schema of n definitions, each with two branches to the one before: 2 to the n
// ways, none of which accepts an integer.
func branching(n int) string {
	var defs strings.Builder
	defs.WriteString(`"n0":{"type":"null"}`)
	for i := range n {
		fmt.Fprintf(&defs, `,"n%d":{"anyOf":[{"$ref":"#/properties/a/$defs/n%d"},{"$ref":"#/properties/a/$defs/n%d"}]}`, i+1, i, i)
	}
	return fmt.Sprintf(`{"$ref":"#/properties/a/$defs/n%d","$defs":{%s}}`, n, &defs)
}

func TestNarrowedSchemas(t *testing.T) {
	const object = `{"type":"object","properties":{"a":%s},"required":[]}`
	for _, c := range []struct {
		name, before, now, want string
		reason                  string
	}{
		{"same", `{"type":"string"}`, `{"type":"string"}`, "", ""},
		{"words", `{"type":"string","description":"x","title":"X","default":"d","examples":["e"]}`, `{"type":"string","description":"y"}`, "", "what only describes does not count"},
		{"any type now", `{"type":"string"}`, `{}`, "", "it accepts all"},
		{"one type now", `{}`, `{"type":"string"}`, "a: takes only string now", ""},
		{"other type", `{"type":"string"}`, `{"type":"number"}`, "a: no longer takes string", ""},
		{"type grown", `{"type":"integer"}`, `{"type":"number"}`, "", "integers are numbers"},
		{"type narrowed", `{"type":"number"}`, `{"type":"integer"}`, "a: no longer takes number", ""},
		{"types grown", `{"type":"string"}`, `{"type":["string","null"]}`, "", ""},
		{"types narrowed", `{"type":["string","null"]}`, `{"type":"string"}`, "a: no longer takes null", ""},
		{"enum grown", `{"type":"string","enum":["x"]}`, `{"type":"string","enum":["y","x"]}`, "", "enums may grow"},
		{"enum gone", `{"type":"string","enum":["x"]}`, `{"type":"string"}`, "", ""},
		{"enum narrowed", `{"type":"string","enum":["x","y"]}`, `{"type":"string","enum":["x"]}`, `a: no longer takes "y"`, ""},
		{"enum new", `{"type":"string"}`, `{"type":"string","enum":["x"]}`, "a: takes only listed values now", ""},
		{"const", `{"enum":["x","y"]}`, `{"const":"x"}`, `a: no longer takes "y"`, ""},
		{"enum typed", `{"enum":["x"]}`, `{"type":"string"}`, "", "its values are strings"},
		{"anyOf around", `{"type":"string"}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, "", "any branch will do"},
		{"oneOf around", `{"type":"string"}`, `{"oneOf":[{"type":"string"},{"type":"array"}]}`, "", ""},
		{"anyOf without", `{"type":"string"}`, `{"anyOf":[{"type":"null"},{"type":"number"}]}`, "a: no branch accepts", ""},
		{"anyOf lost a branch", `{"anyOf":[{"type":"string"},{"type":"array"}]}`, `{"type":"string"}`, "a: no longer takes array", ""},
		{"anyOf reordered", `{"anyOf":[{"type":"string"},{"type":"array"}]}`, `{"anyOf":[{"type":"array"},{"type":"string"}]}`, "", ""},
		{"anyOf as types", `{"type":["string","null"]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "", "two ways to say it"},
		{"beside a reference", `{"type":"integer"}`, `{"$ref":"#/properties/a/$defs/i","enum":[1],"$defs":{"i":{"type":"integer"}}}`, "a: takes only listed values now", "what stands beside it counts"},
		{"reference elsewhere", `{"type":"integer"}`, `{"$ref":"https://schemas.example/x"}`, "a: refers to", "what cannot be seen is not known to be as it was"},
		{"reference in a circle", `{"type":"integer"}`, `{"$ref":"#/properties/a"}`, "a: refers to", ""},
		{"both anyOf and oneOf", `{"type":"object"}`, `{"anyOf":[{"type":"object"}],"oneOf":[{"type":"object","required":["x"]}]}`, "a.x: is required now", "both count"},
		{"no branch", `{"type":"string"}`, `{"anyOf":[]}`, "a: accepts nothing now", ""},
		{"no type", `{"type":"string"}`, `{"type":[]}`, "a: accepts nothing now", ""},
		{"type is a number", `{"type":"string"}`, `{"type":42}`, "a: accepts nothing now", ""},
		{"allOf with words", `{"type":"object","properties":{"x":{"type":"string"}}}`, `{"type":"object","properties":{"x":{"type":"string"}},"allOf":[{"title":"x"}]}`, "", "what only describes does not count"},
		{"allOf holds it all", `{"type":"object","properties":{"x":{"type":"string"}}}`, `{"allOf":[{"type":"object","properties":{"x":{"type":"string"}}}]}`, "", "two ways to say it"},
		{"allOf wants more", `{"type":"object","properties":{"x":{"type":"string"}}}`, `{"type":"object","properties":{"x":{"type":"string"}},"allOf":[{"required":["x"]}]}`, "a.x: is required now", ""},
		{"branches of branches", `{"type":"integer"}`, branching(30), "a: no branch accepts", "they multiply, and are given up"},
		{"minimum", `{"type":"number"}`, `{"type":"number","minimum":0}`, "a: minimum is 0 now", ""},
		{"minimum raised", `{"type":"number","minimum":0}`, `{"type":"number","minimum":1}`, "a: minimum is 1 now", ""},
		{"minimum lowered", `{"type":"number","minimum":1}`, `{"type":"number","minimum":0}`, "", ""},
		{"empty length", `{"type":"string"}`, `{"type":"string","minLength":0}`, "", "it says nothing"},
		{"maxItems", `{"type":"array"}`, `{"type":"array","maxItems":3}`, "a: maxItems is 3 now", ""},
		{"pattern", `{"type":"string"}`, `{"type":"string","pattern":"^x"}`, "a: pattern is", ""},
		{"pattern gone", `{"type":"string","pattern":"^x"}`, `{"type":"string"}`, "", ""},
		{"items", `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"type":"number"}}`, "a[]: no longer takes string", ""},
		{"nested property gone", `{"type":"object","properties":{"b":{}}}`, `{"type":"object","properties":{}}`, "a.b: is gone", ""},
		{"nested required", `{"type":"object","properties":{"b":{}}}`, `{"type":"object","properties":{"b":{}},"required":["b"]}`, "a.b: is required now", ""},
		{"closed", `{"type":"object"}`, `{"type":"object","additionalProperties":false}`, "a: no longer takes other properties", ""},
		{"closed before", `{"type":"object","additionalProperties":false}`, `{"type":"object","additionalProperties":false}`, "", ""},
		{"values of maps", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":"number"}}`, "a.*: no longer takes string", ""},
		{"false", `{"type":"string"}`, `false`, "a: accepts nothing now", ""},
		{"true", `{"type":"string"}`, `true`, "", ""},
		{"round in circles", `{"$ref":"#"}`, `{"$ref":"#"}`, "", "references end"},
		{"allOf", `{"type":"string"}`, `{"allOf":[{"type":"number"}]}`, "a: no longer takes string", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := narrowed(fmt.Appendf(nil, object, c.before), fmt.Appendf(nil, object, c.now))
			text := strings.Join(got, "; ")
			if (c.want == "") != (text == "") || !strings.HasPrefix(text, c.want) {
				t.Errorf("%q, want %q: %s", text, c.want, c.reason)
			}
		})
	}
	for _, c := range []struct{ name, before, now, want string }{
		{"property gone", `{"type":"object","properties":{"a":{},"b":{}}}`, `{"type":"object","properties":{"a":{}}}`, "b: is gone"},
		{"all gone", `{"type":"object","properties":{"a":{}}}`, `{"type":"object"}`, "a: is gone"},
		{"newly required", `{"type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}},"required":["a"]}`, "a: is required now"},
		{"new and required", `{"type":"object"}`, `{"type":"object","properties":{"b":{}},"required":["b"]}`, "b: is required now"},
		{"new and optional", `{"type":"object","additionalProperties":false}`, `{"type":"object","properties":{"b":{"type":"string"}},"additionalProperties":false}`, ""},
		{"no longer required", `{"type":"object","properties":{"a":{}},"required":["a"]}`, `{"type":"object","properties":{"a":{}}}`, ""},
		{"by reference", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"number"}}}`, "a: no longer takes string"},
		{"no JSON", `{}`, `{`, "its schema is not JSON"},
	} {
		if text := strings.Join(narrowed([]byte(c.before), []byte(c.now)), "; "); text != c.want && !(c.want != "" && strings.HasPrefix(text, c.want)) {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

func FuzzNarrowed(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"$ref":"#/properties/a"}]}}}`), []byte(`{"type":"object"}`))
	f.Add([]byte(`{"enum":[1,"x",null]}`), []byte(`{"const":1}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		narrowed(a, b)
		if p := narrowed(a, a); json.Valid(a) && len(p) > 0 {
			t.Errorf("%s is narrower than itself: %q", a, p)
		}
	})
}
