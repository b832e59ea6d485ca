"""Pictures drawn on the server as SVG: no script, readable in print, coloured by the page's own style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH = 640
ROW = 26
BAR = 16


@dataclass(frozen=True)
class Bar:
    """One bar: what it stands for, its value, how the value is spelled, and a second value to compare with."""

    label: str
    value: float
    text: str
    other: float | None = None
    other_text: str = ""


def bars(title: str, entries: Sequence[Bar], most: float | None = None, width: int = WIDTH) -> Markup:
    """Return horizontal bars; where entries have a second value, it is drawn as a thin bar above the first."""
    largest = most or max([1e-12, *(max(e.value, e.other or 0.0) for e in entries)])
    left, right = _margins(entries)
    room = width - left - right
    height = ROW * len(entries) + 8
    parts = []
    for i, entry in enumerate(entries):
        y = 4 + i * ROW
        middle = y + ROW / 2 + 4
        paired = entry.other is not None
        parts.append(
            f'<text class="label" x="{left - 8}" y="{middle}" text-anchor="end">{escape(_short(entry.label))}</text>'
        )
        if paired:
            parts.append(_rect("other", left, y + 4, room * (entry.other or 0) / largest, 6))
        thickness = 8 if paired else BAR
        parts.append(_rect("bar", left, y + (12 if paired else 5), room * entry.value / largest, thickness))
        end = left + room * max(entry.value, entry.other or 0) / largest + 6
        text = f"{entry.other_text} → {entry.text}" if paired else entry.text
        parts.append(f'<text class="value" x="{end:.1f}" y="{middle}">{escape(text)}</text>')
    return _svg(title, width, height, parts)


def line(title: str, points: Sequence[tuple[str, float, str]], unit: str) -> Markup:
    """Return a line through points given as (label below, value, value spelled)."""
    height, top, bottom, left = 240, 24, 40, 56
    largest = max([1e-12, *(value for _, value, _ in points)])
    step = (WIDTH - left - 40) / max(len(points) - 1, 1)
    xs = [left + i * step for i in range(len(points))]
    ys = [top + (height - top - bottom) * (1 - value / largest) for _, value, _ in points]
    parts = [
        f'<line class="axis" x1="{left - 12}" y1="{height - bottom}" x2="{WIDTH - 24}" y2="{height - bottom}"/>',
        f'<text class="value" x="{left - 12}" y="14">{escape(unit)}</text>',
        f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))}"/>',
    ]
    for (label, _, text), x, y in zip(points, xs, ys, strict=True):
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4"/>')
        parts.append(
            f'<text class="value" x="{x:.1f}" y="{y - 10:.1f}" text-anchor="middle">{escape(text)}</text>'
        )
        parts.append(
            f'<text class="label" x="{x:.1f}" y="{height - bottom + 20}" text-anchor="middle">{escape(label)}</text>'
        )
    return _svg(title, WIDTH, height, parts)


def _margins(entries: Sequence[Bar]) -> tuple[float, float]:
    longest = max((len(_short(e.label)) for e in entries), default=0)
    spelled = max(
        (len(e.text) + len(e.other_text) + (3 if e.other is not None else 0) for e in entries), default=0
    )
    return 16 + 7.2 * longest, 14 + 7.4 * spelled


def _short(label: str, most: int = 26) -> str:
    return label if len(label) <= most else label[: most - 1] + "…"


def _rect(kind: str, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{height}" rx="2"/>'
    )


def _svg(title: str, width: int, height: float, parts: Sequence[str]) -> Markup:
    return Markup(
        f'<svg class="chart" role="img" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" '
        f'aria-label="{escape(title)}"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )
