"""`kohort explain`: why a record is not in a release, and which column costs most."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import to_builtins

from kohort.errors import InputError

_BY_COUNTS = "it is recognised by its number of rows and the classes of those left out"
RECOGNISED = {  # by whether it is the same file
    True: "the original is the file that the release was made from, to the byte",
    False: f"the original is not the file that the release was made from, to the byte: {_BY_COUNTS}, and may differ otherwise, ids "
    "included",
    None: f"no digest of the original was kept: {_BY_COUNTS}; whether it was changed otherwise, ids included, is not known",
}


def run(
    release: Path,
    row: int | None,
    id: str | None,
    columns: bool,
    seconds: float,
    original: Path | None,
    as_json: bool,
) -> None:
    """Tell why rows are or are not in the release, and what columns cost, as asked."""
    from kohort.cli.lean import start_lean

    start_lean()
    from kohort.cli.progress import Bar
    from kohort.cli.terminal import say
    from kohort.explaining.columns import column_costs
    from kohort.explaining.reopened import Reopened
    from kohort.explaining.rows import explain_row, rows_asked
    from kohort.report.explanation import said_of_columns, said_of_row

    if row is None and id is None and not columns:
        raise InputError(
            "explain: say what, as --row N, --id ID or --columns", code="cli.option", option="row"
        )
    reopened = Reopened.of(release, original)
    asked = [] if row is None and id is None else rows_asked(reopened, row, id)
    rows = [explain_row(reopened, number) for number in asked]
    costs = None
    if columns:
        with Bar() as bar:
            costs = column_costs(reopened, seconds, bar)
    if as_json:
        told = {"same_original": reopened.same_bytes, "rows": to_builtins(rows)} | (
            {} if costs is None else {"columns": to_builtins(costs)}
        )
        print(json.dumps(told))  # noqa: T201 - what --json is for
        return
    for explained in rows:
        say(said_of_row(explained, reopened.facts))
    if costs is not None:
        say(said_of_columns(costs, reopened.facts, seconds))
    say(RECOGNISED[reopened.same_bytes])
