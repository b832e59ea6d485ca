"""Pictures drawn on the server as SVG: no script, readable in print, coloured by the page's own style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH = 640
HALF = 440  # of a picture beside another
ROW = 26
BAR = 16
LABEL = 26  # characters of a label


@dataclass(frozen=True)
class Bar:
    """One bar: what it stands for, its value, how the value is spelled, and a second value to compare with."""

    label: str
    value: float
    text: str
    other: float | None = None
    other_text: str = ""


@dataclass(frozen=True)
class Stream:
    """A part of a whole that goes its own way: its size, two lines of text, and whether it is released."""

    size: float
    name: str
    note: str
    released: bool


def bars(
    title: str, entries: Sequence[Bar], most: float | None = None, width: int = WIDTH, label: int = LABEL
) -> Markup:
    """Return horizontal bars; where entries have a second value, it is drawn as a thin bar above the first.

    `most` is the value that fills the width; labels are cut to `label` characters.
    """
    largest = most or max([1e-12, *(max(e.value, e.other or 0.0) for e in entries)])
    left, right = _margins(entries, label)
    room = width - left - right
    height = ROW * len(entries) + 8
    parts = [f'<line class="axis" x1="{left:.1f}" y1="2" x2="{left:.1f}" y2="{height - 2}"/>']
    for i, entry in enumerate(entries):
        y = 4 + i * ROW
        middle = y + ROW / 2 + 4
        paired = entry.other is not None
        parts.append(_text("label", left - 8, middle, _short(entry.label, label), "end"))
        if paired:
            parts.append(_rect("other", left, y + 4, room * (entry.other or 0) / largest, 6))
        thickness = 8 if paired else BAR
        parts.append(_rect("bar", left, y + (12 if paired else 5), room * entry.value / largest, thickness))
        end = left + room * max(entry.value, entry.other or 0) / largest + 6
        text = f"{entry.other_text} → {entry.text}" if paired else entry.text
        parts.append(_text("value", end, middle, text))
    return _svg(title, width, height, parts)


def flow(title: str, source: tuple[str, str], streams: Sequence[Stream], width: int = HALF) -> Markup:
    """Return a whole, told by two lines, that parts into streams as thick as they are large."""
    left, right, thick, gap = 100, 230, 110.0, 12.0
    total = sum(stream.size for stream in streams) or 1.0
    sizes = [max(thick * stream.size / total, 3.0) for stream in streams]
    scale = thick / sum(sizes)
    heights = [size * scale for size in sizes]
    rooms = [max(height, 40.0) for height in heights]  # two lines of text need so much
    height = max(sum(rooms) + gap * (len(streams) - 1), thick) + 8
    top = (height - thick) / 2
    parts = [
        f'<rect class="source" x="{left}" y="{top:.1f}" width="8" height="{thick}"/>',
        _text("name", left - 12, height / 2 - 4, source[0], "end"),
        _text("value", left - 12, height / 2 + 14, source[1], "end"),
    ]
    y0, y1 = top, 4.0
    for stream, thickness, room in zip(streams, heights, rooms, strict=True):
        z1 = y1 + (room - thickness) / 2
        bend = (left + right) / 2
        kind = "kept" if stream.released else "left"
        parts.append(
            f'<path class="{kind}" d="M{left + 8} {y0:.1f}C{bend} {y0:.1f} {bend} {z1:.1f} {right} {z1:.1f}V'
            f'{z1 + thickness:.1f}C{bend} {z1 + thickness:.1f} {bend} {y0 + thickness:.1f} {left + 8} {y0 + thickness:.1f}Z"/>'
        )
        centre = y1 + room / 2
        parts.append(_text("name", right + 12, centre - 4, _short(stream.name, 24)))
        parts.append(_text("value", right + 12, centre + 14, _short(stream.note, 27)))
        y0, y1 = y0 + thickness, y1 + room + gap
    return _svg(title, width, height, parts)


def line(title: str, points: Sequence[tuple[str, str, float, str]], unit: str) -> Markup:
    """Return a line through points given as (label below, second line below, value, value spelled)."""
    height, top, bottom, left = 260, 44, 56, 56
    largest = max([1e-12, *(value for _, _, value, _ in points)])
    step = (WIDTH - left - 56) / max(len(points) - 1, 1)
    xs = [left + i * step for i in range(len(points))]
    ys = [top + (height - top - bottom) * (1 - value / largest) for _, _, value, _ in points]
    parts = [
        f'<line class="axis" x1="{left - 24}" y1="{height - bottom}" x2="{WIDTH - 24}" y2="{height - bottom}"/>',
        _text("value", left - 24, 16, unit),
        f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))}"/>',
    ]
    for (label, note, _, text), x, y in zip(points, xs, ys, strict=True):
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
        parts.append(_text("value", x, y - 10, text, "middle"))
        parts.append(_text("label", x, height - bottom + 20, label, "middle"))
        parts.append(_text("value", x, height - bottom + 38, note, "middle"))
    return _svg(title, WIDTH, height, parts)


def _margins(entries: Sequence[Bar], label: int) -> tuple[float, float]:
    longest = max((len(_short(e.label, label)) for e in entries), default=0)
    spelled = max(
        (len(e.text) + len(e.other_text) + (3 if e.other is not None else 0) for e in entries), default=0
    )
    return 16 + 7.4 * longest, 16 + 7.4 * spelled


def _short(label: str, most: int) -> str:
    return label if len(label) <= most else label[: most - 1] + "…"


def _text(kind: str, x: float, y: float, said: str, anchor: str = "start") -> str:
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{placed}>{escape(said)}</text>'


def _rect(kind: str, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{height}" rx="2"/>'
    )


def _svg(title: str, width: int, height: float, parts: Sequence[str]) -> Markup:
    return Markup(
        f'<svg class="chart" role="img" viewBox="0 0 {width} {height:.0f}" xmlns="http://www.w3.org/2000/svg" '
        f'aria-label="{escape(title)}"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )
