package wealth

import (
	"encoding/json"

	"benchwright/sim"
	world "benchwright/sim/wealth"
	"benchwright/tasks"
)

// AnswerSchema describes the results that a final decision may hold, so that the random agent
// draws valid ones. It knows the vocabularies of the protocol and nothing of any task.
func (Dialect) AnswerSchema(tasks.Envelope) json.RawMessage { return answerSchema }

var answerSchema = func() json.RawMessage {
	text := map[string]any{"type": "string"}
	claim := map[string]any{
		"type": "object", "additionalProperties": false,
		"properties": map[string]any{
			"value": map[string]any{"type": "string", "pattern": `^[1-9][0-9]{0,6}\.[0-9]{2}$`},
			"unit":  map[string]any{"enum": []string{"INR", "percent", "months"}}, "subject": text, "as_of": text, "source": text,
		},
		"required": []string{"value", "unit", "subject", "as_of", "source"},
	}
	var codes []string
	for _, outcome := range keys(policies) {
		codes = append(codes, policies[outcome]...)
	}
	claims := map[string]any{}
	for _, tool := range world.ToolNames() {
		if name := world.Claim(tool); name != "" {
			claims[name] = claim
		}
	}
	return sim.MustCanonical(map[string]any{
		"type": "object", "additionalProperties": false,
		"properties": map[string]any{
			"outcome":        map[string]any{"enum": keys(policies)},
			"policy_code":    map[string]any{"enum": codes},
			"claims":         map[string]any{"type": "object", "properties": claims, "additionalProperties": false},
			"evidence_ids":   map[string]any{"type": "array", "items": text, "maxItems": 3},
			"missing_fields": map[string]any{"type": "array", "items": text, "maxItems": 3},
		},
		"required": []string{"outcome", "policy_code"},
	})
}()
