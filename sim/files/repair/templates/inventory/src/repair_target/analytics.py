"""Figures about «things» that reports are built from."""


def status_of(item):
    """The status of an item in lower case, without spaces around it."""
    return item["«status»"].strip().lower()


def rolling_average(values, window):
    """The average of every run of `window` neighbouring values, rounded to two places.

    The first run starts at the first value, the last one ends at the last value. There is none
    if there are fewer values than `window`.
    """
    averages = []
    for start in range(len(values) - window + 1):
        averages.append(round(sum(values[start:start + window]) / window, 2))
    return averages


def summarize_items(items):
    """The total `«quantity»` of each status. Every status counts."""
    totals = {}
    for item in items:
        status = status_of(item)
        totals[status] = totals.get(status, 0) + item["«quantity»"]
    return totals
