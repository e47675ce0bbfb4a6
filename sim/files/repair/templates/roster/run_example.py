"""Builds the «report_name» from the files that config/settings.json names.

The report is printed, and written to artifacts/report.json.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "src"))

from repair_target.contracts import build_rows
from repair_target.writer import write_report


def main():
    settings = json.loads((ROOT / "config" / "settings.json").read_text(encoding="utf-8"))
    players = json.loads((ROOT / settings["input_file"]).read_text(encoding="utf-8"))
    rows = build_rows(players, settings["excluded_role"], settings["minimum_members"])
    write_report(rows, ROOT / "artifacts" / "report.json")
    print(f"wrote {len(rows)} rows")


if __name__ == "__main__":
    main()
