package simtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"

	"benchwright/sim"
)

// counter is a small world that keeps the contract, unless it has a defect.
type counter struct {
	defect  string
	n       *int
	scratch []byte // the buffer of worlds that give away the one they write to
	calls   int
	closed  bool
	parent  *counter
	salt    int64
}

// counterKind makes counters with a defect; "" means none.
func counterKind(defect string) sim.Kind {
	k := sim.Kind{Name: "counter", New: func(_ context.Context, _ sim.Env, setup json.RawMessage, _ []string) (sim.World, error) {
		var s struct{ Start int }
		if err := json.Unmarshal(setup, &s); err != nil {
			switch defect {
			case "new panics":
				panic(err)
			case "new gives nothing":
				return nil, nil
			}
			return nil, err
		}
		c := &counter{defect: defect, n: new(int), scratch: make([]byte, 0, 64)}
		*c.n = s.Start
		if defect == "random" {
			c.salt = rand.Int64()
		}
		if defect == "refuses" {
			return nil, errors.New("no counter today")
		}
		return c, nil
	}}
	if defect == "decode loses" {
		k.Decode = nilDecode
	}
	return k
}

func nilDecode(json.RawMessage, fs.FS) (sim.State, error) { return sim.RawState(`{"n":0}`), nil }

func (c *counter) is(defect string) bool { return c.defect == defect }

func (c *counter) Tools() []sim.Tool {
	schema := json.RawMessage(`{"type":"object","properties":{"by":{"type":"integer"}}}`)
	tools := []sim.Tool{{Name: "add", Description: "Adds.", Schema: schema}, {Name: "get", Description: "Reads.", Schema: schema}}
	switch c.defect {
	case "tools twice":
		tools = append(tools, tools[0])
	case "tool without words":
		tools[1].Description = ""
	case "tool without name":
		tools[1].Name = ""
	case "schema no json":
		tools[0].Schema = json.RawMessage(`{`)
	case "schema of no object":
		tools[0].Schema = json.RawMessage(`{"type":"string"}`)
	case "schema wrong":
		tools[0].Schema = json.RawMessage(`{"type":"object","properties":{"by":{"type":"whole"}}}`)
	case "tools move":
		if c.calls%2 == 1 {
			tools[0], tools[1] = tools[1], tools[0]
		}
	case "tools of forks":
		if c.parent != nil {
			tools = tools[:1]
		}
	}
	return tools
}

func (c *counter) Begin(context.Context, int) error {
	if c.is("begin fails") {
		return errors.New("not ready")
	}
	if c.closed && c.is("begin panics closed") {
		panic("closed")
	}
	return nil
}

func (c *counter) Call(ctx context.Context, call sim.Call) sim.Result {
	if c.closed && !c.is("works closed") {
		if c.is("panics closed") {
			panic("closed")
		}
		return sim.Fault("the counter is closed")
	}
	c.calls++
	var args struct{ By *int }
	v, err := sim.ParseJSON(call.Arguments)
	if object, ok := v.(map[string]any); !ok {
		err = errors.New("no object")
	} else if by, has := object["by"]; has {
		n, isNumber := by.(json.Number)
		i, e := n.Int64()
		if e != nil && c.is("panics on arguments") {
			panic(e)
		}
		if e != nil && c.is("faults on arguments") {
			return sim.Fault("%v", e)
		}
		if !isNumber || e != nil || i < -100 || i > 100 {
			err = errors.New("by must be a small integer")
		}
		args.By = new(int)
		*args.By = int(i)
	}
	switch {
	case call.Name != "add" && call.Name != "get":
		if c.is("unknown is ok") {
			return sim.Result{Data: json.RawMessage(`{}`), Status: sim.StatusOK}
		}
		data := sim.MustCanonical(map[string]string{"error": "there is no tool " + call.Name})
		if c.is("data no json") {
			data = json.RawMessage(call.Name)
		}
		return sim.Result{Data: data, Status: "unknown"}
	case err != nil:
		status := "invalid"
		if c.is("invalid is ok") {
			status = sim.StatusOK
		}
		if c.is("no status") {
			status = ""
		}
		return sim.Result{Data: json.RawMessage(`{"error":"by must be a small integer"}`), Status: status, Invalid: true}
	}
	if ctx.Err() != nil && c.is("panics cancelled") {
		panic(ctx.Err())
	}
	if ctx.Err() != nil && c.is("silent cancelled") {
		return sim.Result{}
	}
	if call.Name == "add" && args.By != nil && !c.is("never changes") {
		*c.n += *args.By
	}
	if c.is("calls counted in parent") && c.parent != nil {
		*c.parent.n++
	}
	r := sim.Result{Data: fmt.Appendf(nil, `{"n":%d}`, *c.n), Status: sim.StatusOK, Arguments: sim.MustCanonical(call.Arguments)}
	switch c.defect {
	case "writes arguments":
		clear(call.Arguments)
	case "random":
		r.Data = fmt.Appendf(nil, `{"n":%d,"salt":%d}`, *c.n, c.salt)
	case "result reused":
		c.scratch = append(c.scratch[:0], r.Data...)
		r.Data = c.scratch
	case "arguments not canonical":
		r.Arguments = json.RawMessage(`{ "by": 1 }`)
	case "facts not canonical":
		r.Facts = json.RawMessage(`{"z":1,"a":2}`)
	case "fault":
		return sim.Fault("out of order")
	case "third fork in a row":
		if c.parent != nil && c.parent.parent != nil && c.parent.parent.parent != nil {
			r.Data = json.RawMessage(`{"n":0}`)
		}
	case "forgetful fork":
		if c.parent != nil {
			r.Data = json.RawMessage(`{"n":0}`)
		}
	}
	return r
}

// live is a state that reads the counter when it is asked for its bytes.
type live struct{ c *counter }

func (l live) JSON() json.RawMessage { return fmt.Appendf(nil, `{"n":%d}`, *l.c.n) }

func (c *counter) State() (sim.State, error) {
	raw := fmt.Appendf(nil, `{"n":%d}`, *c.n)
	switch c.defect {
	case "state buffer":
		c.scratch = append(c.scratch[:0], raw...)
		raw = c.scratch
	case "state live":
		return live{c}, nil
	case "state spaced":
		raw = fmt.Appendf(nil, `{ "n": %d }`, *c.n)
	case "state no json":
		raw = []byte("n=1")
	case "state fails":
		return nil, errors.New("no state")
	case "state nil":
		return nil, nil
	case "state counts reads":
		c.salt++
		raw = fmt.Appendf(nil, `{"n":%d,"reads":%d}`, *c.n, c.salt)
	case "state panics":
		panic("no state")
	}
	return sim.RawState(raw), nil
}

func (c *counter) Fork() (sim.World, error) {
	switch c.defect {
	case "fork fails":
		return nil, errors.New("no forks")
	case "fork shares":
		f := *c
		return &f, nil
	case "fork is itself":
		return c, nil
	case "fork panics":
		panic("no forks")
	}
	f := &counter{defect: c.defect, n: new(int), scratch: make([]byte, 0, 64), calls: c.calls, parent: c, salt: c.salt}
	*f.n = *c.n
	if c.is("fork starts anew") {
		*f.n = 0
	}
	if c.is("fork of fork shares") && c.parent != nil {
		f.n = c.n
	}
	return f, nil
}

func (c *counter) Close() error {
	if c.closed && c.is("close once") {
		return errors.New("already closed")
	}
	if c.closed && c.is("close panics") {
		panic("already closed")
	}
	if c.is("close takes forks along") {
		*c.n = 0
		if c.parent != nil {
			c.parent.closed = true
		}
	}
	c.closed = true
	return nil
}
