"""Which «things» are good enough, and what they come to."""


def normalize_rows(rows):
    """The rows with `«team»` and `«source»` in lower case, without spaces around them."""
    return [
        {**row, "«team»": row["«team»"].strip().lower(), "«source»": row["«source»"].strip().lower()}
        for row in rows
    ]


def select_rows(rows, minimum_quality, blocked_sources):
    """The rows of at least the minimum quality whose source is not blocked."""
    return [
        row for row in rows
        if row["«quality»"] >= minimum_quality and row["«source»"] not in blocked_sources
    ]


def summarize_rows(rows):
    """A row for each `«team»`, sorted by it: how many rows and how many hours."""
    groups = {}
    for row in rows:
        group = groups.setdefault(row["«team»"], {"count": 0, "hours": 0.0})
        hours = row["«hours»"]
        group["count"] += 1
        group["hours"] += hours
    return [
        {"«team»": team, "row_count": groups[team]["count"], "total_hours": round(groups[team]["hours"], 1)}
        for team in sorted(groups)
    ]
