package files

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
)

// An Instance is a compiled workspace. Its trees must not be written to.
type Instance struct {
	Manifest Manifest
	Visible  Tree
	Hidden   Tree

	// What only the compiler knows: these are empty in an instance that was read from a folder.
	Canonical  Tree // correct text of the files that have defects
	Defects    []Defect
	NearMisses []NearMiss
}

// Reference returns the files that the stored solution writes.
func (in *Instance) Reference() Tree { return in.Manifest.Reference.Files }

// Solved returns the visible tree as the reference leaves it.
func (in *Instance) Solved() Tree { return in.Visible.With(in.Reference()) }

// Repaired returns the visible tree with the named defects repaired and all others left in. It is
// an error to name one that is not there.
func (in *Instance) Repaired(labels ...string) (Tree, error) {
	var left []Defect
	known := 0
	for _, d := range in.Defects {
		if slices.Contains(labels, d.ID) {
			known++
			continue
		}
		left = append(left, d)
	}
	if known != len(labels) {
		return nil, fmt.Errorf("instance %s: not all of %q are defects of it", in.Manifest.EnvID, labels)
	}
	sources, err := Inject(in.Canonical, left)
	if err != nil {
		return nil, err
	}
	return in.Visible.With(sources), nil
}

// World is the digest of what an instance is, whatever it is called: the visible tree, the
// reference and what is expected. Two instances with the same one are the same world.
func (in *Instance) World() string {
	h := sha256.New()
	fmt.Fprintln(h, in.Visible.Digest(), in.Reference().Digest())
	for _, p := range in.Hidden.Paths() {
		if strings.HasPrefix(path.Base(p), "expected") || strings.HasPrefix(p, "cases") {
			fmt.Fprintln(h, p, FileDigest(in.Hidden[p]))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
