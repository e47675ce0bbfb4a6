package ollama

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// DefaultHost is where an Ollama server listens unless told otherwise.
const DefaultHost = "http://127.0.0.1:11434"

// HostFromEnv returns the URL of the server that OLLAMA_HOST names, by Ollama's own rules: the
// scheme and the port are optional, the port is 11434 without a scheme, 80 with http and 443
// with https, and nothing at all means [DefaultHost]. Unlike Ollama it keeps a port that is
// none, so that [New] can refuse it: another server than the one meant must not be measured.
func HostFromEnv(getenv func(string) string) string {
	s := strings.Trim(strings.TrimSpace(getenv("OLLAMA_HOST")), `"'`)
	port := "11434"
	scheme, rest, ok := strings.Cut(s, "://")
	switch {
	case !ok && s == "ollama.com":
		scheme, rest = "https", "ollama.com:443"
	case !ok:
		scheme, rest = "http", s
	case scheme == "http":
		port = "80"
	case scheme == "https":
		port = "443"
	}
	rest, path, slash := strings.Cut(rest, "/")
	host, p, err := net.SplitHostPort(rest)
	if err != nil {
		host, p = "127.0.0.1", port
		if ip := net.ParseIP(strings.Trim(rest, "[]")); ip != nil {
			host = ip.String()
		} else if rest != "" {
			host = rest
		}
	}
	out := scheme + "://" + net.JoinHostPort(host, p)
	if slash && path != "" {
		out += "/" + path
	}
	return out
}

// parseHost reads the URL of a server. Its errors do not show the URL: it may hold a secret.
func parseHost(s string) (*url.URL, error) {
	if s == "" {
		s = DefaultHost
	}
	u, err := url.Parse(s)
	var ue *url.Error
	switch {
	case errors.As(err, &ue):
		return nil, fmt.Errorf("ollama: host: %w; want scheme://host:port, as in %s", ue.Err, DefaultHost)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("ollama: host: scheme %q: want http or https, as in %s", u.Scheme, DefaultHost)
	case u.User != nil:
		return nil, errors.New("ollama: host: a user or password in the URL is not supported; it would end up in records")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("ollama: host: a query or fragment has no meaning; want scheme://host:port, as in %s", DefaultHost)
	case u.Host == "":
		return nil, fmt.Errorf("ollama: host: no host name; want scheme://host:port, as in %s", DefaultHost)
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return nil, fmt.Errorf("ollama: host: port %q: want 1 to 65535", p)
		}
	}
	return u, nil
}

// local reports whether a host is this machine. An unspecified address, which people set for
// the server to listen on, reaches it too, and so does none at all.
func local(host string) bool {
	if host == "" || strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}
