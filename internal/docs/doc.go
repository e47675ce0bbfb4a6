// Package docs keeps the README and the pages in docs true: its tests compile their examples,
// follow their links, and look up the names of variables, verbs, fields and gates in them.
package docs
