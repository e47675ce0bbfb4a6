// Package regular reads files that are files. Whoever opens a named pipe or a device by mistake, or
// because somebody has planted one, waits for ever; so it looks before it opens.
package regular

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read reads the file at a path of at most so many bytes. Links are followed.
func Read(path string, most int64) ([]byte, error) {
	return read(path, most, os.Stat, func(name string) (fs.File, error) { return os.Open(name) })
}

// ReadFS is Read of a file of fsys.
func ReadFS(fsys fs.FS, name string, most int64) ([]byte, error) {
	return read(name, most, func(name string) (fs.FileInfo, error) { return fs.Stat(fsys, name) }, fsys.Open)
}

// Open opens the file at a path.
func Open(path string) (*os.File, error) {
	if err := check(path, os.Stat); err != nil {
		return nil, err
	}
	return os.Open(path)
}

func read(name string, most int64, stat func(string) (fs.FileInfo, error), open func(string) (fs.File, error)) ([]byte, error) {
	if err := check(name, stat); err != nil {
		return nil, err
	}
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil { // it may have been exchanged a moment ago
		err = check(name, func(string) (fs.FileInfo, error) { return info, nil })
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("it has %d bytes, and at most %d are read", info.Size(), most)}
	}
	b := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(f, most))
	return b.Bytes(), err
}

func check(name string, stat func(string) (fs.FileInfo, error)) error {
	info, err := stat(name)
	var failed *fs.PathError
	switch {
	case errors.As(err, &failed): // what was to be done to it is what people know
		return &fs.PathError{Op: "open", Path: failed.Path, Err: failed.Err}
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("it is %s, not a file", What(info.Mode()))}
	}
	return nil
}

// What words what stands where a file should.
func What(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
