"""What the library says while somebody waits (that kernels are compiled), on the terminal of a command."""

from __future__ import annotations

import logging


class _OnTerminal(logging.Handler):
    """Prints to stderr, above a bar where one is drawn."""

    def emit(self, record: logging.LogRecord) -> None:
        from kohort.cli.terminal import terminal

        terminal(stderr=True).print(record.getMessage(), style="dim", markup=False, soft_wrap=True)


def tell_of_waiting() -> None:
    """Show what the logger `kohort` says."""
    logger = logging.getLogger("kohort")
    if not any(isinstance(handler, _OnTerminal) for handler in logger.handlers):
        logger.addHandler(_OnTerminal())
    logger.propagate = False
