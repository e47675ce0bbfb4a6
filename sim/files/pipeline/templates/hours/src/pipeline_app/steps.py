"""The steps from «things» to the «report_name»."""


def normalize_rows(rows):
    """The rows with `«team»` and `«state»` in lower case, without spaces around them."""
    return [
        {**row, "«team»": row["«team»"].strip().lower(), "«state»": row["«state»"].strip().lower()}
        for row in rows
    ]


def select_rows(rows, excluded_state, minimum_hours):
    """The rows that count: of another state than the excluded one, of no fewer hours than the minimum."""
    return [row for row in rows if row["«state»"] != excluded_state and row["«hours»"] >= minimum_hours]


def aggregate_rows(rows):
    """A row for each `«team»`, sorted by it: how many «things» and how many hours."""
    groups = {}
    for row in rows:
        group = groups.setdefault(row["«team»"], {"count": 0, "hours": 0.0})
        hours = row["«hours»"]
        group["count"] += 1
        group["hours"] += hours
    return [
        {"«team»": team, "job_count": groups[team]["count"], "total_hours": round(groups[team]["hours"], 1)}
        for team in sorted(groups)
    ]
