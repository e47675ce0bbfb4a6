"""Builds the «report_name» from the files that config/settings.json names.

The report is printed, and written to artifacts/report.json.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "src"))

from repair_target.batch import compute_batch_summary
from repair_target.io_helpers import load_measurements


def main():
    settings = json.loads((ROOT / "config" / "settings.json").read_text(encoding="utf-8"))
    values = load_measurements(settings["input_file"])
    report = compute_batch_summary(values, settings["lowest"], settings["highest"])
    text = json.dumps(report, indent=2)
    target = ROOT / "artifacts" / "report.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
