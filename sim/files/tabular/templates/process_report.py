"""Sums up account events by region.

Usage: python process_report.py --input-dir data --output outputs/account_report.json
"""

import argparse
import csv
import json
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path

POLICY_PATH = Path(__file__).resolve().parent / "@POLICY@"


def load_policy():
    return json.loads(POLICY_PATH.read_text(encoding="utf-8"))


def read_rows(path):
    with path.open(newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


def normalise(label):
    return label.strip().lower()


def parse_time(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc)


def parse_amount(text):
    return Decimal(text)


def is_active(text, policy):
    return normalise(text) in policy["active_values"]


def resolve(label, aliases):
    return aliases.get(label, label)


def load_events(input_dir):
    aliases = {
        normalise(row["alias"]): normalise(row["account_id"])
        for row in read_rows(input_dir / "aliases.csv")
    }
    events = []
    for row in read_rows(input_dir / "events.csv"):
        label = normalise(row["account"])
        events.append({**row, "label": label, "account": resolve(label, aliases)})
    return events


def is_newer(candidate, current):
    return parse_time(candidate["updated_at"]) > parse_time(current["updated_at"])


def latest_events(events):
    newest = {}
    for event in events:
        key = (event["account"], event["reference"])
        if key not in newest or is_newer(event, newest[key]):
            newest[key] = event
    return list(newest.values())


def status_at(history, account, moment):
    entries = [
        (parse_time(row["effective_at"]), row["status"])
        for row in history
        if normalise(row["account_id"]) == account
    ]
    known = [entry for entry in entries if entry[0] <= moment]
    return max(known)[1] if known else None


def build_report(input_dir):
    policy = load_policy()
    regions = {
        normalise(row["account_id"]): row["region"]
        for row in read_rows(input_dir / "accounts.csv")
        if is_active(row["active"], policy)
    }
    history = read_rows(input_dir / "status_history.csv")
    groups = {}
    for event in latest_events(load_events(input_dir)):
        account = event["account"]
        status = status_at(history, account, parse_time(event["occurred_at"]))
        if account not in regions or status not in policy["counted_statuses"]:
            continue
        group = groups.setdefault(regions[account], {"accounts": set(), "events": 0, "total": Decimal(0)})
        group["accounts"].add(account)
        group["events"] += 1
        group["total"] += parse_amount(event["amount"])
    return [
        {
            "region": region,
            "account_count": len(group["accounts"]),
            "event_count": group["events"],
            "total_amount": float(round(group["total"], 2)),
        }
        for region, group in sorted(groups.items())
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input-dir", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    report = build_report(arguments.input_dir)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(report, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
