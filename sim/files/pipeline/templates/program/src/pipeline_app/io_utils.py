"""Reading and writing of files."""

import json
import os


def load_json(path):
    """The contents of a JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_json(path, value):
    """Writes a value as JSON: beside its place first, so that no half file is ever seen there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    draft.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    os.replace(draft, path)
