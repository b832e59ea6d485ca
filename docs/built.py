"""Looks over the built site: every link and anchor leads somewhere, and no page asks another host for anything (`make docs`)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SITE = Path(__file__).resolve().parents[1] / "build" / "site"
STYLED = re.compile(r"""(?:@import\s+|url\(\s*)["']?((?:https?:)?//[^"')\s]+)""")


@dataclass
class Page(HTMLParser):
    """What a page names: its anchors, what it links to, and what a browser fetches for it."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names."""
        told = {name: value or "" for name, value in attrs}
        self.anchors |= {told[name] for name in ("id", "name") if name in told}
        if "href" in told:
            (self.links if tag == "a" else self.fetched).append(told["href"])
        self.fetched += [told[name] for name in ("src", "poster", "data") if name in told]
        self.fetched += [part.split()[0] for part in told.get("srcset", "").split(",") if part.strip()]
        self.fetched += STYLED.findall(told.get("style", ""))


@cache
def read(path: Path) -> Page:
    """Return what a page names, style sheets within it included."""
    text = path.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    page.fetched += [
        found for style in re.findall(r"(?s)<style.*?</style>", text) for found in STYLED.findall(style)
    ]
    return page


def faults(site: Path) -> Iterator[str]:
    """Tell what is wrong with a built site, page by page."""
    for path in sorted(site.rglob("*.html")):
        place, page = path.relative_to(site), read(path)
        yield from (f"{place}: asks another host: {each}" for each in page.fetched if elsewhere(each))
        named = [each for each in page.links + page.fetched if not elsewhere(each)]
        yield from (
            f"{place}: leads nowhere: {each}" for each in dict.fromkeys(named) if not leads(path, each)
        )
    for path in sorted(site.rglob("*.css")):
        found = STYLED.findall(path.read_text(encoding="utf-8"))
        yield from (f"{path.relative_to(site)}: asks another host: {each}" for each in found)


def elsewhere(address: str) -> bool:
    """Whether an address is on another host, or is not one of a page."""
    told = urlsplit(address)
    return bool(told.netloc or told.scheme) and told.scheme != "data"


def leads(page: Path, address: str) -> bool:
    """Whether an address within the site, as a page spells it, leads to something."""
    told = urlsplit(address)
    target = (page.parent / unquote(told.path)).resolve() if told.path else page
    if told.scheme == "data" or page.name == "404.html":  # which is shown at any address
        return True
    target = target / "index.html" if target.is_dir() else target
    anchored = target.suffix == ".html" and told.fragment != ""
    return target.is_file() and (not anchored or unquote(told.fragment) in read(target).anchors)


if __name__ == "__main__":
    found = list(faults(SITE))
    sys.exit("\n".join(found) or 0)
