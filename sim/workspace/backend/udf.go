package backend

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// udf serves what a chart of the UDF kind asks below its root: config, search, symbols and
// history. The bars are the widget's rows with a time or date, open, high, low, close and,
// perhaps, volume; rows with a symbol are those of that symbol. A widget without such rows has
// no data at any time.
func (h *handler) udf(d *Definition) {
	root := strings.TrimRight(d.Endpoint, "/")
	h.at(d, root+"/config", func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
		writeJSON(w, map[string]any{
			"supports_search": true, "supports_group_request": false, "supports_marks": false,
			"supports_timescale_marks": false, "supports_time": false, "supported_resolutions": []string{"1D"},
		})
	})
	h.at(d, root+"/search", func(w http.ResponseWriter, _ *http.Request, args map[string]any) {
		query := strings.ToUpper(Str(orText(args["query"], "")))
		found := []any{}
		for _, s := range h.symbols(d) {
			if strings.Contains(strings.ToUpper(s), query) {
				found = append(found, map[string]string{"symbol": s, "full_name": s, "description": s, "exchange": "", "ticker": s, "type": "stock"})
			}
		}
		writeJSON(w, found)
	})
	h.at(d, root+"/symbols", func(w http.ResponseWriter, _ *http.Request, args map[string]any) {
		s := Str(orText(args["symbol"], ""))
		if !slices.Contains(h.symbols(d), s) {
			writeError(w, http.StatusNotFound, "unknown symbol")
			return
		}
		writeJSON(w, map[string]any{
			"name": s, "ticker": s, "description": s, "type": "stock", "session": "24x7", "timezone": "Etc/UTC", "exchange": "",
			"minmov": 1, "pricescale": 100, "has_intraday": false, "supported_resolutions": []string{"1D"},
		})
	})
	h.at(d, root+"/history", func(w http.ResponseWriter, _ *http.Request, args map[string]any) {
		writeRaw(w, history(h.bars(d), args))
	})
}

func orText(v any, fallback string) any {
	if v == nil {
		return fallback
	}
	return v
}

// bars returns the rows of a chart, none if it has no data.
func (h *handler) bars(d *Definition) []*object {
	data, failure := h.b.Data(d.ID, nil)
	if failure != nil {
		return nil
	}
	v, err := parse(data)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(d.rowsOf(v), func(o *object) bool { return o.get("close") == nil })
}

// symbols are those of the rows, else the default symbol of the definition, else "BENCH".
func (h *handler) symbols(d *Definition) []string {
	var out []string
	for _, o := range h.bars(d) {
		if s := o.str("symbol"); s != "" {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		out = []string{"BENCH"}
		if s := d.document().obj("data").str("defaultSymbol"); s != "" {
			out = []string{s}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func history(bars []*object, args map[string]any) json.RawMessage {
	from, to := moment(args["from"]), moment(args["to"])
	reply := &object{m: map[string]any{}}
	lists := map[string][]any{}
	for _, o := range bars {
		at := moment(o.get("time"))
		if at == 0 {
			at = moment(o.get("date"))
		}
		if s := o.str("symbol"); s != "" && s != Str(orText(args["symbol"], s)) || from != 0 && at < from || to != 0 && at > to {
			continue
		}
		lists["t"] = append(lists["t"], at)
		for key, field := range map[string]string{"o": "open", "h": "high", "l": "low", "c": "close", "v": "volume"} {
			v := o.get(field)
			if v == nil {
				v = 0
			}
			lists[key] = append(lists[key], v)
		}
	}
	if len(lists) == 0 {
		reply.set("s", "no_data")
		return encode(reply)
	}
	reply.set("s", "ok")
	for _, key := range []string{"t", "o", "h", "l", "c", "v"} {
		reply.set(key, lists[key])
	}
	return encode(reply)
}

// moment reads seconds since 1970, as a number or as text, or a date. 0 is none.
func moment(v any) int64 {
	if n, ok := integer(v); ok {
		return n
	}
	s, _ := v.(string)
	if n, ok := integer(json.Number(s)); ok {
		return n
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Unix()
		}
	}
	return 0
}
