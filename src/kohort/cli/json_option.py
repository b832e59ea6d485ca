"""The option by which a command tells programs what it tells people."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[
    bool, typer.Option("--json", metavar="", help="Print one JSON object on stdout; all else goes to stderr.")
]
