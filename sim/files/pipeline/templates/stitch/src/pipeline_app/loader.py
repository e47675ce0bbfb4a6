"""Reading of fragments."""

from pipeline_app.io_utils import load_json


def load_fragments(folder, names):
    """The rows of all named fragments, one fragment after the other."""
    rows = []
    for name in names:
        rows.extend(load_json(folder / name))
    return rows
