"""The steps from «things» to the «report_name»."""


def normalize_rows(rows):
    """The rows with `«region»` and `«active»` in lower case, without spaces around them."""
    return [
        {**row, "«region»": row["«region»"].strip().lower(), "«active»": row["«active»"].strip().lower()}
        for row in rows
    ]


def select_rows(rows, include_inactive, minimum_amount):
    """The rows that count: active ones, or all if inactive ones are included; none below the minimum."""
    return [
        row for row in rows
        if (include_inactive or row["«active»"] == "yes") and row["«amount»"] >= minimum_amount
    ]


def aggregate_rows(rows):
    """A row for each `«region»`, sorted by it: how many rows and what they come to."""
    groups = {}
    for row in rows:
        group = groups.setdefault(row["«region»"], {"count": 0, "total": 0.0})
        amount = row["«amount»"]
        group["count"] += 1
        group["total"] += amount
    return [
        {"«region»": region, "row_count": groups[region]["count"], "total_amount": round(groups[region]["total"], 2)}
        for region in sorted(groups)
    ]
