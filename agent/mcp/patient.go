package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// patient is a transport whose end is heard of only when every request before it is answered.
// The library cancels what is in flight at the end of its input; a client that writes its
// requests and closes its side, as scripts do, is to get its answers.
type patient struct{ sdk.Transport }

func (t patient) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &patientConn{Connection: c, answered: make(chan struct{}, 1)}, nil
}

type patientConn struct {
	sdk.Connection
	mu       sync.Mutex
	open     int // requests that are not answered
	answered chan struct{}
}

// patience is how long a request, or the end, may be put off.
const patience = 10 * time.Second

// Read hands on one request at a time, so that those which are written without waiting are
// performed in their order: the library answers each on a goroutine of its own.
func (c *patientConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	r, ok := m.(*jsonrpc.Request)
	call := ok && r.IsCall()
	if call || err != nil {
		c.settle(ctx)
	}
	if call {
		c.count(1)
	}
	return m, err
}

// settle waits until every request is answered.
func (c *patientConn) settle(ctx context.Context) {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for c.count(0) > 0 {
		select {
		case <-c.answered:
		case <-ctx.Done():
			return
		case <-limit.C:
			return
		}
	}
}

func (c *patientConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok {
		c.count(-1)
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return err
}

func (c *patientConn) count(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	return c.open
}
