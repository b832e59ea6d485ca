"""`kohort history`: the releases that the ledger knows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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


def said_of(compared: Mapping[str, Any]) -> str:
    """Return what a comparison with earlier releases means; what was not compared is never called fine."""
    if compared["compared"] is None:
        return f"ledger: not compared with earlier releases, because {compared['because']}"
    told = [_together(compared)] if compared["compared"] else []
    hindered: dict[str, list[str]] = {}
    for number, reason in compared["not_compared"].items():
        hindered.setdefault(reason, []).append(str(number))
    told += [
        f"not compared with release {_listed(numbers)}, because {reason}"
        for reason, numbers in hindered.items()
    ]
    return "ledger: " + ("; ".join(told) or "no earlier release to compare with")


def _together(compared: Mapping[str, Any]) -> str:
    earlier = compared["compared"]
    releases = "1 earlier release" if earlier == 1 else f"{earlier:,} earlier releases"
    if not compared["shared"]:
        return f"compared with {releases}; nobody of this one is in them, by the respondent column"
    found = _given_away(compared)
    if not found:
        return (
            f"compared with {releases}; by the classes they put people in, together they give nobody of this one away; what "
            "differences tell of people who are in only one of them is not looked at"
        )
    which = _listed([str(number) for number in compared["releases"]])
    return (
        f"together with release {which} (see `kohort history`), {' and '.join(found)}; do not share it beside them. If nobody "
        "has an earlier one, withdraw it: kohort history --withdraw ID"
    )


def _given_away(compared: Mapping[str, Any]) -> list[str]:
    fewer, single, few = compared["below_k"], compared["single_value"], compared["below_l"]
    found = [f"{_people(fewer, 'hides', 'hide')} among fewer than promised"] if fewer else []
    if single:
        new = compared["new_single_value"]
        found.append(
            f"{_people(single, 'is', 'are')} left with one sensitive value ({new:,} only by this release)"
        )
    if few:
        found.append(f"{_people(few, 'has', 'have')} fewer sensitive values left than promised")
    return found


def _listed(numbers: list[str]) -> str:
    return numbers[0] if len(numbers) == 1 else f"{', '.join(numbers[:-1])} and {numbers[-1]}"


def _people(count: int, one: str, several: str) -> str:
    return f"1 person {one}" if count == 1 else f"{count:,} people {several}"
