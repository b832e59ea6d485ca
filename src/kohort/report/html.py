"""The report page: facts → html."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def html(facts: Mapping[str, Any]) -> str:
    """Return the report as one offline page without script."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("kohort.report", "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("report.html.jinja").render(facts=facts)
