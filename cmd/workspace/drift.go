package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"benchwright/cmd"
	"benchwright/reports"
)

func driftVerb() *cobra.Command {
	c := &cobra.Command{
		Use:   "drift URL | drift -- COMMAND [ARGUMENT…]",
		Short: "Compare what a live MCP server of the workspace offers with what is simulated",
		Long: `Ask a live MCP server for everything that it offers, and compare it with what the simulator offers: the eighteen
tools of the product with the schemas of their arguments, its two prompts and sixteen resources. The other two tools of
the simulator read prompts and resources, and are no tools of the product.

What is gone fails, and so does a schema that refuses arguments which were right before: a property that is gone, is
required now, or takes fewer values. What came is a note. Titles, descriptions, defaults and examples of schemas do not
count. Of a resource its uri, name, description and type count, by their SHA-256.

The descriptions of the simulator's resources are its own. To watch a server for changes of its own, keep what it
offers with --save FILE, and compare with that by --against FILE.

Exit code 0 is no drift, 1 drift, 2 no comparison.`,
	}
	against := c.Flags().String("against", "", "compare with what --save kept, not with the simulator")
	save := c.Flags().String("save", "", "a new file for what the server offers")
	token := c.Flags().String("token-env", "", "name of the environment variable that holds a bearer token")
	limit := c.Flags().Duration("timeout", time.Minute, "how long the server may take for all of it")
	c.Args = func(c *cobra.Command, a []string) error {
		switch dash := c.ArgsLenAtDash(); {
		case dash < 0 && len(a) == 1, dash == 0 && len(a) > 0:
			return nil
		}
		return cmd.Usage(fmt.Errorf("%s: want one URL, or -- and a command; usage: %s", c.Name(), c.UseLine()))
	}
	c.RunE = func(c *cobra.Command, a []string) error {
		want, err := expected(*against)
		if err != nil {
			return cmd.Usage(err)
		}
		parent := c.Context()
		if parent == nil {
			parent = context.Background()
		}
		ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
		defer stop()
		ctx, done := context.WithTimeout(ctx, *limit)
		defer done()
		var t mcp.Transport
		if c.ArgsLenAtDash() == 0 {
			command := exec.CommandContext(ctx, a[0], a[1:]...)
			command.Stderr = c.ErrOrStderr()
			t = &mcp.CommandTransport{Command: command}
		} else if t, err = streamable(a[0], *token); err != nil {
			return cmd.Usage(err)
		}
		have, err := ask(ctx, t)
		if err != nil {
			return &cmd.Exit{Code: 2, Err: fmt.Errorf("drift: %s", reports.Clean(err.Error(), maxLine))}
		}
		if *save != "" {
			if err := have.save(*save); err != nil {
				return &cmd.Exit{Code: 2, Err: err}
			}
		}
		found := compare(want, have)
		if n := tell(c.OutOrStdout(), have, found); n > 0 {
			return fmt.Errorf("drift: %d differences that break what worked", n)
		}
		return nil
	}
	return c
}

// streamable connects to a URL, with a bearer token out of the environment.
func streamable(address, tokenEnv string) (mcp.Transport, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("drift: %q is no http or https URL", reports.Clean(address, maxLine))
	}
	client := &http.Client{Transport: bounded{http.DefaultTransport, ""}}
	if tokenEnv != "" {
		token := os.Getenv(tokenEnv)
		if token == "" {
			return nil, fmt.Errorf("drift: --token-env: the variable %s is not set", tokenEnv)
		}
		client.Transport = bounded{http.DefaultTransport, "Bearer " + token}
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return errors.New("the server redirects elsewhere") }
	return &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: client, DisableStandaloneSSE: true}, nil
}

// bounded limits what a server may answer.
type bounded struct {
	http.RoundTripper
	authorization string
}

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.authorization != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", b.authorization)
	}
	res, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, maxAnswer), res.Body}
	}
	return res, err
}

// maxAnswer is how many bytes of one answer are read.
const maxAnswer = 32 << 20

// tell prints a table and returns how many differences fail.
func tell(out io.Writer, have *surface, found []difference) (failing int) {
	fmt.Fprintf(out, "%s: %d tools, %d prompts, %d resources, %d templates\n", reports.Clean(have.Server, 100),
		len(have.Tools), len(have.Prompts), len(have.Resources), len(have.Templates))
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, d := range found {
		mark := "note"
		if d.Fails {
			mark = "DRIFT"
			failing++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", mark, d.Kind, reports.Clean(d.Name, 200), reports.Clean(d.Text, maxLine))
	}
	w.Flush()
	if failing == 0 {
		fmt.Fprintln(out, strings.TrimSpace("no drift"))
	}
	return failing
}
