"""The flow that config/pipeline_config.json describes."""

from pipeline_app.io_utils import load_json, write_json
from pipeline_app.quality import normalize_rows, select_rows, summarize_rows


def run(root):
    """Reads, normalises, selects, sums up and writes. Returns the number of rows written."""
    config = load_json(root / "config" / "pipeline_config.json")
    policy = load_json(root / config["policy_path"])
    rows = load_json(root / config["input_path"])
    rows = normalize_rows(rows)
    rows = select_rows(rows, policy["minimum_quality"], policy["blocked_sources"])
    report = summarize_rows(rows)
    write_json(root / config["output_path"], report)
    return len(report)
