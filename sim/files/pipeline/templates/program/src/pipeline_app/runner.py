"""The flow that config/pipeline_config.json describes."""

from pipeline_app.io_utils import load_json, write_json
from pipeline_app.normalize import canonical_team, moment, normalize_job
from pipeline_app.steps import aggregate_rows, latest_versions, select_rows


def load_assignments(path, aliases):
    """Who belongs to which team from when on."""
    return [
        {"«worker»": row["«worker»"].strip().lower(), "team": canonical_team(row["team"], aliases), "from": moment(row["from"])}
        for row in load_json(path)
    ]


def run(root):
    """Reads, normalises, selects, aggregates and writes. Returns the number of rows written."""
    config = load_json(root / "config" / "pipeline_config.json")
    policy = load_json(root / config["policy_path"])
    aliases = load_json(root / config["aliases_path"])
    assignments = load_assignments(root / config["assignments_path"], aliases)
    rows = [normalize_job(row) for row in load_json(root / config["input_path"])]
    rows = latest_versions(rows)
    rows = select_rows(rows, policy["accepted_states"], policy["minimum_hours"])
    report = aggregate_rows(rows, assignments)
    write_json(root / config["output_path"], report)
    return len(report)
