"""The «report_name»."""


def compute_batch_summary(values, lowest, highest):
    """How many values lie from `lowest` to `highest`, both included, and what they are like.

    Without such a value `count` and `«total»` are 0, the smallest and the largest are None.
    """
    kept = [value for value in values if lowest <= value <= highest]
    if not kept:
        return {"count": 0, "«smallest»": None, "«largest»": None, "«total»": 0}
    return {
        "count": len(kept),
        "«smallest»": min(kept),
        "«largest»": max(kept),
        "«total»": sum(kept),
    }
