//go:build unix

package run

import "syscall"

// alive reports whether a process of this machine exists.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}
