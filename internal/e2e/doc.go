// Package e2e runs compiled test binaries of suites the way people and CI do: with variables,
// flags, several processes, interrupts and kills. It holds tests only.
package e2e
