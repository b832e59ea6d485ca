"""The first screen of something, as HTML for a notebook: no script, nothing from outside, everything escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from markupsafe import Markup

MARKS = {True: "✓", False: "✗", None: "?"}
Picture: TypeAlias = tuple[Markup, str]  # drawn by this program, and what it shows


def screen(kind: str, zone: str, headline: str, parts: Iterable[Markup]) -> str:
    """Return what stands under a headline, with its style; `kind` and `zone` say what it is and for whom."""
    head = Markup('<p class="k-kind">{} <span class="k-zone">{}</span></p><p class="k-head">{}</p>').format(
        kind, zone, headline
    )
    return f'<div class="kohort"><style>{_style()}</style>{head}{Markup("").join(parts)}</div>'


def paragraph(said: str) -> Markup:
    """Return a paragraph."""
    return Markup('<p class="k-lead">{}</p>').format(said)


def plain(before: str, promises: Sequence[tuple[str, str]], after: str) -> Markup:
    """Return promises in a sentence each, between what stands before and after them; nothing where there is none."""
    one, around = Markup("<li><strong>{}:</strong> {}</li>"), Markup("<p>{}</p>")
    told = Markup("").join(one.format(promise, said) for promise, said in promises)
    parts = [
        around.format(before) if before else "",
        Markup("<ul>{}</ul>").format(told),
        around.format(after) if after else "",
    ]
    return Markup('<div class="k-plain">{}</div>').format(Markup("").join(parts)) if promises else Markup("")


def notice(title: str, said: str) -> Markup:
    """Return a paragraph that must not be overlooked."""
    return Markup('<p class="k-notice"><strong>{}.</strong> {}</p>').format(title, said)


def verdict(holds: bool | None, said: str) -> Markup:
    """Return the judgement on all of it."""
    kind = "k-verdict" if holds else "k-verdict k-broken"
    return Markup('<p class="{}">{} {}</p>').format(kind, MARKS[holds], said)


def verdicts(lines: Sequence[tuple[bool | None, str, str]]) -> Markup:
    """Return a line for each promise: whether it holds, what it is, and what was found."""
    line = Markup("<li>{} <strong>{}</strong>{}</li>")
    told = (line.format(MARKS[holds], what, f" – {found}" if found else "") for holds, what, found in lines)
    return Markup('<ul class="k-verdicts">{}</ul>').format(Markup("").join(told))


def figures(told: Sequence[tuple[str, str, str]]) -> Markup:
    """Return figures side by side, each with its name and a note."""
    one = Markup(
        '<div><span class="k-big">{}</span><span class="k-name">{}</span><span class="k-note">{}</span></div>'
    )
    return Markup('<div class="k-figures">{}</div>').format(
        Markup("").join(one.format(value, name, note) for name, value, note in told)
    )


def pictures(drawn: Sequence[Picture]) -> Markup:
    """Return pictures side by side, with what they show above them."""
    one = Markup("<figure><figcaption>{}</figcaption>{}</figure>")
    return Markup('<div class="k-charts">{}</div>').format(
        Markup("").join(one.format(caption, picture) for picture, caption in drawn)
    )


def grid(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """Return a table."""
    head = Markup("").join(Markup("<th>{}</th>").format(heading) for heading in headings)
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(cell) for cell in row))
        for row in rows
    )
    return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(head, body)


@cache
def _style() -> str:
    return (files("kohort.screens") / "screen.css").read_text(encoding="utf-8")
