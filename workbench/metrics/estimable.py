"""The one way in which a metric says that the data can't carry it."""

from __future__ import annotations


class NotEstimable(ValueError):
    """The value isn't defined for these data; the message is the reason, one short line.

    A caller turns it into a missing value with a note. It never becomes 0 or 1.
    """

    @property
    def reason(self) -> str:
        """Why, such as `n 5 < k 10`."""
        return str(self)
