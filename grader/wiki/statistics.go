package wiki

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// Statistics sums up some values: decimals with a fixed number of places, so that equal values have
// equal bytes.
type Statistics struct {
	Mean json.Number `json:"mean"`
	Min  json.Number `json:"min"`
	Max  json.Number `json:"max"`
	SD   json.Number `json:"sd"` // of a sample; 0 for a single value
}

func statistics(values []float64, places int) Statistics {
	if len(values) == 0 {
		return Statistics{"0", "0", "0", "0"}
	}
	var sum, squares float64
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(len(values))
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	sd := 0.0
	if n := len(values); n > 1 {
		sd = math.Sqrt(squares / float64(n-1))
	}
	text := func(v float64) json.Number { return json.Number(strconv.FormatFloat(v, 'f', places, 64)) }
	return Statistics{text(mean), text(slices.Min(values)), text(slices.Max(values)), text(sd)}
}

// percentile returns the smallest value that p per cent of all are not above.
func percentile(values []int64, p int) int64 {
	values = slices.Sorted(slices.Values(values))
	return values[max((len(values)*p+99)/100, 1)-1]
}
