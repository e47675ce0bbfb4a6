package files

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"benchwright/grader"
	"benchwright/reports"
	world "benchwright/sim/files"
	"benchwright/tasks"
)

// Bounds on the copies of final workspaces in views.
const (
	copied    = 64 << 10  // bytes of a file that stands in its final_workspace; others stand once, by digest
	allCopied = 256 << 20 // bytes of all
)

// views derives the published record of each episode from a bundle: a folder per episode, below
// that of its suite. Files of final workspaces that are large stand once in the suite's folder
// files/, named by their digests, and withheld.json of the episode says which. They follow from
// the bundle and the tasks alone, byte for byte. A bundle of a certification has none.
func (s *Workshop) views(ctx context.Context, bundle fs.FS, all []tasks.Task) (map[string][]byte, error) {
	r, err := reports.OpenFS(bundle, "of the views")
	if err != nil {
		return nil, err
	}
	if r.Run().Kind == reports.KindCertification {
		return nil, nil
	}
	byID := map[tasks.ID]tasks.Task{}
	for _, t := range all {
		byID[t.ID] = t
	}
	out := map[string][]byte{}
	taken := map[string]bool{}
	left := allCopied
	for rec, err := range r.Records() {
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t, mine := byID[rec.Task]
		if !mine || rec.Outcome == grader.Skipped {
			continue
		}
		if rec.TaskDigest != t.Digest() {
			return nil, fmt.Errorf("record %s: the task has changed since it was played (digest %.12s, now %.12s)", rec.Key(), rec.TaskDigest, t.Digest())
		}
		in, err := s.instance(t)
		if err != nil {
			return nil, fmt.Errorf("record %s: %w", rec.Key(), err)
		}
		p, err := Publish(&rec.Episode, in)
		if err != nil {
			return nil, err
		}
		suite := t.ID.Suite()
		folder := path.Join(suite, p.ID)
		for n := 2; taken[folder]; n++ { // begun in one millisecond
			folder = path.Join(suite, p.ID+"-"+strconv.Itoa(n))
		}
		taken[folder] = true
		for name, data := range p.compact(&left) {
			if digest, large := strings.CutPrefix(name, largeFolder); large {
				out[path.Join(suite, "files", digest)] = data
				continue
			}
			out[path.Join(folder, name)] = data
		}
	}
	return out, nil
}

// largeFolder marks what belongs to the suite, in what compact returns.
const largeFolder = "files by digest/"

// compact returns the files of an episode, in which large ones of its final workspace are named by
// their digests, and none that goes beyond the bytes that are left for copies.
func (p Published) compact(left *int) map[string][]byte {
	out := map[string][]byte{}
	var w withheld
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		data := p.Files[name]
		file, copy := strings.CutPrefix(name, recordFinal+"/")
		if !copy || len(data) <= copied && len(data) <= *left {
			out[name] = data
			if copy {
				*left -= len(data)
			}
			continue
		}
		digest := world.FileDigest(string(data))
		if w.Files == nil {
			w.Files = map[string]world.File{}
		}
		w.Files[file] = world.File{SHA256: digest, Size: int64(len(data))}
		if _, there := out[largeFolder+digest]; !there && len(data) <= *left {
			out[largeFolder+digest] = data
			*left -= len(data)
		}
	}
	if w.Files == nil {
		return out
	}
	if old := p.withheld; old != nil {
		w.Links = old.Links
		for f, d := range old.Files {
			w.Files[f] = d
		}
	}
	out[recordWithheld] = pretty(w)
	return out
}
