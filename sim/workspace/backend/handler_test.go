package backend_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"benchwright/sim/workspace/backend"
)

const served = `{
	"slug": "desk", "name": "Desk",
	"widgets": {
		"trades": {"name": "T", "description": "D", "endpoint": "/t", "params": [
			{"paramName": "desk"}, {"paramName": "live", "type": "boolean"},
			{"paramName": "series", "type": "endpoint", "optionsEndpoint": "/series?all=1", "optionsParams": {"d": "$desk"}},
			{"paramName": "form", "type": "form", "endpoint": "/t/add", "method": "PUT", "inputParams": []}]},
		"eu": {"name": "E", "description": "D", "type": "metric", "endpoint": "/pnl?region=eu"},
		"us": {"name": "U", "description": "D", "type": "metric", "endpoint": "/pnl?region=us"},
		"orders": {"name": "O", "description": "D", "type": "table_ssrm", "endpoint": "/o"},
		"page": {"name": "P", "description": "D", "type": "html", "endpoint": "/page"},
		"film": {"name": "F", "description": "D", "type": "youtube", "endpoint": "/film"},
		"candles": {"name": "C", "description": "D", "type": "advanced_charting", "endpoint": "/udf/"},
		"empty": {"name": "C", "description": "D", "type": "advanced_charting", "endpoint": "/udf2", "data": {"defaultSymbol": "XYZ"}}
	},
	"data": {
		"trades": {"payload": [{"id": 1, "desk": "Macro", "live": true}, {"id": 2, "desk": "Rates", "live": false}], "filters": ["desk", "live"], "options": {"series": [{"label": "S", "value": "s", "when": {"desk": "Rates"}}]}},
		"eu": {"payload": {"label": "EU", "value": 1}}, "us": {"payload": {"label": "US", "value": 2}},
		"orders": {"payload": [{"id": "c", "n": 10}, {"id": "a", "n": 9.5}, {"id": "B", "n": null}, {"id": "d", "n": 10}]},
		"page": {"payload": "<b>é</b>"}, "film": {"payload": "https://y.example/1"},
		"candles": {"payload": [{"date": "2026-01-02", "symbol": "HRB", "open": 1, "high": 3, "low": 1, "close": 2.5, "volume": 10}, {"date": "2026-01-03", "symbol": "HRB", "open": 2, "high": 3, "low": 1, "close": 2}, {"time": 1767398400, "symbol": "GLF", "open": 7, "high": 7, "low": 7, "close": 7}]}
	}
}`

func TestHandler(t *testing.T) {
	h := backend.Handler(fixture(t, served))
	tests := []struct {
		name, method, target, body string
		status                     int
		want                       string
	}{
		{"root", "GET", "/", "", 200, `{"name":"Desk"}`},
		{"no-apps", "GET", "/apps.json", "", 200, `[]`},
		{"all-rows", "GET", "/t", "", 200, `[{"id":1,"desk":"Macro","live":true},{"id":2,"desk":"Rates","live":false}]`},
		{"filtered", "GET", "/t/?desk=Rates&x=1", "", 200, `[{"id":2,"desk":"Rates","live":false}]`},
		{"boolean", "GET", "/t?live=true", "", 200, `[{"id":1,"desk":"Macro","live":true}]`},
		{"empty-value", "GET", "/t?desk=", "", 200, `[{"id":1,"desk":"Macro","live":true},{"id":2,"desk":"Rates","live":false}]`},
		{"body", "POST", "/t", `{"desk": "Macro"}`, 200, `[{"id":1,"desk":"Macro","live":true}]`},
		{"static-query", "GET", "/pnl?region=us", "", 200, `{"label":"US","value":2}`},
		{"static-query-first", "GET", "/pnl", "", 200, `{"label":"EU","value":1}`},
		{"options", "GET", "/series?all=1&d=Rates", "", 200, `[{"label":"S","value":"s"}]`},
		{"options-other", "GET", "/series?d=Macro", "", 200, `[]`},
		{"form", "PUT", "/t/add", `{"a": 1}`, 200, `{"success":true}`},
		{"form-method", "POST", "/t/add", `{}`, 405, `{"detail":"Method Not Allowed"}`},
		{"html", "GET", "/page", "", 200, `<b>é</b>`},
		{"youtube", "GET", "/film", "", 200, `https://y.example/1`},
		{"block", "POST", "/o", `{"startRow": 1, "endRow": 3, "sortModel": [{"colId": "n", "sort": "desc"}, {"colId": "id", "sort": "asc"}], "filterModel": {}}`, 200, `{"rowData":[{"id":"d","n":10},{"id":"a","n":9.5}],"rowCount":4}`},
		{"block-filter", "POST", "/o", `{"startRow": 0, "endRow": 100, "filterModel": {"n": {"filterType": "number", "type": "greaterThan", "filter": 9.5}, "id": {"type": "notEqual", "filter": "d"}}}`, 200, `{"rowData":[{"id":"c","n":10}],"rowCount":1}`},
		{"block-odd", "POST", "/o", `{"startRow": 9, "endRow": -1, "sortModel": 5, "filterModel": {"n": 7}}`, 200, `{"rowData":[],"rowCount":4}`},
		{"block-get", "GET", "/o", "", 200, `[{"id":"c","n":10},{"id":"a","n":9.5},{"id":"B","n":null},{"id":"d","n":10}]`},
		{"udf-config", "GET", "/udf/config", "", 200, `{"supported_resolutions":["1D"],"supports_group_request":false,"supports_marks":false,"supports_search":true,"supports_time":false,"supports_timescale_marks":false}`},
		{"udf-search", "GET", "/udf/search?query=h", "", 200, `[{"description":"HRB","exchange":"","full_name":"HRB","symbol":"HRB","ticker":"HRB","type":"stock"}]`},
		{"udf-symbols", "GET", "/udf/symbols?symbol=NOPE", "", 404, `{"detail":"unknown symbol"}`},
		{"udf-history", "GET", "/udf/history?symbol=HRB&from=1767300000&to=1767400000", "", 200, `{"s":"ok","t":[1767312000,1767398400],"o":[1,2],"h":[3,3],"l":[1,1],"c":[2.5,2],"v":[10,0]}`},
		{"udf-no-data", "GET", "/udf/history?symbol=HRB&from=1&to=2", "", 200, `{"s":"no_data"}`},
		{"udf-without-rows", "GET", "/udf2/search", "", 200, `[{"description":"XYZ","exchange":"","full_name":"XYZ","symbol":"XYZ","ticker":"XYZ","type":"stock"}]`},
		{"unknown", "GET", "/nope", "", 404, `{"detail":"Not Found"}`},
		{"method", "DELETE", "/t", "", 405, `{"detail":"Method Not Allowed"}`},
		{"preflight", "OPTIONS", "/t", "", 204, ``},
		{"bad-body", "POST", "/t", `{"a":`, 422, `{"detail":"the body is not valid JSON: unexpected EOF"}`},
		{"list-body", "POST", "/t", `[1]`, 200, `[{"id":1,"desk":"Macro","live":true},{"id":2,"desk":"Rates","live":false}]`},
		{"large-body", "POST", "/t", `{"a": "` + strings.Repeat("x", 1<<20) + `"}`, 413, `{"detail":"http: request body too large"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest(test.method, test.target, strings.NewReader(test.body))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != test.status || w.Body.String() != test.want {
				t.Errorf("HTTP %d %s\nwant %d %s", w.Code, w.Body, test.status, test.want)
			}
			if w.Header().Get("Access-Control-Allow-Origin") != "*" {
				t.Error("without CORS no browser can read it")
			}
		})
	}
}

func TestFailuresTravelAsHTTPErrors(t *testing.T) {
	rt := parseRuntime(t, `{"datasets": [{"name": "d", "widget_id": "w", "raw_body": "<"}]}`)
	h := backend.Handler(author(t, oneWidget, "").Bind(rt))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/e", nil))
	if w.Code != http.StatusBadGateway || w.Body.String() != `{"detail":"The backend response was not valid JSON."}` {
		t.Errorf("HTTP %d %s", w.Code, w.Body)
	}
}

func TestServerAnswersForItsOwnHostsAlone(t *testing.T) {
	tests := []struct {
		addr, host string
		want       bool
	}{
		{"127.0.0.1:7779", "127.0.0.1:7779", true}, {"127.0.0.1:7779", "localhost:7779", true}, {"127.0.0.1:7779", "[::1]:7779", true}, {"127.0.0.1:7779", "LOCALHOST.", true},
		{"127.0.0.1:7779", "evil.example:7779", false}, {"127.0.0.1:7779", "10.0.0.5:7779", false}, {"127.0.0.1:7779", "", false}, {"127.0.0.1:7779", "localhost.evil.example", false},
		{"0.0.0.0:7779", "10.0.0.5:7779", true}, {":7779", "10.0.0.5", true}, {":7779", "evil.example", false}, {"bench.lan:7779", "bench.lan:7779", true}, {"bench.lan:7779", "evil.lan:7779", false},
	}
	b := author(t, oneWidget, "")
	for _, test := range tests {
		r := httptest.NewRequest("GET", "/widgets.json", nil)
		r.Host = test.host
		w := httptest.NewRecorder()
		s := backend.NewServer(b, test.addr)
		s.Handler.ServeHTTP(w, r)
		if got := w.Code == 200; got != test.want {
			t.Errorf("at %s for host %q: HTTP %d", test.addr, test.host, w.Code)
		}
		if s.ReadHeaderTimeout == 0 || s.ReadTimeout == 0 || s.WriteTimeout == 0 || s.IdleTimeout == 0 {
			t.Error("a time limit is missing")
		}
	}
}
