"""Reading of the «things» table."""

import csv


def load_rows(path):
    """The rows of the table: texts as they stand there, `«amount»` as a number."""
    with path.open(newline="", encoding="utf-8") as handle:
        return [
            {"«region»": row["«region»"], "«active»": row["«active»"], "«amount»": float(row["«amount»"])}
            for row in csv.DictReader(handle)
        ]
