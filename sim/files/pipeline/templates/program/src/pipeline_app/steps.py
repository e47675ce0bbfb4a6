"""The steps from «things» to the «report_name»."""


def latest_versions(rows):
    """Of the rows of one job, the one that was updated last."""
    kept = {}
    for row in rows:
        known = kept.get(row["job_id"])
        if known is None or row["updated_at"] > known["updated_at"]:
            kept[row["job_id"]] = row
    return list(kept.values())


def select_rows(rows, accepted_states, minimum_hours):
    """The rows that count: of an accepted state, of no fewer hours than the minimum."""
    return [row for row in rows if row["state"] in accepted_states and row["hours"] >= minimum_hours]


def team_of(row, assignments):
    """The team that the worker of a row belonged to when it was worked on, or None."""
    team = None
    for entry in sorted(assignments, key=lambda entry: entry["from"]):
        if entry["«worker»"] == row["«worker»"] and entry["from"] <= row["worked_at"]:
            team = entry["team"]
    return team


def aggregate_rows(rows, assignments):
    """A row for each team, sorted by it: how many «things» and how many hours."""
    groups = {}
    for row in rows:
        team = team_of(row, assignments)
        if team is None:
            continue
        group = groups.setdefault(team, {"count": 0, "hours": 0.0})
        hours = row["hours"]
        group["count"] += 1
        group["hours"] += hours
    ordered = sorted(groups.items(), key=lambda item: item[0])
    return [
        {"team": team, "job_count": group["count"], "total_hours": round(group["hours"], 1)}
        for team, group in ordered
    ]
