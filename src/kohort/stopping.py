"""`Stop`: the token that ends a search early."""

from __future__ import annotations

ASKED = "asked"  # a button, another thread
INTERRUPT = "interrupt"  # Ctrl-C
TIME_LIMIT = "time_limit"


class Stop:
    """Pulled, it ends a search: the best found by then is verified and released, with what is known of its gap.

    Anybody who holds it may pull it, from any thread and more than once; the first reason counts. Once pulled it stays so:
    the next search takes a new one.

    >>> stop = Stop()
    >>> stop.pulled
    False
    >>> stop.pull()
    >>> stop.pulled, stop.reason
    (True, 'asked')
    """

    def __init__(self) -> None:
        self._reason: str | None = None

    def pull(self, reason: str = ASKED) -> None:
        """End the search that holds this token, soon."""
        self._reason = self._reason or reason

    @property
    def pulled(self) -> bool:
        """Whether somebody has pulled it."""
        return self._reason is not None

    @property
    def reason(self) -> str | None:
        """Who pulled it first: `asked`, `interrupt`; None where nobody has."""
        return self._reason
