//go:build linux

package sandbox

import "benchwright/sim/files/sandbox/internal/stage"

// For tests that force a level instead of probing for one.
var (
	MayBecome   = mayBecome
	LandlockABI = stage.LandlockABI
)

// At returns the sandbox of a level.
func At(namespaces bool, landlock int, nobody, broker bool) (*Sandbox, error) {
	return at(Level{namespaces: namespaces, landlock: landlock, seccomp: true, nobody: nobody, broker: broker})
}

// Try probes the level of s.
var Try = (*Sandbox).try
