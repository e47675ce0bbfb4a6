// Package workspace holds the verbs of the workspace world.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/reports"
	"benchwright/sim/workspace"
	"benchwright/sim/workspace/backend"
)

// Verbs returns the verbs of the workspace world, for cmd.Main.
func Verbs() []*cobra.Command { return []*cobra.Command{serveVerb(), driftVerb()} }

func serveVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "serve-backend NAME|FOLDER|URL",
		Short: "Serve a workspace backend over HTTP",
		Long: `Serve a workspace backend over HTTP, with CORS, until it is interrupted: /widgets.json, /apps.json and every
endpoint. NAME is a built-in backend; a FOLDER holds widgets.json, perhaps apps.json, and answers named after their
endpoints; a URL is asked once, and what it answered is served. Manifests are validated first, as the workspace
would: errors end the command, warnings are printed.

It listens on the loopback interface unless --addr says otherwise, and refuses requests that name a foreign host.`,
		Args: func(c *cobra.Command, a []string) error {
			if err := cobra.ExactArgs(1)(c, a); err != nil {
				return cmd.Usage(fmt.Errorf("%s: %w; usage: %s", c.Name(), err, c.UseLine()))
			}
			return nil
		},
	}
	addr := c.Flags().String("addr", "127.0.0.1:7779", "where to listen, as host:port; port 0 is any free one")
	c.RunE = func(c *cobra.Command, a []string) error {
		parent := c.Context()
		if parent == nil {
			parent = context.Background()
		}
		ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
		defer stop()
		b, err := open(ctx, a[0])
		if err != nil {
			return err
		}
		return serve(ctx, c.OutOrStdout(), b, *addr)
	}
	return c
}

// open finds a backend by name, or else in a folder or at a URL.
func open(ctx context.Context, name string) (*backend.Backend, error) {
	library, err := workspace.Builtin()
	if err != nil {
		return nil, err
	}
	if b := library.Backend(name); b != nil {
		return b, nil
	}
	if _, err := os.Stat(name); err != nil && !strings.Contains(name, "://") {
		if strings.ContainsRune(name, filepath.Separator) {
			return nil, err
		}
		return nil, fmt.Errorf("%q is neither a built-in backend nor a folder; built in are: %s", reports.Clean(name, maxLine), strings.Join(library.Slugs(), ", "))
	}
	b, err := backend.Open(ctx, name)
	var bad *backend.Invalid
	if errors.As(err, &bad) {
		lines := make([]string, len(bad.Errors))
		for i, e := range bad.Errors {
			lines[i] = "\n  " + reports.Clean(e, maxLine)
		}
		return nil, fmt.Errorf("%s: the workspace would refuse this backend: %d errors:%s", reports.Clean(name, maxLine), len(lines), strings.Join(lines, ""))
	}
	return b, err
}

// maxLine bounds what is printed of a manifest.
const maxLine = 500

// serve answers until ctx ends, and lets requests that are being answered finish.
func serve(ctx context.Context, out io.Writer, b *backend.Backend, addr string) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %w", addr, err)
	}
	server := backend.NewServer(b, addr)
	for _, w := range b.Warnings {
		fmt.Fprintf(out, "warning: %s\n", reports.Clean(w, maxLine))
	}
	for _, n := range b.Notes {
		fmt.Fprintf(out, "note: %s\n", reports.Clean(n, maxLine))
	}
	fmt.Fprintf(out, "serving %s (%d widgets, %d apps, digest %.12s) on http://%s\n", reports.Clean(b.Name, maxLine), len(b.Widgets), len(b.Apps), b.Digest, l.Addr())
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		server.Close()
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	fmt.Fprintln(out, "stopped")
	return nil
}
