"""The «report_name»."""


def build_region_report(orders, excluded, minimum):
    """One row for each `«region»`, sorted by it.

    Left out are orders whose `«status»`, in whatever case, is one of `excluded`, and those whose
    `«amount»` is below `minimum`. `account_count` counts the different `«id»`.
    """
    groups = {}
    for order in orders:
        if order["«status»"].lower() in excluded or order["«amount»"] < minimum:
            continue
        group = groups.setdefault(order["«region»"], {"rows": 0, "ids": set(), "total": 0.0})
        group["rows"] += 1
        group["ids"].add(order["«id»"])
        group["total"] += order["«amount»"]
    report = []
    for region, group in groups.items():
        report.append({
            "«region»": region,
            "row_count": group["rows"],
            "account_count": len(group["ids"]),
            "total_amount": round(group["total"], 2),
        })
    report.sort(key=lambda row: row["«region»"])
    return report
