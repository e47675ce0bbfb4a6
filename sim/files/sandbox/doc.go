// Package sandbox runs a command that an agent wrote, in a folder of its own, confined:
// it sees that folder, the system's programs and what it was lent, and nothing else of the
// machine; it reaches no network and no other process; and when it ends, all that it started
// ends with it.
//
//	box, err := sandbox.Open(ctx, sandbox.Auto)
//	if err != nil {
//		return err // wraps ErrRefused where the machine can confine nothing
//	}
//	res, err := box.Run(ctx, sandbox.Command{
//		Args: []string{"/bin/sh", "-c", line},
//		Dir:  scratch,
//	})
//
// An error of Run is the measurement's own: a folder that is not there, a kernel that
// changed its mind, a cancelled context. Whatever the command did, and whatever was done to
// it, is in the [Result].
//
// # What the command sees
//
// With namespaces the command has a file system of its own: its folder at /workspace, the
// system's programs and libraries, what was lent ([Command.Lent]) below /opt or /mnt, and an
// empty /tmp that is gone after the command. It is user 1000 on a machine without network.
// Without namespaces it sees the same things at the paths of the host, closed off by Landlock,
// and /tmp is a folder named by TMPDIR. [Sandbox.Workspace] and [Mount.Path] say which path
// the command will see. The environment is the sandbox's own and [Command.Env]; nothing is
// inherited. Standard input is [Command.Stdin], else empty.
//
// The system's programs are those of /usr without /usr/local, which is shown only where an
// interpreter lives there ([Command.Local]). The running binary, in which a suite's hidden files
// are embedded, is shown nowhere: with namespaces an empty file covers it, without them the
// folders above it are allowed entry by entry. That is known of its path. A copy of it, or
// another name of it in another folder, is an ordinary file; so no program with hidden files in it
// belongs into /usr/bin or into a folder that is lent.
//
// # How it is confined
//
// The running binary starts itself again as a supervisor, which makes the namespaces, and
// again as what becomes the command, which takes off every capability, shuts itself in with
// Landlock and a system call filter, sets its limits and calls execve. Package
// internal/stage does that from an init function, so importing this package is all that a
// test binary or a program needs; and other init functions should do no I/O, because they
// run again in each stage.
//
// [Open] tries the levels from the strongest down by running the complete sandbox, with an
// attempt to break out of it, and takes the first that holds: user namespaces with Landlock,
// user namespaces alone, Landlock alone. Where none holds it refuses. Without namespaces
// Landlock cannot hide that a file exists (stat, not open), nor govern changes of mode, owner
// and time, nor, before Linux 6.12, signals. The supervisor makes those calls for the command
// there, where they are about its own files and processes; where it cannot, because a
// container's engine does so already, they are denied.
//
// Started by root, a command gets none of root's rights: it runs under a user id that nothing
// else has.
//
// # What passes between commands
//
// A command cannot tell the next one anything, which is what repeated trials, and grading with
// inputs that nobody saw, rely on. What it may write is its folder and a /tmp of its own; all else
// is mounted to be read, devices too, so that no time, mode, flag or attribute of it can be
// changed, and no time of reading is kept. Without namespaces such changes are the supervisor's
// to make, who refuses them.
//
// What is left:
//
//   - Commands that run at the same time share files of the system and a machine. By locks
//     (flock, fcntl) on a file that both may read, by what they take of processors, caches and the
//     disk, they can signal to each other. They cannot watch each other read: inotify, leases and
//     directory notification are denied.
//   - Without namespaces the time at which a file was read last is kept as the host mounts
//     it; usually it moves once a day. One command can move it, a later one can read it.
//   - /proc with namespaces, and stat without, tell of the machine: its load, its memory, how full
//     its disk is, when it was started.
//   - Without namespaces a command reads the host's paths of its folder, of its temporary folder
//     and of what it was lent, the host's name and the user's id; stat tells which other paths
//     there are.
//
// # Limits
//
// [Limits] hold for one command. Processes, descriptors, address space, file size and
// processor time are the kernel's own limits; memory is summed over all processes, and the
// folder is measured, several times a second, from outside; output is kept up to a limit and
// drained up to 64 times that. What ended a command is Result.Over.
package sandbox
