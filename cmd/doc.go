// Package cmd is the command line of a benchmark: what can be done with its tasks and with the
// bundles that runs leave. It runs no episodes; go test does.
//
// A suite of one's own gets the same verbs from a main of three lines:
//
//	func main() { cmd.Main(ledger.Suite()) }
//
// Verbs of one world live in cmd/<world> and are passed to Main.
package cmd
