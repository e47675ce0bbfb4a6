// Package stage is what the running binary becomes when package sandbox starts it again: a
// supervisor, and below it what turns into the command.
//
// Its init function takes over before main, before the flags and before most other init
// functions: Go initialises packages in the order of their import paths as soon as their
// imports are ready, and this one imports little and nothing of the project. It does nothing
// in a process that was not started as a stage.
//
// The stages of a command:
//
//	parent            starts the supervisor, writes it the [Spec], watches, reads its [Report]
//	└ supervisor      PID 1 of the new namespaces; starts the second stage, builds the new
//	  │               root, gives up all rights, sends the spec on, reaps, reports
//	  └ command       gives up all rights, shuts itself in and calls execve
//
// The second stage is started before the root changes, because pivot_root moves the root of
// every process of the namespace: so no path to this binary is needed, or visible, inside.
//
// Descriptor 3 of a stage carries its spec, which holds paths of the host and must not be in
// an environment that /proc shows; the supervisor then keeps it as its leash: when the parent
// closes it, or dies, all that the command started is killed. Descriptor 4 takes the reports.
// Over descriptor 5
// the second stage hands the supervisor its filter's listener. The command inherits none.
package stage
