"""The «report_name»."""

from datetime import timedelta

from repair_target.time_utils import parse_timestamp, sort_events


def build_report(events, day_starts_at, counted):
    """One row for each day with a counted event, the earliest day first.

    Counted are events whose `«kind»` is one of `counted`. A day lasts from `day_starts_at` o'clock
    to the same hour of the next date; what happens before that hour belongs to the date before.
    """
    rows = {}
    for event in sort_events(events):
        if event["«kind»"] not in counted:
            continue
        moment = parse_timestamp(event["«at»"]) - timedelta(hours=day_starts_at)
        day = moment.strftime("%Y-%m-%d")
        row = rows.setdefault(day, {"day": day, "event_count": 0, "first": event["«name»"]})
        row["event_count"] += 1
    return list(rows.values())
