package workspace

import (
	"encoding/json"

	"benchwright/sim"
)

var _ sim.Documented = (*world)(nil)

// markdown is the type that the product gives all its documents in listings.
const markdown = "text/markdown"

// Documents lists the sixteen documents and two prompts of the product. Skills can be read by
// their URIs and are listed by the snapshot alone, as in the product.
func (w *world) Documents() sim.Documents {
	d := sim.Documents{ReadTool: ReadResource, PromptTool: GetPrompt, Read: document, Say: said}
	for _, r := range resources {
		d.Resources = append(d.Resources, sim.Resource{URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: markdown})
	}
	for _, p := range prompts {
		d.Prompts = append(d.Prompts, sim.Prompt{Name: p.Name, Description: p.Description})
	}
	return d
}

// document returns what a result of read_workspace_resource holds.
func document(r sim.Result) (text, mimeType string) {
	var envelope struct {
		Data struct {
			Text string `json:"text"`
			MIME string `json:"mime_type"`
		} `json:"data"`
	}
	if json.Unmarshal(r.Data, &envelope) != nil { // which encodes no such result
		return string(r.Data), "application/json"
	}
	return envelope.Data.Text, envelope.Data.MIME
}

// said returns the messages of a result of get_workspace_prompt.
func said(r sim.Result) []string {
	var envelope struct {
		Data struct {
			Messages []struct {
				Content string `json:"content"`
			} `json:"messages"`
		} `json:"data"`
	}
	if json.Unmarshal(r.Data, &envelope) != nil {
		return []string{string(r.Data)}
	}
	var out []string
	for _, m := range envelope.Data.Messages {
		out = append(out, m.Content)
	}
	return out
}
