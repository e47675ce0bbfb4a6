"""The «report_name»."""

from repair_target.analytics import rolling_average, status_of, summarize_items


def build_report(items, window, tracked):
    """The totals by status, and the rolling average of the tracked ones.

    `rolling` goes over the `«quantity»` of the items whose status is `tracked`, by `«day»`, the
    earliest first.
    """
    ordered = sorted(items, key=lambda item: item["«day»"])
    quantities = [item["«quantity»"] for item in ordered if status_of(item) == tracked]
    return {"summary": summarize_items(items), "rolling": rolling_average(quantities, window)}
