package stock

import (
	"fmt"
	"strings"

	"benchwright/sim/files"
)

// Names of teams, places and people: enough that two draws seldom share theirs.
var (
	Teams = []string{
		"platform", "research", "ops", "billing", "mobile", "search", "growth", "payments", "support", "data", "identity",
		"logistics", "design", "network", "storage", "quality", "partner", "catalog", "fraud", "tooling",
	}
	Regions = []string{
		"north", "south", "east", "west", "alpine", "baltic", "central", "coastal", "delta", "harbor", "highland",
		"island", "lakeside", "midland", "prairie", "valley",
	}
	People = []string{
		"Ada", "Bruno", "Carla", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaya", "Luca", "Mira", "Nils",
		"Oona", "Pavel", "Quinn", "Rosa", "Sven", "Tara", "Uma", "Viktor", "Wanda", "Xenia", "Yusuf", "Zora",
	}
	Surnames = []string{
		"Abel", "Brandt", "Castro", "Duarte", "Engel", "Fontaine", "Grau", "Holm", "Iversen", "Jansen", "Kovac", "Lindt",
		"Moreau", "Novak", "Orsini", "Petrov", "Rask", "Silva", "Tamm", "Urban", "Vidal", "Weiss",
	}
)

// Spelled returns a word in another spelling that trimming and lower case bring back.
func Spelled(r *files.Rand, word string) string {
	switch r.N(4) {
	case 0:
		return strings.ToUpper(word)
	case 1:
		return Title(word)
	case 2:
		return " " + Title(word)
	}
	return Title(word) + " "
}

// Title returns a word with its first letter in upper case.
func Title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// Person returns a made-up name.
func Person(r *files.Rand) string {
	return files.Pick(r, People) + " " + files.Pick(r, Surnames)
}

// Date returns a day of the years that the data is of, as YYYY-MM-DD.
func Date(r *files.Rand) string {
	return fmt.Sprintf("%d-%02d-%02d", r.Between(2021, 2025), r.Between(1, 12), r.Between(1, 28))
}

// Quoted returns a list in words: `a`, `b` and `c`.
func Quoted(list []string) string {
	var b strings.Builder
	for i, s := range list {
		switch {
		case i > 0 && i == len(list)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString("`" + s + "`")
	}
	return b.String()
}
