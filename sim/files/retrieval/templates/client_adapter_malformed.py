"""Summaries of stock responses."""

COLLECTION = "@COLLECTION@"
QUANTITY = "@QUANTITY@"
CURSOR = "@CURSOR@"
DEFAULT_WAREHOUSE = "@DEFAULT@"


def read_records(response):
    entries = response.get(COLLECTION) or []
    return [entry for entry in entries if isinstance(entry, dict)]


def read_quantity(record):
    value = record.get(QUANTITY) or 0
    if isinstance(value, str):
        value = int(value) if value.strip().isdigit() else 0
    return max(value, 0)


def read_warehouse(record):
    return (record.get("warehouse") or "").strip() or DEFAULT_WAREHOUSE


def build_summary(response):
    records = read_records(response)
    warehouses = dict.fromkeys(read_warehouse(record) for record in records)
    return {
        "request_id": response.get("request_id"),
        "next_cursor": response.get(CURSOR),
        "record_count": len(records),
        "total_quantity": sum(read_quantity(record) for record in records),
        "warehouses": sorted(warehouses),
    }
