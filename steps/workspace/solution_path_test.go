package workspace

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/onsi/gomega"
)

func TestNearMissesEditByPath(t *testing.T) {
	for _, tt := range []struct{ raw, path, value, want, reason string }{
		{`{"a":1}`, "a", `2`, `{"a":2}`, "a key is set"},
		{`{"b":1,"a":1}`, "c", `2`, `{"b":1,"a":1,"c":2}`, "a new one comes last"},
		{`{"a":{"b":1}}`, "a.b", "", `{"a":{}}`, "what is not given is removed"},
		{`{"a":[{"n":1},{"n":2}]}`, "a.0.n", `3`, `{"a":[{"n":3},{"n":2}]}`, "an item is told by its place"},
		{`{"a":[1,2]}`, "a.1", `3`, `{"a":[1,3]}`, "an item is set"},
		{`{"a":[1,2]}`, "a.2", `3`, `{"a":[1,2,3]}`, "or added"},
		{`{"a":[1,2]}`, "a.0", "", `{"a":[2]}`, "or removed"},
		{`{"a":[1,2]}`, "a.3", `3`, `no place in the list`, "but not with a gap"},
		{`{"a":[1,2]}`, "a.-1", `3`, `no place in the list`, "nor from its end"},
		{`{"a":[1,2]}`, "a.2", "", `no place in the list`, "what is not there cannot go"},
		{`{"a":[1,2]}`, "a.x", `1`, `items are numbered from 0`, "a list has no keys"},
		{`{"limit":1}`, "limt", "", `did you mean "limit"`, "a slip is told"},
		{`{"a":{}}`, "a.b.c", `1`, `the object is empty`, "there is nothing to mean"},
		{`{"a":1}`, "a.b", `1`, `neither an object nor a list`, "a number holds nothing"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			g := gomega.NewWithT(t)
			var v json.RawMessage
			if tt.value != "" {
				v = json.RawMessage(tt.value)
			}
			got, err := setPath(json.RawMessage(tt.raw), strings.Split(tt.path, "."), v)
			if tt.want[0] == '{' {
				g.Expect(err).NotTo(gomega.HaveOccurred())
				g.Expect(string(got)).To(gomega.Equal(tt.want))
				return
			}
			g.Expect(err).To(gomega.MatchError(gomega.ContainSubstring(tt.want)))
		})
	}
}
