"""What of a page is seen first, for a notebook: the promise and the verdict, the figures, a few pictures."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from kohort.report.blocks import Block
from kohort.report.page import Page
from kohort.screens import screen
from kohort.screens.screen import Picture

DRAWN = ("flow", "classes", "kept")  # the sections whose first pictures are shown


def first_screen(page: Page) -> str:
    """Return the head of a page and its first pictures: nothing that the page does not say."""
    return screen.screen(page.kind, page.zone, page.headline, _parts(page))


def _parts(page: Page) -> Iterator[Markup]:
    if page.verdict:
        yield screen.verdict(page.holds, page.verdict)
    if page.plain:
        yield screen.plain(page.plain.before, page.plain.promises, page.plain.after)
    yield screen.paragraph(page.lead)
    for block in page.notices:
        yield screen.notice(block["title"], block["text"])
    yield screen.figures(page.figures)
    if page.verdicts:
        yield screen.verdicts([(told["holds"], told["promise"], told["text"]) for told in page.verdicts])
    drawn = [section for section in page.sections if section.id in DRAWN]
    pictures = [picture for section in drawn for picture in _first(section.blocks)]
    if pictures:
        yield screen.pictures(pictures)


def _first(blocks: list[Block]) -> list[Picture]:
    """Return the pictures of the first block that has any."""
    for block in blocks:
        if block["kind"] == "row":
            return list(block["charts"])
        if block["kind"] == "chart":
            return [(block["chart"], block["caption"])]
    return []
