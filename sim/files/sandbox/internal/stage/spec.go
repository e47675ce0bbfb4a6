//go:build linux

package stage

import "time"

// Marker is the environment variable that makes a process a stage: "supervise" or "command".
const Marker = "BENCHWRIGHT_STAGE"

// Inside names the fixed paths of a command's own file system, and the user it is there.
const (
	Workspace = "/workspace"
	Temp      = "/tmp"
	User      = 1000
)

// A Spec is what the stages are told.
type Spec struct {
	Space    bool // namespaces: build a file system of its own
	Confine  bool // false at level none: limits only
	Landlock int  // ABI to use, 0 for none
	Filter   []byte
	Calls    map[int]string // of the filter's, the calls for a broker to make, by number
	Become   int            // user and group id to take, as this namespace counts; -1 keeps what is
	Search   bool           // keep the right to pass folders that are closed to that user

	Args, Env []string
	Dir       string // on the host
	Temp      string // on the host; with namespaces there is a file system for it
	Lent      []Mount
	Local     bool // also the host's /usr/local

	CPU, FileSize, Open, Processes, Address uint64
	Disk                                    int64 // of the temporary file system
	Entries                                 int

	Canary *Canary // for a probe: ways out to try before the command starts
}

// A Mount is something that the command may read.
type Mount struct{ Host, Inside string }

// A Canary holds what a confined process must not reach.
type Canary struct {
	Secret string // a file of the host
	Port   int    // a listener on the host's loopback
}

// A Report is a line that a stage writes to the parent.
type Report struct {
	Error  string        `json:",omitempty"` // what the stage failed at
	Errno  int           `json:",omitempty"`
	Escape string        `json:",omitempty"` // what the canary reached
	Ended  bool          `json:",omitempty"` // the command ended, as follows
	Code   int           `json:",omitempty"`
	Signal int           `json:",omitempty"`
	CPU    time.Duration `json:",omitempty"`
}
