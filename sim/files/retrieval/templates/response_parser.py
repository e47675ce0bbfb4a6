"""Turns entries of a response into records, by the contract of the client."""

from datetime import datetime, timezone


def parse_time(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc)


def parse_quantity(value):
    if isinstance(value, str):
        return int(value.replace(",", ""))
    return value


def parse_warehouse(entry, response, contract):
    name = entry.get(contract["warehouse_field"])
    if name:
        return name
    region = response.get("region")
    return contract["region_defaults"].get(region, contract["default_warehouse"])


def parse_entry(entry, response, contract):
    quantity = entry.get(contract["quantity_field"])
    return {
        "id": entry["id"],
        "quantity": 0 if quantity is None else parse_quantity(quantity),
        "warehouse": parse_warehouse(entry, response, contract),
        "updated_at": entry["updated_at"],
    }


def is_newer(candidate, current):
    return parse_time(candidate["updated_at"]) > parse_time(current["updated_at"])


def parse_records(pages, contract):
    newest = {}
    for page in pages:
        for entry in page.get(contract["collection_field"]) or []:
            record = parse_entry(entry, page, contract)
            key = record["id"]
            if key not in newest or is_newer(record, newest[key]):
                newest[key] = record
    return list(newest.values())
