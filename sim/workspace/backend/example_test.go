package backend_test

import (
	"encoding/json"
	"fmt"

	"benchwright/sim/workspace/backend"
)

func ExampleParseFixture() {
	b, err := backend.ParseFixture([]byte(`{
		"slug": "desk", "name": "Desk",
		"widgets": {"trades": {"name": "Trades", "description": "The book", "endpoint": "/trades", "params": [{"paramName": "desk"}]}},
		"data": {"trades": {"payload": [{"id": 1, "desk": "Macro"}, {"id": 2, "desk": "Rates"}], "filters": ["desk"]}}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, failure := b.Data("trades", map[string]any{"desk": "Rates"})
	fmt.Println(string(rows), failure == nil)
	// Output: [{"id":2,"desk":"Rates"}] true
}

func ExampleAuthor() {
	_, err := backend.Author(backend.Source{Name: "Mine", URL: "http://127.0.0.1:7779", Widgets: json.RawMessage(`{"a": {"name": "A"}}`)})
	fmt.Println(err)
	// Output: Widget validation failed: [widgets.json] widget 'a': 'description' is required and must be a string. | [widgets.json] widget 'a': 'endpoint' is required and must be a string.
}

func ExampleOpenDir() {
	b, err := backend.OpenDir("testdata/odd-backend")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range b.Notes {
		fmt.Println(n)
	}
	// Output: widget 'scan': nothing answers at its endpoint '/scan'
}
