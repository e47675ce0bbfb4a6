"""One way to write each thing."""

from datetime import datetime, timezone


def moment(text):
    """The moment of an ISO text with an offset, in UTC."""
    return datetime.fromisoformat(text.strip().replace("Z", "+00:00")).astimezone(timezone.utc)


def canonical_team(text, aliases):
    """The name of a team: in lower case, without spaces around it, aliases resolved."""
    name = text.strip().lower()
    return aliases.get(name, name)


def normalize_job(row):
    """A row with ids, names and states in one spelling, hours as a number, moments as moments."""
    return {
        "job_id": row["job_id"].strip().upper(),
        "«worker»": row["«worker»"].strip().lower(),
        "state": row["state"].strip().lower(),
        "hours": float(row["hours"]),
        "worked_at": moment(row["worked_at"]),
        "updated_at": moment(row["updated_at"]),
    }
