// Package ollama lets a model behind an Ollama server act.
//
//	opts, err := ollama.ParseOptions([]byte(`{"seed": 7, "context": 16384, "num_thread": 4}`))
//	…
//	c, err := ollama.New(ollama.Config{Name: "qwen3:8b", Host: ollama.HostFromEnv(os.Getenv), Options: opts})
//	…
//	defer c.Close()
//	id, err := c.Prepare(ctx) // finds, identifies and loads the model, before any clock starts
//	…
//	m := c.Model(ollama.Request{Format: schema, OutputTokens: 512, Seed: 7})
//	reply, usage, err := m.Next(ctx, conversation, tools)
//	…
//	err = c.Verify(ctx) // the model is still the same one
//
// Requests go through Ollama's own client over a retrying one. Both are good at hiding what a
// measurement must know: the client takes a stream that was cut, and an error without a body,
// for a complete reply, and gives 0 for a count that the server did not send. So everything that
// counts is read below it, from the bytes of the response.
//
// # What a failure is called
//
// Each has a layer and a code, as package agent has it:
//
//	provider/network_error     refused, reset, or cut in the middle, also after some text
//	provider/http_status       a status that says nothing better, after retries where they help
//	provider/runner_error      the process that runs the model died, or gave up in the stream
//	provider/timeout           Prepare or Verify got no whole answer in the time that Config gives them
//	provider/model_not_found   with the names of the models that are there
//	provider/model_changed     by Verify: the digest is no longer that of Prepare
//	adapter/bad_request        the server refuses what was sent: a format, an option
//	adapter/unsupported        the model has no tools or no thinking
//	adapter/wrong_model        another model than the one that was asked has answered
//	adapter/bad_reply          what came is not the stream of a chat, or not of one that was asked something
//	adapter/too_large          more came than any reply may hold, and it was not the model that said it
//
// Four things are the model's own doing and end the episode instead (*agent.Ended): no_done, a
// stream that ends cleanly without its last object, as Ollama does it when a model repeats
// itself; context_exceeded, a conversation that does not fit (whether that was the first request
// of an ask is for the loop to say); reply_too_large, a stream of sound objects that goes on and
// on; and invalid_tool_call, a native tool call that the server could not read. The text that
// came is in the Reply each time.
//
// A reply has begun when a sound object of it has come, and is complete with the object that
// says done: what follows that is waited for half a second at most.
//
// # What is sent
//
// Every request streams and says temperature, think, truncate (false: a conversation that does
// not fit is an error, never shortened in silence) and shift (false: a reply that reaches the end
// of the window stops there). The options that belong to a loaded model are the same in every
// request of a Client, so that nothing is loaded twice.
//
// # Retries
//
// Refused connections and statuses 429, 502, 503 and 504 are tried again, at most
// Options.Retries times, each wait capped whatever the server's Retry-After says. Status 500 is
// not: Ollama uses it for mistakes in the request. Nothing is sent again once a reply has begun.
// The attempts are counted in agent.Usage.
package ollama
