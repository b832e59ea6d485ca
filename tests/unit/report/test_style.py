"""Contrast of the page's colours, in light and in dark."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

STYLE = (files("kohort.report") / "templates" / "style.css").read_text(encoding="utf-8")
LIGHT, DARK = (dict(re.findall(r"--(\w+):(#[0-9a-f]{6})", block)) for block in STYLE.splitlines()[:2])
TEXT = [
    ("ink", "paper"), ("soft", "paper"), ("ink", "panel"), ("soft", "panel"), ("main", "paper"), ("good", "goodpaper"),
    ("good", "paper"), ("bad", "badpaper"), ("bad", "paper"), ("warn", "warnpaper"), ("ink", "warnpaper"), ("ink", "mainpaper"),
]  # fmt: skip
DRAWN = [("main", "paper"), ("other", "paper")]


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_has_the_greatest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), TEXT)
def test_text_can_be_read(colours: dict[str, str], front: str, back: str) -> None:
    assert contrast(colours[front], colours[back]) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), DRAWN)
def test_pictures_stand_out(colours: dict[str, str], front: str, back: str) -> None:
    assert contrast(colours[front], colours[back]) >= 3


def test_dark_changes_every_colour_that_light_names() -> None:
    assert LIGHT.keys() == DARK.keys()
    assert len(LIGHT) >= 12
