package mcp

import (
	"context"
	"io"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/agent"
	"benchwright/tasks"
)

// MaxMessage is how large a message of a client may be.
const MaxMessage = 4 << 20

// A Stream is the agent at the other end of a pair of streams, such as standard input and output,
// on which messages are lines. It plays one episode.
type Stream struct {
	Transport sdk.Transport
	Dialect   tasks.Dialect
	Options   Options

	once   sync.Once
	closed chan struct{} // closed when the client has closed its side
}

// NewStream returns the agent that writes to in and reads from out. Neither is closed.
func NewStream(in io.Reader, out io.Writer, d tasks.Dialect, o Options) *Stream {
	return &Stream{Dialect: d, Options: o, Transport: &sdk.IOTransport{
		Reader: io.NopCloser(in), Writer: unclosed{out}, MaxLineLength: MaxMessage,
	}}
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

func (a *Stream) ended() chan struct{} {
	a.once.Do(func() { a.closed = make(chan struct{}) })
	return a.closed
}

// Play implements agent.Agent. After the end it goes on answering that the episode is over, until
// the client closes its side: see Wait.
func (a *Stream) Play(ctx context.Context, s *agent.Session) error {
	e, err := open(ctx, s, a.Dialect, a.Options)
	if err != nil {
		return err
	}
	go func() {
		defer close(a.ended())
		e.server.Run(context.WithoutCancel(ctx), patient{a.Transport})
		e.leave()
	}()
	defer e.report()
	e.claim() // whoever holds the other end was handed it
	return e.await(ctx)
}

// Wait returns when the client has closed its side, or ctx has ended.
func (a *Stream) Wait(ctx context.Context) {
	select {
	case <-a.ended():
	case <-ctx.Done():
	}
}
