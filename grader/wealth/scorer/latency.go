package scorer

import (
	"math"
	"slices"
)

// LatencySchema names the form of a latency summary.
const LatencySchema = "wealthops.latency/1"

// A Latency is how long the cases of a predictions file took. Failed records are counted and
// are in nothing else. The first decision of a case stands apart from the later ones, since a
// model may have to be loaded for it. What nobody measured is null.
type Latency struct {
	Schema          string                     `json:"schema"`
	Records         int                        `json:"records"`
	Completed       int                        `json:"completed"`
	Failed          int                        `json:"failed"`
	Decisions       int                        `json:"decisions"` // of completed records, like all that follows
	CaseWallMS      *Percentiles               `json:"case_wall_ms"`
	DecisionMS      *Percentiles               `json:"decision_ms"` // all of them
	FirstDecisionMS *Percentiles               `json:"first_decision_ms"`
	LaterDecisionMS *Percentiles               `json:"later_decision_ms"`
	LoadMSMax       *float64                   `json:"load_ms_max"`
	PromptTokens    *int64                     `json:"prompt_tokens"` // null as soon as one decision has no count
	OutputTokens    *int64                     `json:"output_tokens"`
	TokensPerSecond *float64                   `json:"output_tokens_per_s"` // over the decisions whose generating was timed
	ByLanguage      map[string]LanguageLatency `json:"by_language"`
	InvalidLines    int                        `json:"invalid_lines,omitempty"` // that are not in the summary
}

// A LanguageLatency is the part of one language.
type LanguageLatency struct {
	Records    int          `json:"records"`
	Completed  int          `json:"completed"`
	Failed     int          `json:"failed"`
	Decisions  int          `json:"decisions"`
	CaseWallMS *Percentiles `json:"case_wall_ms"`
	DecisionMS *Percentiles `json:"decision_ms"`
}

// Percentiles are by nearest rank: each is a value that was measured.
type Percentiles struct {
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P95 float64 `json:"p95"`
	Max float64 `json:"max"`
}

// Encode returns the summary as a file.
func (l Latency) Encode() ([]byte, error) { return document(l) }

// Summarise summarises a predictions file. What is wrong with the file is returned beside it.
func Summarise(predictions []byte) (Latency, []FileError) {
	f := read(predictions, Cases{})
	l := Latency{Schema: LatencySchema, ByLanguage: map[string]LanguageLatency{}}
	for _, e := range f.errors {
		if e.Label == InvalidRecord {
			l.InvalidLines++
		}
	}
	all := gather(f.records)
	l.Records, l.Completed, l.Failed, l.Decisions = all.records, all.completed, all.records-all.completed, all.decisions
	l.CaseWallMS, l.DecisionMS = percentiles(all.wall), percentiles(append(slices.Clone(all.first), all.later...))
	l.FirstDecisionMS, l.LaterDecisionMS = percentiles(all.first), percentiles(all.later)
	if len(all.load) > 0 {
		most := slices.Max(all.load)
		l.LoadMSMax = &most
	}
	l.PromptTokens, l.OutputTokens = all.prompt.known(), all.output.known()
	if all.timedMS > 0 {
		rate := math.Round(float64(all.timedTokens)/all.timedMS*1000*100) / 100
		l.TokensPerSecond = &rate
	}
	byLanguage := map[string][]Prediction{}
	for _, p := range f.records {
		byLanguage[p.Language] = append(byLanguage[p.Language], p)
	}
	for language, records := range byLanguage {
		m := gather(records)
		l.ByLanguage[language] = LanguageLatency{
			Records: m.records, Completed: m.completed, Failed: m.records - m.completed, Decisions: m.decisions,
			CaseWallMS: percentiles(m.wall), DecisionMS: percentiles(append(m.first, m.later...)),
		}
	}
	return l, f.errors
}

// A count is a sum that is unknown as soon as one part of it is.
type count struct {
	sum   int64
	holes bool
	any   bool
}

func (c *count) add(n *int64) {
	c.any = true
	if n == nil {
		c.holes = true
		return
	}
	c.sum += *n
}

func (c count) known() *int64 {
	if c.holes || !c.any {
		return nil
	}
	return &c.sum
}

// measures are what some records hold.
type measures struct {
	records, completed, decisions int
	wall, first, later, load      []float64
	prompt, output                count
	timedTokens                   int64
	timedMS                       float64
}

func gather(records []Prediction) (m measures) {
	put := func(list *[]float64, ms *float64) {
		if ms != nil {
			*list = append(*list, *ms)
		}
	}
	for _, p := range records {
		m.records++
		if p.Status != Completed {
			continue
		}
		m.completed++
		put(&m.wall, p.WallMS)
		for i, d := range p.Decisions {
			m.decisions++
			if i == 0 {
				put(&m.first, d.DurationMS)
			} else {
				put(&m.later, d.DurationMS)
			}
			put(&m.load, d.LoadMS)
			m.prompt.add(d.PromptTokens)
			m.output.add(d.OutputTokens)
			if d.OutputMS != nil && d.OutputTokens != nil {
				m.timedTokens += *d.OutputTokens
				m.timedMS += *d.OutputMS
			}
		}
	}
	return m
}

// percentiles returns nil for no values.
func percentiles(values []float64) *Percentiles {
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := func(p float64) float64 {
		return sorted[int(math.Ceil(p/100*float64(len(sorted))))-1]
	}
	return &Percentiles{rank(50), rank(90), rank(95), sorted[len(sorted)-1]}
}
