"""`kohort schema`: what documents look like, for programs that read or write them."""

from __future__ import annotations

import json


def run(name: str) -> None:
    """Print the JSON Schema of a document."""
    from kohort.schemas import schema

    print(json.dumps(schema(name), indent=2, ensure_ascii=False))  # noqa: T201 - what it is for
