package wealth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"benchwright/sim"
	"benchwright/tasks"
)

// Dialect is the decision protocol: every reply of a model is one JSON object, a tool decision
// or the final one. It is strict: the first reply that is neither ends the episode.
//
// The zero value is ready for use. An ask's Context is an [AskContext].
type Dialect struct{}

var (
	_ tasks.Dialect      = Dialect{}
	_ tasks.ToolsDialect = Dialect{}
)

// Codes of replies that are no decision.
const (
	InvalidJSON     = "invalid_json"     // not one JSON object with nothing around it
	InvalidDecision = "invalid_decision" // JSON, but not of a known shape
)

// An AskContext is what comes with a request: the language it is in, and the facts that the
// model is told. It is the Context of a tasks.Ask.
type AskContext struct {
	Language string `json:"language"`
	Context  struct {
		Household string `json:"household_id"`
		Today     string `json:"today"`
	} `json:"context"`
}

// opening is the content of the user message that puts an ask.
type opening struct {
	Language string          `json:"language"`
	Request  string          `json:"request"`
	Context  json.RawMessage `json:"context"`
	Tools    []openingTool   `json:"tools,omitzero"`
}

type openingTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Arguments   json.RawMessage `json:"arguments"`
}

// Open returns the system message, for the first ask, and the user message with the request.
// A System text of the envelope takes the place of [Rules].
func (Dialect) Open(env tasks.Envelope, ask int, tools []sim.Tool) ([]tasks.Message, error) {
	described := make([]openingTool, 0, len(tools))
	for _, t := range tools {
		described = append(described, openingTool{t.Name, t.Description, t.Schema})
	}
	return open(env, ask, jsonTurns, described)
}

// OpenTools is Open where the provider itself tells the model about the tools.
func (Dialect) OpenTools(env tasks.Envelope, ask int, _ []sim.Tool) ([]tasks.Message, error) {
	return open(env, ask, toolsTurns, nil)
}

func open(env tasks.Envelope, ask int, turns string, tools []openingTool) ([]tasks.Message, error) {
	if ask < 0 || ask >= len(env.Asks) {
		return nil, fmt.Errorf("wealth: there is no ask %d of %d", ask, len(env.Asks))
	}
	language, facts, err := parseContext(env.Asks[ask].Context)
	if err != nil {
		return nil, fmt.Errorf("wealth: ask %d: context: %w", ask, err)
	}
	content, err := encode(opening{language, env.Asks[ask].Text, facts, tools})
	if err != nil {
		return nil, fmt.Errorf("wealth: ask %d: %w", ask, err)
	}
	user := tasks.Message{Role: tasks.RoleUser, Content: content}
	if ask > 0 {
		return []tasks.Message{user}, nil
	}
	rules := env.System
	if rules == "" {
		rules = Rules
	}
	return []tasks.Message{{Role: tasks.RoleSystem, Content: turns + "\n\n" + rules}, user}, nil
}

// parseContext reads an AskContext and returns its facts as they are written.
func parseContext(raw json.RawMessage) (language string, facts json.RawMessage, err error) {
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return "", nil, err
	}
	object, _ := v.(map[string]any)
	language, okLanguage := object["language"].(string)
	context, okContext := object["context"].(map[string]any)
	_, okHousehold := context["household_id"].(string)
	_, okToday := context["today"].(string)
	if !okLanguage || !okContext || !okHousehold || !okToday || len(object) != 2 || len(context) != 2 {
		return "", nil, errors.New(`want {"language": …, "context": {"household_id": …, "today": …}} with strings and no other keys`)
	}
	facts, err = sim.Canonical(context)
	return language, facts, err
}

// Format asks for JSON mode.
func (Dialect) Format(tasks.Envelope, []sim.Tool) json.RawMessage { return json.RawMessage(`"json"`) }

// Parse reads a decision. Text around the object, a second object, a cut one and a key named
// twice are invalid_json; any other shape than the two of the protocol is invalid_decision.
// The answer of a final decision holds the allowed fields alone; the names of the others are
// in Ignored. The values of allowed fields are the grader's affair.
func (Dialect) Parse(_ tasks.Envelope, reply string) (tasks.Action, error) {
	object, err := parseObject(reply)
	if err != nil {
		return tasks.Action{}, err
	}
	return parseDecision(object)
}

// ParseText reads the reply that ends an ask where tools are called natively: the result, or
// the whole final decision.
func (Dialect) ParseText(_ tasks.Envelope, reply string) (tasks.Action, error) {
	object, err := parseObject(reply)
	if err != nil {
		return tasks.Action{}, err
	}
	if kind, ok := object["kind"]; ok {
		if kind == "tool" {
			return tasks.Action{}, tasks.Malformedf(InvalidDecision, "a tool is used by calling it, not by a decision in the text")
		}
		return parseDecision(object)
	}
	if _, ok := object["outcome"]; !ok {
		return tasks.Action{}, tasks.Malformedf(InvalidDecision, `the result has no "outcome"`)
	}
	return final(object)
}

// parseObject reads the one JSON object that a reply must be.
func parseObject(reply string) (map[string]any, error) {
	if !utf8.ValidString(reply) {
		return nil, tasks.Malformedf(InvalidJSON, "the reply is not valid UTF-8")
	}
	v, err := sim.ParseJSON([]byte(reply))
	switch text := strings.TrimSpace(reply); {
	case err == nil:
	case text == "":
		return nil, tasks.Malformedf(InvalidJSON, "the reply is empty")
	case errors.Is(err, sim.ErrDuplicateKey):
		return nil, tasks.Malformedf(InvalidJSON, "the object names a key twice")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, tasks.Malformedf(InvalidJSON, "the JSON is cut off")
	case text[0] != '{' && text[0] != '[':
		return nil, tasks.Malformedf(InvalidJSON, "the reply begins with %q, not with an object", clip(text))
	default:
		return nil, tasks.Malformedf(InvalidJSON, "%s", clip(err.Error()))
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, tasks.Malformedf(InvalidDecision, "the reply is JSON but no object")
	}
	return object, nil
}

func parseDecision(object map[string]any) (tasks.Action, error) {
	var keys [2]string
	kind, _ := object["kind"].(string)
	switch kind {
	case "tool":
		keys = [2]string{"name", "arguments"}
	case "final":
		keys = [2]string{"result"}
	default:
		return tasks.Action{}, tasks.Malformedf(InvalidDecision, `"kind" must be "tool" or "final"`)
	}
	want := 1
	for _, key := range keys {
		if key == "" {
			continue
		}
		want++
		if _, ok := object[key]; !ok {
			return tasks.Action{}, tasks.Malformedf(InvalidDecision, "a %s decision needs %q", kind, key)
		}
	}
	if len(object) != want {
		return tasks.Action{}, tasks.Malformedf(InvalidDecision, "a %s decision has no other keys than kind, %s",
			kind, strings.Trim(strings.Join(keys[:], ", "), ", "))
	}
	if kind == "final" {
		result, ok := object["result"].(map[string]any)
		if !ok {
			return tasks.Action{}, tasks.Malformedf(InvalidDecision, `"result" must be an object`)
		}
		return final(result)
	}
	name, okName := object["name"].(string)
	_, okArguments := object["arguments"].(map[string]any)
	if !okName || !okArguments {
		return tasks.Action{}, tasks.Malformedf(InvalidDecision, `"name" must be a string and "arguments" an object`)
	}
	arguments, err := sim.Canonical(object["arguments"])
	if err != nil {
		return tasks.Action{}, tasks.Malformedf(InvalidJSON, "%s", clip(err.Error()))
	}
	return tasks.Action{Calls: []sim.Call{{Name: name, Arguments: arguments}}}, nil
}

var (
	resultFields = []string{"outcome", "claims", "evidence_ids", "policy_code", "missing_fields"}
	claimFields  = []string{"value", "unit", "subject", "as_of", "source"}
)

// final copies the allowed fields of a result.
func final(result map[string]any) (tasks.Action, error) {
	answer, ignored := pick(result, resultFields, "")
	if claims, ok := answer["claims"].(map[string]any); ok {
		copied := make(map[string]any, len(claims))
		for name, claim := range claims {
			fields, ok := claim.(map[string]any)
			if !ok {
				copied[name] = claim
				continue
			}
			kept, dropped := pick(fields, claimFields, "claims."+clip(name)+".")
			copied[name] = kept
			ignored = append(ignored, dropped...)
		}
		answer["claims"] = copied
	}
	slices.Sort(ignored)
	raw, err := sim.Canonical(answer)
	if err != nil {
		return tasks.Action{}, tasks.Malformedf(InvalidJSON, "%s", clip(err.Error()))
	}
	return tasks.Action{Answer: raw, Ignored: ignored}, nil
}

// pick splits an object into the allowed fields and the names of the others.
func pick(object map[string]any, allowed []string, prefix string) (kept map[string]any, dropped []string) {
	kept = make(map[string]any, len(allowed))
	for name, v := range object {
		if slices.Contains(allowed, name) {
			kept[name] = v
		} else {
			dropped = append(dropped, prefix+clip(name))
		}
	}
	return kept, dropped
}

// Reply writes a move as a decision: Raw as it is, one call, or the answer. A move that is not
// exactly one of these cannot be said in the protocol and is an error.
func (Dialect) Reply(m tasks.Move) (string, error) {
	said := 0
	for _, has := range []bool{m.Raw != "", len(m.Calls) > 0, m.Answer != nil} {
		if has {
			said++
		}
	}
	switch {
	case said != 1:
		return "", errors.New("wealth: a move is one call, one answer or one raw reply")
	case m.Raw != "":
		return m.Raw, nil
	case len(m.Calls) > 1:
		return "", fmt.Errorf("wealth: a move of %d calls: a decision holds one", len(m.Calls))
	case len(m.Calls) == 1:
		arguments := m.Calls[0].Arguments
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		if err := isObject(arguments); err != nil {
			return "", fmt.Errorf("wealth: arguments of %s: %w", m.Calls[0].Name, err)
		}
		return encode(struct {
			Kind      string          `json:"kind"`
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}{"tool", m.Calls[0].Name, arguments})
	}
	if err := isObject(m.Answer); err != nil {
		return "", fmt.Errorf("wealth: answer: %w", err)
	}
	return encode(struct {
		Kind   string          `json:"kind"`
		Result json.RawMessage `json:"result"`
	}{"final", m.Answer})
}

func isObject(raw json.RawMessage) error {
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return err
	}
	if _, ok := v.(map[string]any); !ok {
		return errors.New("want a JSON object")
	}
	return nil
}

// Result returns the user message {"tool_result": …}. A result without data, which is a fault
// of the world, is an error: the episode is over.
func (Dialect) Result(c sim.Call, r sim.Result) (tasks.Message, error) {
	if !json.Valid(r.Data) {
		return tasks.Message{}, fmt.Errorf("wealth: the result of %q has nothing to show: %s", clip(c.Name), clip(r.Fault))
	}
	content, err := encode(struct {
		Result json.RawMessage `json:"tool_result"`
	}{r.Data})
	return tasks.Message{Role: tasks.RoleUser, Content: content}, err
}

// Repair says what was wrong and what is wanted. The suite's tasks are strict and never use it.
func (Dialect) Repair(m *tasks.Malformed) tasks.Message {
	content, err := encode(struct {
		Error   string `json:"error"`
		Message string `json:"message"`
	}{m.Code, m.Detail + "; reply with one JSON object, a tool decision or the final one"})
	if err != nil { // two strings always encode
		content = m.Error()
	}
	return tasks.Message{Role: tasks.RoleUser, Content: content}
}

// encode is json.Marshal that leaves <, > and & as they are.
func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// maxQuoted is how many bytes of a model's words go into a message or a name.
const maxQuoted = 80

// clip shortens what a model wrote, between runes.
func clip(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	n := maxQuoted
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
