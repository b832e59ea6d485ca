"""`kohort share`: mark a release as one that others have, or are about to get."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import to_builtins


def run(release: Path, ledger: Path | None, anyway: bool, as_json: bool) -> None:
    """Judge the folder, compare it with everything shared, mark it; tell what was found."""
    from kohort.cli.lean import start_lean

    start_lean()
    from kohort.cli.terminal import say, warn
    from kohort.report.ledger import said_of, state_of
    from kohort.sharing import mark_as_shared, several_rows_of

    told = mark_as_shared(release, ledger, anyway=anyway)
    warn(several_rows_of(release))
    if as_json:
        print(json.dumps(to_builtins(told)))  # noqa: T201 - what --json is for
        return
    say(f"{release}: verified, as it was released")
    say(said_of(told))
    say(state_of(told))
