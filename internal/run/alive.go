package run

// Alive reports whether a process of this machine exists.
func Alive(pid int) bool { return alive(pid) }
