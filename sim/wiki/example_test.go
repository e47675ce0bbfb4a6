package wiki_test

import (
	"context"
	"encoding/json"
	"fmt"

	"benchwright/sim"
	"benchwright/sim/wiki"
)

func ExampleKindOf() {
	ctx := context.Background()
	setup := json.RawMessage(`{"case":"small","stages":[{"name":"protocol"}]}`)
	w, err := wiki.KindOf(small()).New(ctx, sim.Env{}, setup, []string{wiki.AllTools})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	if err := w.Begin(ctx, 0); err != nil {
		fmt.Println(err)
		return
	}
	for _, path := range []string{"/source/test", "/source/plugins"} {
		r := w.Call(ctx, sim.Call{Name: wiki.ListDir, Arguments: sim.MustCanonical(map[string]string{"path": path})})
		f, _, _ := wiki.ReadFacts(r)
		fmt.Printf("%s\nnoted: call %d, stage %s, missing %t\n", r.Data, f.Call, f.Stage, f.Missing)
	}
	// Output:
	// {"entries":[{"name":"bolt.ts","size":15,"type":"file"}],"ok":true,"path":"/source/test"}
	// noted: call 1, stage protocol, missing false
	// {"code":"not_found","hint":"the roots are /skills and /source, which are read only, and /wiki, whose pages are written with write_page","message":"there is nothing at \"/source/plugins\"","ok":false}
	// noted: call 2, stage protocol, missing true
}
