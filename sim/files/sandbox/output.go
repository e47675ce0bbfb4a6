package sandbox

// drained is how many times what is kept a stream may write before the command is stopped.
const drained = 64

// A capture keeps the first bytes that a stream wrote and drains the rest, so that a command
// is not blocked by a full pipe, until there is too much of it.
type capture struct {
	kept  []byte
	limit int64
	total int64
	over  func() // called at each write beyond drained × limit
}

func (c *capture) Write(p []byte) (int, error) {
	if room := c.limit - int64(len(c.kept)); room > 0 {
		c.kept = append(c.kept, p[:min(room, int64(len(p)))]...)
	}
	c.total += int64(len(p))
	if c.total > drained*c.limit {
		c.over()
	}
	return len(p), nil
}
