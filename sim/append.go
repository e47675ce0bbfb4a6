package sim

// AppendCanonical appends the canonical form of v to b and returns it. It is for values as
// [ParseJSON] returns them; anything else in v becomes null.
func AppendCanonical(b []byte, v any) []byte { return appendCanonical(b, v) }
