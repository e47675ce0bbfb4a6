"""From the records of «input» to jobs in the words of this project."""

import math
from datetime import datetime, timezone

from workspace_flow.io_utils import load_json, write_json


def moment(text):
    """The moment of an ISO text with an offset, in UTC."""
    return datetime.fromisoformat(text.strip().replace("Z", "+00:00")).astimezone(timezone.utc)


def normalize_record(record, contract):
    """A record in the words of this project, or None if it is malformed.

    Malformed is what is no object, or lacks the id, the team, the moment or the hours, or has
    one that cannot be read, or hours that are not a number of 0 or more.
    """
    fields = contract["fields"]
    try:
        job_id = record[fields["id"]].strip()
        team = record[fields["team"]].strip().lower()
        updated_at = moment(record[fields["updated_at"]])
        hours = float(record[fields["hours"]])
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    if not job_id or not team or not math.isfinite(hours) or hours < 0:
        return None
    active = str(record.get(fields["active"], "")).strip().lower() in contract["active_values"]
    team = contract["team_aliases"].get(team, team)
    return {"job_id": job_id, "team": team, "hours": hours, "active": active, "updated_at": updated_at}


def normalized_jobs(root):
    """The active jobs, by id. Of the well-formed records of one id the latest is the job."""
    contract = load_json(root / "config" / "resolved_contract.json")
    data = load_json(root / "«input»")
    latest = {}
    for record in data.get(contract["collection"], []):
        job = normalize_record(record, contract)
        if job is None:
            continue
        known = latest.get(job["job_id"])
        if known is None or job["updated_at"] > known["updated_at"]:
            latest[job["job_id"]] = job
    return [
        {"job_id": job_id, "team": latest[job_id]["team"], "hours": latest[job_id]["hours"]}
        for job_id in sorted(latest)
        if latest[job_id]["active"]
    ]


def run(root):
    """Writes artifacts/normalized_jobs.json."""
    write_json(root / "artifacts" / "normalized_jobs.json", normalized_jobs(root))
