"""The documentation site, as far as its sources show it: nothing is missing from it, leads nowhere or is fetched from elsewhere.

The site itself is built by `make docs`, which looks over what came out (`docs/built.py`); no tool of that is needed here.
"""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kohort
from kohort.models import MODELS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *PAGES]
CONTENTS = DOCS / "SUMMARY.md"
CONFIGURED = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
CODE = re.compile(r"(?ms)^```.*?^```|`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
WRITTEN = ("commands", "api", "reference", "glossary", "bad_input", "errors")  # pages of programs


def program(name: str) -> Any:
    """Return a program of docs/, found as it is when it is run there."""
    sys.path.insert(0, str(DOCS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(DOCS))


def links(text: str) -> list[str]:
    """Return what a page links to within the project."""
    return [each for each in LINK.findall(CODE.sub("", text)) if "://" not in each]


def headings(text: str) -> list[str]:
    lines = re.sub(r"(?ms)^```.*?^```", "", text).splitlines()
    return [line.lstrip("#").strip() for line in lines if re.match(r"#{1,6} ", line)]


def on_the_site(heading: str) -> str:
    """Return a heading's anchor as Python-Markdown spells it."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def in_the_repository(heading: str) -> str:
    """Return a heading's anchor as repositories in the web spell it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def dead(document: Path, text: str) -> Iterator[str]:
    """Tell which links of a page lead nowhere, on the site or in the repository."""
    for link in links(text):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        if not target.exists():
            yield link
        elif anchor and not anchor.startswith("only-"):  # which of two pictures is shown
            told = headings(target.read_text(encoding="utf-8"))
            if any(anchor not in map(spelled, told) for spelled in (on_the_site, in_the_repository)):
                yield link


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_and_anchor_leads_somewhere(document: Path) -> None:
    assert list(dead(document, document.read_text(encoding="utf-8"))) == []


def test_links_that_lead_nowhere_are_found() -> None:
    text = "[a](tutorial.md) [b](gone.md) [c](tutorial.md#5-release) [d](tutorial.md#gone) [e](#contents)\n`[f](gone)`"
    assert list(dead(CONTENTS, text)) == ["gone.md", "tutorial.md#gone"]


def test_every_page_is_in_the_navigation_once() -> None:
    named = links(CONTENTS.read_text(encoding="utf-8"))
    folders = {each for each in named if each.endswith("/")}
    assert len(set(named)) == len(named)
    pages = {path.relative_to(DOCS).as_posix() for path in PAGES} - {CONTENTS.name}
    assert {page for page in pages if not page.startswith(tuple(folders))} == {
        each for each in named if each.endswith(".md") and not each.startswith("../")
    }
    assert {"notebook.ipynb", "../CONTRIBUTING.md", "../CHANGELOG.md"} < set(named)
    assert CONFIGURED["plugins"]["literate-nav"]["nav_file"] == CONTENTS.name


@pytest.mark.parametrize("page", sorted((DOCS / "decisions").glob("*.md")), ids=lambda page: page.stem)
def test_a_decision_bears_its_number(page: Path) -> None:
    assert program("staging").title(page).startswith(f"{page.name[:4]}. ")


def test_lists_stand_apart_from_paragraphs_on_the_site() -> None:
    text = "said:\n- one\n  more\n- two\n```\nx\n- y\n```\nsaid:\n1. three\n"
    apart = "said:\n\n- one\n  more\n- two\n```\nx\n- y\n```\nsaid:\n\n1. three\n"
    assert program("staging").spaced(text) == apart


def test_what_the_site_has_elsewhere_is_there() -> None:
    staging = program("staging")
    assert set(staging.ELSEWHERE.values()) == set(staging.MADE)
    assert all((DOCS / spelled).exists() for spelled in staging.ELSEWHERE)
    listed = staging.MADE["decisions/index.md"]()
    assert listed.count("](") == len(list((DOCS / "decisions").glob("*.md")))


@pytest.mark.parametrize("name", WRITTEN)
def test_the_pages_of_programs_are_current(name: str) -> None:
    page = program(name)
    assert page.TARGET.read_text(encoding="utf-8") == page.text(), "run `make pages`"
    assert page.text().count("\n") > 50


def test_make_writes_every_page_that_a_program_writes() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split("\npages:")[1].split("\n\n")[0]
    writers = {
        path.stem
        for path in DOCS.glob("*.py")
        if "TARGET.write_text(text()" in path.read_text(encoding="utf-8")
    }
    assert writers == set(re.findall(r"docs/(\w+)\.py", recipe)) == set(WRITTEN)


def test_every_public_name_has_its_place() -> None:
    shown = re.findall(r"^::: kohort\.(\w+)$", (DOCS / "api.md").read_text(encoding="utf-8"), re.M)
    assert sorted(shown) == sorted([*kohort.__all__, *(kind.__name__ for kind in MODELS.values())])


def strings(told: Any) -> Iterator[str]:
    match told:
        case dict():
            for each in told.values():
                yield from strings(each)
        case list():
            for each in told:
                yield from strings(each)
        case str():
            yield told


def test_the_site_is_told_to_fetch_nothing_from_elsewhere() -> None:
    assert [each for each in strings(CONFIGURED) if "//" in each] == []
    assert CONFIGURED["theme"]["font"] is False  # else every page asks a host of fonts
    scripts = [each["path"] for each in CONFIGURED["extra"]["polyfills"]]
    assert any(
        "iframe-worker" in each for each in scripts
    )  # else the plugin `offline` names one on another host
    for each in (*scripts, *CONFIGURED["extra_css"]):
        assert "//" not in (DOCS / each).read_text(encoding="utf-8").replace("// ", ""), each


HEAD = '<html><head><link rel="stylesheet" href="{}"></head><body id="top">'
SITES = {
    "sound": ("a.css", '<a href="b.html#here">b</a><a href="#top">up</a><a href="https://example.org">away</a>', []),
    "a page that is gone": ("a.css", '<a href="gone.html">', ["a.html: leads nowhere: gone.html"]),
    "an anchor that is gone": ("a.css", '<a href="b.html#gone">', ["a.html: leads nowhere: b.html#gone"]),
    "a picture that is gone": ("a.css", '<img src="gone.png">', ["a.html: leads nowhere: gone.png"]),
    "a script from elsewhere": ("a.css", '<script src="//example.org/x.js">', ["a.html: asks another host: //example.org/x.js"]),
    "a style from elsewhere": ("https://example.org/x.css", "", ["a.html: asks another host: https://example.org/x.css"]),
    "a font from elsewhere": ("a.css", "<style>@import 'https://example.org/f'</style>", ["a.html: asks another host: https://example.org/f"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SITES)
def test_what_is_wrong_with_a_built_site_is_told(case: str, tmp_path: Path) -> None:
    style, body, told = SITES[case]
    (tmp_path / "a.html").write_text(HEAD.format(style) + body, encoding="utf-8")
    (tmp_path / "b.html").write_text('<h1 id="here">b</h1>', encoding="utf-8")
    (tmp_path / "a.css").write_text("body { background: url(data:image/png;base64,) }", encoding="utf-8")
    assert list(program("built").faults(tmp_path)) == told


def test_a_style_sheet_that_asks_another_host_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("@font-face { src: url('https://example.org/f') }", encoding="utf-8")
    assert list(program("built").faults(tmp_path)) == ["a.css: asks another host: https://example.org/f"]
