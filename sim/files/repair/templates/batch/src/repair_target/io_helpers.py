"""Reading of «things»."""

import csv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA_FOLDER = ROOT / "«folder»"


def load_measurements(name):
    """The `«value»` column of a file in the folder «folder», as whole numbers in file order.

    Rows without a value are passed over.
    """
    path = DATA_FOLDER / name
    with path.open(newline="", encoding="utf-8") as handle:
        texts = [(row["«value»"] or "").strip() for row in csv.DictReader(handle)]
    return [int(text) for text in texts if text]
