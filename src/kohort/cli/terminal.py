"""What is shown on a terminal: names and values of strangers' files may hold escapes, and are shown harmless."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from rich.text import Text

from kohort.signs import harmless


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


class _Terminal(Console):
    """A console that spells signs out before rich makes a text of them, which drops some (the bell, a backspace)."""

    def render_str(self, text: str, **settings: Any) -> Text:
        """Return a text with its markup."""
        return super().render_str(harmless(text), **settings)


def terminal(**settings: Any) -> Console:
    """Return a console on which nothing that is printed can move the cursor, hide or colour a line."""
    console = _Terminal(**settings)
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
