package cmd

import "time"

// SetNow lets tests tell the time.
func SetNow(f func() time.Time) (restore func()) {
	old := now
	now = f
	return func() { now = old }
}
