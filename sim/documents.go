package sim

// A Documented world offers documents and prompts beside its tools, as the Model Context
// Protocol knows them. Reading one is a call of a tool of the world, whoever asks: an agent that
// has nothing but tools calls it by its name, for one that reads natively its server does. So
// both leave the same trace, and a scope without the tool is one without the documents.
type Documented interface {
	World
	// Documents lists what there is, in an order that depends on the setup alone.
	Documents() Documents
}

// Documents is what a world offers beside its tools. The zero value is nothing.
type Documents struct {
	Resources []Resource
	Prompts   []Prompt

	ReadTool   string // the tool that reads a resource, with the arguments {"uri": …}
	PromptTool string // the tool that fetches a prompt, with the arguments {"name": …}

	// Read returns what a result of ReadTool holds. It is called for results that are OK.
	Read func(Result) (text, mimeType string)
	// Say returns the messages that a result of PromptTool holds, all of them the user's. It is
	// called for results that are OK.
	Say func(Result) []string
}

// A Resource is a document that an agent may read.
type Resource struct{ URI, Name, Description, MIMEType string }

// A Prompt is a text that a host may put before a model. It takes no arguments.
type Prompt struct{ Name, Description string }
