"""From normalised jobs to the «report_name»."""

from workspace_flow.io_utils import load_json, write_json


def summarize(jobs):
    """A row for each team, sorted by it: how many jobs and how many hours."""
    groups = {}
    for job in jobs:
        group = groups.setdefault(job["team"], {"count": 0, "hours": 0.0})
        group["count"] += 1
        group["hours"] += job["hours"]
    return [
        {"team": team, "job_count": groups[team]["count"], "total_hours": round(groups[team]["hours"], 2)}
        for team in sorted(groups)
    ]


def run(root):
    """Writes artifacts/summary.json from what artifacts/normalized_jobs.json holds by now."""
    jobs = load_json(root / "artifacts" / "normalized_jobs.json")
    write_json(root / "artifacts" / "summary.json", summarize(jobs))
