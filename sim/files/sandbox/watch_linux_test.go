package sandbox

import "testing"

func TestSumOfLines(t *testing.T) {
	const status = "Name:\tRssAnon: 7 kB\nRssAnon:\t     12 kB\nRssFile:\t 99 kB\nRssShmem:\t       3 kB\nRssAnon:\n"
	if got := sum([]byte(status), "RssAnon:", "RssShmem:"); got != 15<<10 {
		t.Errorf("got %d, want 15 KiB", got)
	}
	if got := sum(nil, "RssAnon:"); got != 0 {
		t.Errorf("nothing has %d", got)
	}
}
