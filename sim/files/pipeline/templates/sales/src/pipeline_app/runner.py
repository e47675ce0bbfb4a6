"""The flow that config/pipeline_config.json describes."""

from pipeline_app.csv_loader import load_rows
from pipeline_app.io_utils import load_json, write_json
from pipeline_app.steps import aggregate_rows, normalize_rows, select_rows


def run(root):
    """Reads, normalises, selects, aggregates and writes. Returns the number of rows written."""
    config = load_json(root / "config" / "pipeline_config.json")
    policy = load_json(root / config["policy_path"])
    rows = load_rows(root / config["input_path"])
    rows = normalize_rows(rows)
    rows = select_rows(rows, policy["include_inactive"], policy["minimum_amount"])
    report = aggregate_rows(rows)
    write_json(root / config["output_path"], report)
    return len(report)
