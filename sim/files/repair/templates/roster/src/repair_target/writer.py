"""Writing of the «report_name»."""

import json
from pathlib import Path


def write_report(rows, path):
    """Writes rows as a JSON list of objects with `team`, `member_count` and `members`."""
    lines = []
    for row in rows:
        lines.append({"team": row["team"], "member_count": row["member_count"], "members": row["members"]})
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(lines, indent=2) + "\n", encoding="utf-8")
