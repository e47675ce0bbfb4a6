"""One row from the rows of many fragments."""


def merge_rows(rows):
    """One row for each `«report»`, whose `«count»` is the sum over all fragments."""
    totals = {}
    for row in rows:
        totals.setdefault(row["«report»"], 0)
        totals[row["«report»"]] += row["«count»"]
    return [{"«report»": name, "«count»": total} for name, total in totals.items()]


def order_rows(rows, minimum_count):
    """The rows with at least `minimum_count`, sorted by `«report»`."""
    kept = [row for row in rows if row["«count»"] >= minimum_count]
    return sorted(kept, key=lambda row: row["«report»"])
