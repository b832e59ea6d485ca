"""Facts → one offline page without script."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from kohort.facts import Manifest, ReleaseFacts
from kohort.report.page import Page
from kohort.report.public_page import public_page
from kohort.report.release_page import release_page
from kohort.signs import harmless

COMMAND = re.compile(r"`(kohort [^`]+)`")


def html(facts: ReleaseFacts) -> str:
    """Return the private report of a release."""
    return render(release_page(facts))


def public_html(public: Manifest) -> str:
    """Return the public report of a release, from its manifest."""
    return render(public_page(public))


def commands(said: str) -> Markup:
    """Return words with the commands in them, which a terminal is told between backticks, set as code.

    >>> str(commands("see `kohort history` & more"))
    'see <code>kohort history</code> &amp; more'
    """
    parts = COMMAND.split(said)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if i % 2 else escape(part) for i, part in enumerate(parts)
    )


def render(page: Page) -> str:
    """Return a page as HTML, signs in names that a browser would obey spelled out."""
    template, style = _template()
    return harmless(str(template.render(page=page, style=style)))


@cache
def _template() -> tuple[Any, Markup]:
    """Return the template and the style, compiled and read once."""
    from importlib.resources import files

    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("kohort.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["commands"] = commands
    style = (files("kohort.report") / "templates" / "style.css").read_text(encoding="utf-8")
    return environment.get_template("report.html.jinja"), Markup(style)
