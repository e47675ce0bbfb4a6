package ollama

import (
	"strings"
	"testing"

	"github.com/ollama/ollama/envconfig"
)

func TestHostFromEnvFollowsOllamasOwnRules(t *testing.T) {
	for _, host := range []string{
		"", "  ", `"example.com"`, "example.com", "example.com:1234", ":1234", "127.0.0.1", "0.0.0.0", "[::1]", "::1",
		"[::1]:1234", "http://example.com", "https://example.com", "https://example.com:1234", "http://[::1]:5/",
		"example.com/ollama", "https://example.com/a/b", "example.com:0/ollama/", "ollama.com", "http://1.2.3.4",
	} {
		t.Setenv("OLLAMA_HOST", host)
		want := envconfig.Host()
		got, err := parseHost(HostFromEnv(func(string) string { return host }))
		if strings.Contains(host, ":0/") {
			if err == nil {
				t.Errorf("OLLAMA_HOST=%q: port 0 is no place to connect to, but there was no error", host)
			}
			continue
		}
		if err != nil {
			t.Errorf("OLLAMA_HOST=%q: %v", host, err)
			continue
		}
		if got.JoinPath("/api/chat").String() != want.JoinPath("/api/chat").String() {
			t.Errorf("OLLAMA_HOST=%q\nOllama takes %s\nwe take     %s", host, want, got)
		}
	}
}

func TestNewRefusesAHostThatItCouldNotMean(t *testing.T) {
	for host, want := range map[string]string{
		HostFromEnv(func(string) string { return "example.com:http" }):  "port",
		HostFromEnv(func(string) string { return "example.com:70000" }): `port "70000": want 1 to 65535`,
		"ftp://example.com":               `scheme "ftp": want http or https`,
		"http://user:hunter2@example.com": "a user or password in the URL is not supported",
		"http://user:hunter2@exa mple":    "invalid character",
		"http://example.com?x=1":          "a query or fragment has no meaning",
		"http://":                         "no host name",
	} {
		_, err := New(Config{Name: "tiny", Host: host})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("host %q: error %v, want one with %q", host, err, want)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("host %q: the error tells the password: %v", host, err)
		}
	}
}

func TestLocalHosts(t *testing.T) {
	for host, want := range map[string]bool{
		"": true, "http://localhost:1": true, "http://LOCALHOST.": true, "http://127.8.9.1": true, "http://[::1]:5": true,
		"http://0.0.0.0:11434": true, "http://:11434": true, "http://10.0.0.1": false, "http://example.com": false, "http://localhost.example.com": false,
	} {
		c, err := New(Config{Name: "tiny", Host: host})
		if err != nil {
			t.Fatal(err)
		}
		if c.Local() != want {
			t.Errorf("host %q: Local() = %v", host, c.Local())
		}
	}
}

func TestAProxyIsUsedForOtherHostsOnly(t *testing.T) {
	if transport(true).Proxy != nil {
		t.Error("a proxy is asked for loopback")
	}
	if transport(false).Proxy == nil {
		t.Error("the proxy variables are ignored for other hosts")
	}
}

func TestNewRefusesBadConfigurations(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{}, `model name ""`},
		{Config{Name: "two words"}, `model name "two words": want name or name:tag`},
		{Config{Name: "tiny\x1b[2J"}, `model name "tiny\x1b[2J"`},
		{Config{Name: "tiny", Protocol: "xml"}, `protocol "xml": want "json" or "tools"`},
	} {
		if _, err := New(c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.cfg, err, c.want)
		}
	}
}
