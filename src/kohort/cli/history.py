"""`kohort history`: the releases that the ledger knows."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from kohort.facts.ledger import LedgerFacts

SHOWN = (
    "id", "made", "directory", "plan", "promises", "people", "rows", "classes", "k", "withdrawn", "forgotten",
)  # fmt: skip


def run(ledger_path: Path | None, withdraw: int | None, forget: int | None, as_json: bool) -> None:
    """Mark releases where that is asked for, then list all of them, the earliest first."""
    from kohort.ledger import FILE, LOCATION, Ledger

    ledger = Ledger(ledger_path or Path(os.environ.get(LOCATION) or FILE))
    found = ledger.releases()
    if withdraw is not None:
        ledger.withdraw(withdraw)
    if forget is not None:
        ledger.forget(forget)
    if withdraw is not None or forget is not None:
        found = ledger.releases()
    shown = [{name: release[name] for name in SHOWN} for release in found]
    if as_json:
        told = [release | {"made": release["made"].isoformat()} for release in shown]
        print(json.dumps({"releases": told}))  # noqa: T201
    else:
        _show(shown)


def _show(found: list[dict[str, Any]]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from kohort.cli.terminal import terminal

    table = Table(
        "no.", "made (UTC)", "promises", "people", "rows", "classes", "directory", box=None, pad_edge=False
    )
    last = {release["directory"]: release["id"] for release in found}
    for release in found:
        states = [name for name in ("withdrawn", "forgotten") if release[name]]
        states += ["replaced since"] if last[release["directory"]] != release["id"] else []
        place = release["directory"] + (f" ({', '.join(states)})" if states else "")
        figures = ("?" if release[n] is None else f"{release[n]:,}" for n in ("people", "rows", "classes"))
        made = f"{release['made']:%Y-%m-%d %H:%M}"
        table.add_row(
            str(release["id"]), made, escape(", ".join(release["promises"])), *figures, escape(place)
        )
    terminal().print(table)


def said_of(told: LedgerFacts) -> str:
    """Return what a comparison with earlier releases means; what was not compared is never called fine."""
    if told.compared is None:
        return f"ledger: not compared with earlier releases, because {told.because}"
    said = [_together(told, told.compared)] if told.compared else []
    hindered: dict[str, list[str]] = {}
    for number, reason in told.not_compared.items():
        hindered.setdefault(reason, []).append(str(number))
    said += [
        f"not compared with release {_listed(numbers)}, because {reason}"
        for reason, numbers in hindered.items()
    ]
    return "ledger: " + ("; ".join(said) or "no earlier release to compare with")


def _together(told: LedgerFacts, earlier: int) -> str:
    releases = "1 earlier release" if earlier == 1 else f"{earlier:,} earlier releases"
    if not told.shared:
        return f"compared with {releases}; nobody of this one is in them, by the respondent column"
    found = _given_away(told)
    if not found:
        return (
            f"compared with {releases}; by the classes they put people in, together they give nobody of this one away; what "
            "differences tell of people who are in only one of them is not looked at"
        )
    which = _listed([str(number) for number in told.releases])
    return (
        f"together with release {which} (see `kohort history`), {' and '.join(found)}; do not share it beside them. If nobody "
        "has an earlier one, withdraw it: kohort history --withdraw ID"
    )


def _given_away(told: LedgerFacts) -> list[str]:
    found = [f"{_people(told.below_k, 'hides', 'hide')} among fewer than promised"] if told.below_k else []
    if told.single_value:
        new = told.new_single_value or 0
        found.append(
            f"{_people(told.single_value, 'is', 'are')} left with one sensitive value ({new:,} only by this release)"
        )
    if told.below_l:
        found.append(f"{_people(told.below_l, 'has', 'have')} fewer sensitive values left than promised")
    return found


def _listed(numbers: list[str]) -> str:
    return numbers[0] if len(numbers) == 1 else f"{', '.join(numbers[:-1])} and {numbers[-1]}"


def _people(count: int, one: str, several: str) -> str:
    return f"1 person {one}" if count == 1 else f"{count:,} people {several}"
