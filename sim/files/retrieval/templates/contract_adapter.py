"""Summaries of stock responses, by the contract in @CONTRACT@."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from response_parser import parse_records  # noqa: E402
@IMPORT@
CONTRACT_PATH = HERE.parent / "@CONTRACT@"


def load_contract():
    return json.loads(CONTRACT_PATH.read_text(encoding="utf-8"))


def collect_pages(response):
    return [response] + list(response.get("more_pages") or [])


def build_summary(response):
    contract = load_contract()
    pages = collect_pages(response)
    records = parse_records(pages, contract)
@RETURN@
