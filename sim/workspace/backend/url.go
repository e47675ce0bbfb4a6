package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Bounds of asking a real backend.
const (
	askTimeout  = 10 * time.Second // one request
	maxRedirect = 5
	loadTimeout = 2 * time.Minute // of a whole backend
	maxVariants = 32              // requests for other options than the defaults, a widget
	maxRequests = 2000            // of one load
)

// OpenURL loads a backend from its server: /widgets.json, /apps.json (which may be missing), and
// then, once, the answer of every widget's endpoint with the defaults of its parameters, the
// answer for each other static option alone, and the options of every optionsEndpoint. Nothing
// is asked again: what was answered is frozen, with its digest. Date macros are resolved
// against a fixed day.
//
// The manifests are validated as the product does, and what it refuses is an *[Invalid]. An
// endpoint that answers with an error is a failure that the agent will see and a note; a server
// that does not answer at all is an error. Redirects to another host are not followed, nor are
// endpoints there asked.
func OpenURL(ctx context.Context, rawURL string) (*Backend, error) {
	u, err := url.Parse(strings.TrimSuffix(cleanURL(rawURL), "/widgets.json"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("backend URL %q: want http://host:port or https://host", shorten(rawURL))
	}
	if u.User != nil || u.RawQuery != "" {
		return nil, fmt.Errorf("backend URL %s: it may hold neither credentials nor a query", u.Host)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, loadTimeout, fmt.Errorf("not loaded within %s", loadTimeout))
	defer cancel()
	b, err := (&asker{base: u, left: maxLoaded, requests: maxRequests, client: client(u.Host)}).load(ctx)
	if err != nil {
		return nil, fmt.Errorf("backend URL %s: %w", u, err)
	}
	return b, nil
}

// Open loads a backend from a URL, or else from a folder.
func Open(ctx context.Context, where string) (*Backend, error) {
	if strings.HasPrefix(where, "http://") || strings.HasPrefix(where, "https://") {
		return OpenURL(ctx, where)
	}
	return OpenDir(where)
}

func client(host string) *http.Client {
	return &http.Client{
		Timeout: askTimeout,
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			switch {
			case req.URL.Host != host:
				return fmt.Errorf("it redirects to another host, %q", shorten(req.URL.Host))
			case len(via) > maxRedirect:
				return errors.New("it redirects too often")
			}
			return nil
		},
	}
}

// An asker loads one backend.
type asker struct {
	base     *url.URL
	client   *http.Client
	left     int64
	requests int
	b        *Backend
}

// A said is what a server answered.
type said struct {
	status int
	body   []byte
	text   bool
}

func (a *asker) load(ctx context.Context) (*Backend, error) {
	src := Source{Slug: Slug(a.base.Host, "backend"), Name: a.base.Host, URL: a.base.String()}
	var err error
	if src.Widgets, err = a.manifest(ctx, "/widgets.json"); err != nil {
		return nil, err
	} else if src.Widgets == nil {
		return nil, errors.New("/widgets.json: HTTP 404")
	}
	if src.Apps, err = a.manifest(ctx, "/apps.json"); err != nil {
		return nil, err
	}
	if a.b, err = Author(src); err != nil {
		return nil, err
	}
	a.b.answers = map[string]*answer{}
	for _, d := range a.b.Widgets {
		if err := a.options(ctx, d); err != nil {
			return nil, fmt.Errorf("widget %q: %w", d.ID, err)
		}
		if err := a.widget(ctx, d); err != nil {
			return nil, fmt.Errorf("widget %q: %w", d.ID, err)
		}
	}
	return a.b, a.b.seal()
}

// manifest returns nil for a manifest that is not there.
func (a *asker) manifest(ctx context.Context, path string) (json.RawMessage, error) {
	req, err := http.NewRequest(http.MethodGet, a.base.String()+path, nil)
	if err != nil {
		return nil, err
	}
	s, err := a.ask(ctx, req, maxManifest)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case s.status == http.StatusNotFound:
		return nil, nil
	case s.status != http.StatusOK:
		return nil, fmt.Errorf("%s: HTTP %d", path, s.status)
	}
	return s.body, nil
}

func (a *asker) ask(ctx context.Context, req *http.Request, most int64) (said, error) {
	if a.requests--; a.requests < 0 {
		return said{}, fmt.Errorf("more than %d requests are needed", maxRequests)
	}
	req.Header.Set("Accept", "application/json, text/html;q=0.9, */*;q=0.5")
	resp, err := a.client.Do(req.WithContext(ctx))
	if err != nil {
		return said{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	if err != nil {
		return said{}, fmt.Errorf("%s: %w", req.URL.Path, err)
	}
	if int64(len(body)) > most {
		return said{}, fmt.Errorf("%s: the answer is larger than %d MiB", req.URL.Path, most>>20)
	}
	if a.left -= int64(len(body)); a.left < 0 {
		return said{}, fmt.Errorf("%s: all answers together are larger than %d MiB", req.URL.Path, int64(maxLoaded)>>20)
	}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return said{resp.StatusCode, body, strings.HasPrefix(media, "text/")}, nil
}

// widget asks for the data of one widget.
func (a *asker) widget(ctx context.Context, d *Definition) error {
	u := resolve(a.base.String(), d.Endpoint)
	if !d.asked() || u == nil || u.Host != a.base.Host {
		a.b.unanswered(d)
		return nil
	}
	defaults := d.sent()
	payload, failure, err := a.data(ctx, d, u, defaults)
	if err != nil {
		return err
	}
	switch {
	case failure != nil && failure.Code == CommandFailed:
		a.b.unanswered(d)
		return nil
	case failure != nil:
		a.b.note(d, "endpoint '%s': %s", shown(d.Endpoint), failure.Message)
		a.b.answers[d.ID] = &answer{failure: failure}
		return nil
	}
	a.b.noteAnswer(d, payload)
	variants, err := a.variants(ctx, d, u, defaults)
	if err != nil {
		return err
	}
	a.b.answers[d.ID] = frozen(payload, nil, variants)
	return nil
}

// variants asks once for each static option that is not the default, all else being default.
func (a *asker) variants(ctx context.Context, d *Definition, u *url.URL, defaults map[string]any) ([]argsEntry, error) {
	var out []argsEntry
	asked := 0
	for _, p := range d.Params[:d.top] {
		if p.Multi {
			continue
		}
		for _, o := range p.Options {
			if v, ok := defaults[p.Name]; ok && Str(v) == o.Value {
				continue
			}
			if asked++; asked > maxVariants {
				a.b.note(d, "it has more options than are asked for: only the first %d are", maxVariants)
				return out, nil
			}
			args := make(map[string]any, len(defaults)+1)
			for k, v := range defaults {
				args[k] = v
			}
			args[p.Name] = o.Value
			data, failure, err := a.data(ctx, d, u, args)
			if err != nil {
				return nil, err
			}
			if failure != nil {
				a.b.note(d, "%s=%s: %s", shown(p.Name), shown(o.Value), failure.Message)
				continue
			}
			out = append(out, argsEntry{map[string]string{p.Name: o.Value}, data})
		}
	}
	return out, nil
}

func (a *asker) data(ctx context.Context, d *Definition, u *url.URL, args map[string]any) (json.RawMessage, *Failure, error) {
	req, err := request(d, u, args)
	if err != nil {
		return nil, nil, err
	}
	s, err := a.ask(ctx, req, maxAnswer)
	switch {
	case err != nil:
		return nil, nil, err
	case s.status == http.StatusNotFound:
		return nil, unknownEndpoint(d.ID), nil
	case s.status < 200 || s.status > 299:
		return nil, &Failure{Code: ResponseInvalid, Message: fmt.Sprintf("The backend endpoint returned HTTP %d.", s.status), status: s.status}, nil
	}
	data, err := d.freeze(s.body, s.text)
	if err != nil {
		return nil, &Failure{Code: ResponseInvalid, Message: "The backend response was not valid JSON.", status: http.StatusBadGateway}, nil
	}
	return data, nil, nil
}

// options asks for the choices of every parameter that has them behind an endpoint.
func (a *asker) options(ctx context.Context, d *Definition) error {
	for i := range d.Params {
		p := &d.Params[i]
		u := resolve(a.base.String(), p.OptionsEndpoint)
		if u == nil || u.Host != a.base.Host || absolute(p.OptionsEndpoint) {
			continue
		}
		q := u.Query()
		for k, v := range d.optionsQuery(p) {
			q.Set(k, wire(v))
		}
		u.RawQuery = q.Encode()
		req, err := http.NewRequest(http.MethodGet, u.String(), nil)
		if err != nil {
			return err
		}
		s, err := a.ask(ctx, req, maxAnswer)
		if err != nil {
			return err
		}
		v, err := parse(s.body)
		list, ok := choicesOf(v)
		switch {
		case s.status == http.StatusNotFound:
			a.b.note(d, "nothing answers for the options of '%s'", shown(p.Name))
		case s.status != http.StatusOK:
			a.b.note(d, "options of '%s': HTTP %d", shown(p.Name), s.status)
		case err != nil || !ok:
			a.b.note(d, "options of '%s': the answer is no list", shown(p.Name))
		default:
			for _, c := range list {
				a.b.addChoice(d.ID, p.Name, c)
			}
		}
	}
	return nil
}
