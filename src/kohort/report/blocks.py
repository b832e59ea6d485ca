"""What a page is made of: blocks of text, pictures, tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Block = dict[str, Any]
Figure = tuple[str, str, str]  # name, value, note


@dataclass(frozen=True)
class Section:
    """A titled part of a page."""

    id: str
    short: str  # in the table of contents
    title: str
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True)
class Step:
    """One level of a hierarchy: its name, how many labels it has, an example of one."""

    name: str
    labels: str
    example: str
    released: bool


def text(said: str) -> Block:
    """Return a paragraph."""
    return {"kind": "text", "text": said}


def heading(said: str) -> Block:
    """Return the title of a part of a section."""
    return {"kind": "heading", "text": said}


def notice(title: str, said: str) -> Block:
    """Return a paragraph that must not be overlooked."""
    return {"kind": "notice", "title": title, "text": said}


def chart(drawn: Any, caption: str) -> Block:
    """Return a picture with what it shows in words."""
    return {"kind": "chart", "chart": drawn, "caption": caption}


def row(charts: Sequence[tuple[Any, str]]) -> Block:
    """Return small pictures side by side."""
    return {"kind": "row", "charts": list(charts)}


def table(
    headings: Sequence[str],
    rows: Sequence[Sequence[Any]],
    numbers: Sequence[int] = (),
    caption: str = "",
    open: bool = False,
) -> Block:
    """Return a table; with a caption it can be folded away. Columns `numbers` are set flush right.

    A cell is text, or a list of `Step`s, which is drawn as a chain.
    """
    return {
        "kind": "table",
        "headings": headings,
        "rows": rows,
        "numbers": numbers,
        "caption": caption,
        "open": open,
    }


def code(said: str) -> Block:
    """Return text to be copied."""
    return {"kind": "code", "text": said}
