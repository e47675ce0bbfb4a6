package gates

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"benchwright/tasks"
)

// A Cache keeps certificates in a folder, one JSON file each, so that a run certifies again
// only what has changed. Processes may share a folder. The zero value keeps nothing.
type Cache struct{ Dir string }

// cached is a certificate on disk, with the key that it was kept under.
type cached struct {
	Key         string      `json:"key"`
	Certificate Certificate `json:"certificate"`
}

// Get returns the certificate kept under a key. An entry that cannot be read, or was kept under
// another key, is none.
func (c Cache) Get(key string) (Certificate, bool) {
	if c.Dir == "" || !validKey(key) {
		return Certificate{}, false
	}
	raw, err := os.ReadFile(c.file(key))
	if err != nil {
		return Certificate{}, false
	}
	var e cached
	if json.Unmarshal(raw, &e) != nil || e.Key != key || len(e.Certificate.Gates) == 0 {
		return Certificate{}, false
	}
	return e.Certificate, true
}

// Put keeps a certificate. A skipped one is not kept: another time the machine may have what it
// lacked. Whoever reads sees the whole entry or none.
func (c Cache) Put(key string, cert Certificate) error {
	if c.Dir == "" || cert.Skipped() {
		return nil
	}
	if !validKey(key) {
		return fmt.Errorf("certificate cache: key %q: want the result of Key", key)
	}
	raw, err := json.Marshal(cached{key, cert})
	if err != nil {
		return fmt.Errorf("certificate of %s: %w", cert.Task, err)
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return fmt.Errorf("certificate cache: %w", err)
	}
	f, err := os.CreateTemp(c.Dir, "put-*")
	if err != nil {
		return fmt.Errorf("certificate cache: %w", err)
	}
	_, err = f.Write(raw)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), c.file(key))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("certificate cache: %w", err)
	}
	return nil
}

func (c Cache) file(key string) string { return filepath.Join(c.Dir, key+".json") }

func validKey(key string) bool {
	return len(key) == 2*sha256.Size && strings.Trim(key, "0123456789abcdef") == ""
}

// Key names a certificate: it changes with the task in every detail, the fixtures behind it,
// the options' seed, protocol and isolation, and this program. The distinct gate depends on other tasks
// too: decide it again with [MarkDistinct].
func Key(kit *tasks.Kit, t tasks.Task, opt Options) (string, error) {
	binary, err := BinaryDigest()
	if err != nil {
		return "", err
	}
	s := &subject{kit: kit, task: t}
	src, err := s.sources()
	if err != nil && kit.Sources != nil {
		return "", err
	}
	digest, err := tasks.DigestOf(t)
	if err != nil {
		return "", fmt.Errorf("task %s: %w", t.ID, err)
	}
	protocol := opt.Protocol
	if protocol == "" {
		protocol = "json"
	}
	sum := sha256.New()
	for _, part := range []string{"certificate/1", string(digest), src.Digest, binary, fmt.Sprint(opt.Seed), protocol, opt.Isolation.Level, opt.Isolation.Python} {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// BinaryDigest returns the SHA-256 of the running program's file, in hexadecimal, read once.
func BinaryDigest() (string, error) { return binaryDigest() }

var binaryDigest = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("this program's file: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return "", fmt.Errorf("this program's file: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("this program's file: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
})
