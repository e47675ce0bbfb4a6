"""Looks whether the three files are there and the summary has its form. It says nothing about its figures."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
FILES = ["config/resolved_contract.json", "artifacts/normalized_jobs.json", "artifacts/summary.json"]


def main():
    missing = [name for name in FILES if not (ROOT / name).is_file()]
    if missing:
        sys.exit(f"not there: {', '.join(missing)}")
    summary = json.loads((ROOT / "artifacts" / "summary.json").read_text(encoding="utf-8"))
    if not isinstance(summary, list) or any(set(row) != {"team", "job_count", "total_hours"} for row in summary):
        sys.exit("artifacts/summary.json does not have the form of a summary")
    print("the files are there and have their form")


if __name__ == "__main__":
    main()
