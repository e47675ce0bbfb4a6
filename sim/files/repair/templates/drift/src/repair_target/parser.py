"""Reading of the «things» export."""

import csv


def load_orders(path):
    """The rows of an export that have an `«id»`, in file order.

    Texts come without spaces around them, `«amount»` as a number.
    """
    orders = []
    with open(path, newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            if not (row.get("«id»") or "").strip():
                continue
            orders.append({
                "«id»": (row["«id»"] or "").strip(),
                "«region»": row["«region»"].strip(),
                "«status»": row["«status»"].strip(),
                "«amount»": float(row["«amount»"]),
            })
    return orders
