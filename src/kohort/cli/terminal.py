"""What is shown on a terminal: names and values of strangers' files may hold escapes, and are shown harmless."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

_KEPT = "\n\t"


def harmless(text: str) -> str:
    r"""Return the text with control signs, bidi overrides and the like spelled out.

    >>> harmless("na\x1b[2Jme")
    'na\\x1b[2Jme'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(sign if _shows(sign) else _spelled(sign) for sign in text)


def _shows(sign: str) -> bool:
    return sign in _KEPT or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _spelled(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")


class _Harmless:
    """Anything that rich can draw, drawn without the escapes that stand in its texts."""

    def __init__(self, drawn: ConsoleRenderable) -> None:
        self._drawn = drawn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._drawn, options):
            yield segment if segment.control else Segment(harmless(segment.text), segment.style)


class _Hook(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Harmless(drawn) for drawn in renderables]


def terminal(**settings: Any) -> Console:
    """Return a console on which nothing that is printed can move the cursor, hide or colour a line."""
    console = Console(**settings)
    console.push_render_hook(_Hook())
    return console


def say(lines: str | Iterable[str], **style: Any) -> None:
    """Print lines of plain text."""
    import typer

    for line in [lines] if isinstance(lines, str) else lines:
        typer.echo(typer.style(harmless(line), **style) if style else harmless(line))


def warn(warnings: Iterable[str]) -> None:
    """Say on stderr what must not be overlooked; --json leaves it there too."""
    import typer

    for warning in warnings:
        typer.echo(f"warning: {harmless(warning)}", err=True)
