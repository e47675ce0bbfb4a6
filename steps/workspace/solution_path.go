package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchwright/tasks"
)

// setPath sets the value at a path through objects, by their keys, and lists, by the places of their
// items from 0; nil removes it. The place behind the last item of a list adds one.
func setPath(raw json.RawMessage, path []string, v json.RawMessage) (json.RawMessage, error) {
	if len(raw) > 0 && raw[0] == '[' {
		return setItem(raw, path, v)
	}
	o, err := object(raw)
	if err != nil {
		return nil, fmt.Errorf("there is neither an object nor a list to hold %s", strings.Join(path, "."))
	}
	i := slices.IndexFunc(o, func(m oneMember) bool { return m.key == path[0] })
	switch {
	case i < 0 && (len(path) > 1 || v == nil):
		return nil, noKey(path[0], o)
	case len(path) > 1:
		if o[i].value, err = setPath(o[i].value, path[1:], v); err != nil {
			return nil, err
		}
	case v == nil:
		o = slices.Delete(o, i, i+1)
	case i < 0:
		o = append(o, oneMember{path[0], v})
	default:
		o[i].value = v
	}
	return o.normal(tasks.Envelope{}), nil
}

func setItem(raw json.RawMessage, path []string, v json.RawMessage) (json.RawMessage, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	i, err := strconv.Atoi(path[0])
	last := len(list) - 1
	if len(path) == 1 && v != nil {
		last++
	}
	switch {
	case err != nil || i < 0 || i > last:
		return nil, fmt.Errorf("%q is no place in the list there; its %d items are numbered from 0", clip(path[0]), len(list))
	case len(path) > 1:
		if list[i], err = setPath(list[i], path[1:], v); err != nil {
			return nil, err
		}
	case v == nil:
		list = slices.Delete(list, i, i+1)
	case i == len(list):
		list = append(list, v)
	default:
		list[i] = v
	}
	return json.Marshal(list)
}

func noKey(key string, o members) error {
	if len(o) == 0 {
		return errors.New("there is no " + clip(key) + "; the object is empty")
	}
	var have []string
	for _, m := range o {
		have = append(have, m.key)
	}
	return tasks.Unknown("key", key, have)
}
