"""Moments as the «things» write them."""

from datetime import datetime

FORMATS = [
«formats»
]


def parse_timestamp(text):
    """The moment that a text says, in the first of FORMATS that fits."""
    for pattern in FORMATS:
        try:
            return datetime.strptime(text.strip(), pattern)
        except ValueError:
            continue
    raise ValueError(f"no known way to write a moment: {text!r}")


def sort_events(events):
    """The events, the earliest first; those of the same moment by `«name»`."""
    return sorted(events, key=lambda event: (parse_timestamp(event["«at»"]), event["«name»"]))
