"""The flow that config/pipeline_config.json describes."""

from pipeline_app.io_utils import load_json, write_json
from pipeline_app.loader import load_fragments
from pipeline_app.merge import merge_rows, order_rows


def run(root):
    """Reads the fragments, merges them, and writes the «report_name». Returns the number of rows."""
    config = load_json(root / "config" / "pipeline_config.json")
    policy = load_json(root / config["policy_path"])
    rows = load_fragments(root / config["fragment_dir"], policy["fragments"])
    rows = merge_rows(rows)
    report = order_rows(rows, policy["minimum_count"])
    write_json(root / config["output_path"], report)
    return len(report)
