package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/sim"
	"benchwright/sim/workspace"
)

// A surface is what a server offers.
type surface struct {
	Server    string                     `json:"server"`
	Tools     map[string]json.RawMessage `json:"tools"`     // schemas of arguments, by name
	Prompts   map[string]json.RawMessage `json:"prompts"`   // arguments: names that are required, by prompt
	Resources map[string]string          `json:"resources"` // SHA-256 of the entry, by URI
	Templates map[string]string          `json:"templates"` // the same, by template
}

// entry is what counts of a resource.
type entry struct {
	Description string `json:"description"`
	MIMEType    string `json:"mime_type"`
	Name        string `json:"name"`
	URI         string `json:"uri"`
}

// hash returns the SHA-256 of the entry's JSON, compact and with sorted keys.
func (e entry) hash() string {
	sum := sha256.Sum256(sim.MustCanonical(e))
	return hex.EncodeToString(sum[:])
}

// simulated is the surface of the simulator, as the product would have it.
func simulated() (*surface, error) {
	w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(`{}`), []string{workspace.AllTools})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	s := newSurface("simulator")
	for _, t := range w.Tools() {
		if !workspace.Wrapper(t.Name) {
			s.Tools[t.Name] = t.Schema
		}
	}
	d := w.(sim.Documented).Documents()
	for _, p := range d.Prompts {
		s.Prompts[p.Name] = json.RawMessage("[]")
	}
	for _, r := range d.Resources {
		s.Resources[r.URI] = entry{r.Description, r.MIMEType, r.Name, r.URI}.hash()
	}
	return s, nil
}

func newSurface(server string) *surface {
	return &surface{Server: server, Tools: map[string]json.RawMessage{}, Prompts: map[string]json.RawMessage{}, Resources: map[string]string{}, Templates: map[string]string{}}
}

// expected is what a server is compared with: a file of save, or the simulator.
func expected(path string) (*surface, error) {
	if path == "" {
		return simulated()
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("drift: --against: %w", err)
	}
	s := newSurface("")
	if err := json.Unmarshal(raw, s); err != nil {
		return nil, fmt.Errorf("drift: --against %s: %w", path, err)
	}
	if len(s.Tools)+len(s.Prompts)+len(s.Resources) == 0 {
		return nil, fmt.Errorf("drift: --against %s: it holds nothing to compare with", path)
	}
	return s, nil
}

// save writes the surface to a file that does not exist yet.
func (s *surface) save(path string) error {
	raw, err := sim.Canonical(s)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("drift: --save: %w", err)
	}
	_, err = f.Write(append(raw, '\n'))
	return errors.Join(err, f.Close())
}

// maxEntries is how much of one kind a server may offer.
const maxEntries = 10_000

// ask asks a server for everything that it offers, page after page.
func ask(ctx context.Context, t mcp.Transport) (*surface, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "bench-drift", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(ctx, t, nil)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	s := newSurface("server")
	can := &mcp.ServerCapabilities{}
	if init := session.InitializeResult(); init != nil {
		if init.ServerInfo != nil {
			s.Server = init.ServerInfo.Name + " " + init.ServerInfo.Version
		}
		can = init.Capabilities
	}
	n := 0
	more := func() error {
		if n++; n > maxEntries {
			return fmt.Errorf("the server offers more than %d things", maxEntries)
		}
		return nil
	}
	for tool, err := range session.Tools(ctx, nil) {
		if err = errors.Join(err, more()); err != nil {
			return nil, fmt.Errorf("tools: %w", err)
		}
		schema, err := sim.Canonical(tool.InputSchema)
		if err != nil {
			return nil, fmt.Errorf("tool %q: %w", tool.Name, err)
		}
		s.Tools[tool.Name] = schema
	}
	if can.Prompts != nil {
		for p, err := range session.Prompts(ctx, nil) {
			if err = errors.Join(err, more()); err != nil {
				return nil, fmt.Errorf("prompts: %w", err)
			}
			required := []string{}
			for _, a := range p.Arguments {
				if a.Required {
					required = append(required, a.Name)
				}
			}
			s.Prompts[p.Name] = sim.MustCanonical(required)
		}
	}
	if can.Resources != nil {
		for r, err := range session.Resources(ctx, nil) {
			if err = errors.Join(err, more()); err != nil {
				return nil, fmt.Errorf("resources: %w", err)
			}
			s.Resources[r.URI] = entry{r.Description, r.MIMEType, r.Name, r.URI}.hash()
		}
		for r, err := range session.ResourceTemplates(ctx, nil) {
			var refused *jsonrpc.Error
			if errors.As(err, &refused) && refused.Code == jsonrpc.CodeMethodNotFound { // whoever has resources need not have templates
				break
			}
			if err = errors.Join(err, more()); err != nil {
				return nil, fmt.Errorf("resource templates: %w", err)
			}
			s.Templates[r.URITemplate] = entry{r.Description, r.MIMEType, r.Name, r.URITemplate}.hash()
		}
	}
	return s, nil
}
