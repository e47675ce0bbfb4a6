package backend

import (
	"net"
	"net/http"
	"strings"
	"time"
)

// NewServer returns a server of the backend for a listener at addr, with time limits. It
// answers only requests that name a host which is really this machine's, so that a page on
// the web cannot reach it under a name of its own: the loopback addresses and localhost; what
// addr itself names; and any IP address when addr is not on the loopback interface.
func NewServer(b *Backend, addr string) *http.Server {
	return &http.Server{
		Handler:           guard(Handler(b), addr),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
}

func guard(next http.Handler, addr string) http.Handler {
	own := hostOf(addr)
	open := own == "" || !loopback(own)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostOf(r.Host)
		if host != "" && (loopback(host) || host == own || open && net.ParseIP(host) != nil) {
			next.ServeHTTP(w, r)
			return
		}
		writeError(w, http.StatusMisdirectedRequest, "this server does not answer for that host")
	})
}

// hostOf is the host of "host:port" in lower case.
func hostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(addr, "["), "]")
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
