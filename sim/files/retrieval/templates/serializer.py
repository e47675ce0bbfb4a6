"""Writes summaries in the form that the contract describes."""


def serialize(response, cursor, records):
    warehouses = dict.fromkeys(record["warehouse"] for record in records)
    return {
        "request_id": response.get("request_id"),
        "next_cursor": cursor,
        "record_count": len(records),
        "total_quantity": sum(record["quantity"] for record in records),
        "warehouses": sorted(warehouses),
    }
