package ollama_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"benchwright/agent/ollama"
	"benchwright/tasks"
)

func ExampleHostFromEnv() {
	env := map[string]string{"OLLAMA_HOST": "gpu-box"}
	fmt.Println(ollama.HostFromEnv(func(name string) string { return env[name] }))
	// Output: http://gpu-box:11434
}

func ExampleParseOptions() {
	_, err := ollama.ParseOptions([]byte(`{"temprature": 0.2, "num_ctx": 8192, "seed": -1}`))
	fmt.Println(err)
	// Output:
	// option "num_ctx": unknown; it is called "context" here
	// option "seed": -1: want a whole number from 0 to 2147483647
	// option "temprature": unknown; did you mean "temperature"?
}

func ExampleClient_Model() {
	// A server that answers every chat with the same two objects.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		io.WriteString(w, `{"model":"tiny","message":{"role":"assistant","content":"{\"answer\": 5}"},"done":false}
{"model":"tiny","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":12,"eval_count":9}
`)
	}))
	defer server.Close()

	c, err := ollama.New(ollama.Config{Name: "tiny", Host: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	m := c.Model(ollama.Request{Format: []byte(`"json"`), OutputTokens: 64, Seed: 1})
	reply, usage, err := m.Next(context.Background(), []tasks.Message{{Role: tasks.RoleUser, Content: "2 + 3?"}}, nil)
	fmt.Println(reply.Text, reply.DoneReason, *usage.Input, *usage.Output, usage.Cached == nil, err)
	// Output: {"answer": 5} stop 12 9 true <nil>
}
