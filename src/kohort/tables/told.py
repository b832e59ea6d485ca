"""What came out of a table, for the terminal and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.markup import escape
from rich.table import Table
from rich.text import Text

SHOWN = (
    "rows", "released", "suppressed", "classes", "levels", "objective", "score", "optimal", "nodes", "checked",
    "bound", "gap", "stopped", "visited", "verdicts", "losses", "seconds", "algorithm", "ledger", "task", "warnings",
)  # fmt: skip


def summary(facts: dict[str, Any]) -> dict[str, Any]:
    """Return what `--json` prints: the facts that scripts ask for first."""
    return {key: facts[key] for key in SHOWN if key in facts}


def outcome(facts: dict[str, Any]) -> Iterator[object]:
    """Yield what came out, line by line: rows, levels, the score, and what must not be overlooked."""
    yield _rows(facts)
    if facts.get("levels"):
        yield _levels(facts)
    yield f"{facts['objective']} {facts['score']:.6g} ({facts['algorithm']['name']}, {_proved(facts)})"
    if facts.get("stopped"):
        yield escape(_stopped(facts))
    yield from map(Text, _cautions(facts))
    task = facts.get("task")
    if task:
        yield Text(
            f"predicting {task['target']}: {task['original']:.1%} right from the original, {task['release']:.1%} from "
            f"the release, {task['baseline']:.1%} by always saying the most frequent value"
        )
    if facts["undeclared"]:
        yield Text(f"not released, because the plan does not name them: {', '.join(facts['undeclared'])}")


def _rows(facts: dict[str, Any]) -> str:
    share = facts["suppressed"] / max(facts["rows"], 1)
    name = "groups" if facts["algorithm"]["torn"] else "classes"
    return (
        f"{facts['released']:,} of {facts['rows']:,} rows released in {facts[name]:,} {name}; "
        f"{facts['suppressed']:,} suppressed ({share:.1%})"
    )


def _levels(facts: dict[str, Any]) -> Table:
    table = Table("column", "level", "of", "detail lost", box=None, pad_edge=False)
    columns = {column["name"]: column for column in facts["columns"]}
    for name, level in facts["levels"].items():
        column = columns[name]
        table.add_row(escape(name), str(level), str(column["height"]), f"{column['loss']:.0%}")
    return table


def _proved(facts: dict[str, Any]) -> str:
    """Return how near to the best possible score the search is known to have come."""
    if facts["optimal"]:
        return "proved optimal"
    bound = facts.get("bound")
    if bound is None:
        return "not proved optimal"
    return f"not proved optimal; nothing can score below {bound:.6g}, a gap of {facts['gap']:.1%}"


def _stopped(facts: dict[str, Any]) -> str:
    """Return why the search was over before its end, and what was released."""
    why = {"time_limit": "at the time limit", "interrupt": "by Ctrl-C"}.get(facts["stopped"], "as asked")
    known = (
        f"gap {facts['gap']:.1%}" if "gap" in facts else "how near to the best possible it is, is not known"
    )
    return f"stopped {why} after {facts['seconds']['search']:.1f} s: the best so far is verified and released, {known}"


def _noise(facts: dict[str, Any]) -> list[str]:
    """Return what noise was promised and how much there is of it, and which cells stand for others."""
    if not facts.get("noise"):
        return []
    scales = ", ".join(f"{name} ±{scale:.3g}" for name, scale in facts["noise"].items())
    told = [
        facts["algorithm"]["guarantee"],
        f"noise on the mean of a group, on average: {scales}; larger groups have less",
    ]
    for name, cells in facts["displaced"].items():
        if any(cells.values()):
            told.append(
                f"{name}: {cells['unread']:,} records are missing or no numbers and count as declared for these; "
                f"{cells['outside']:,} lie outside the bounds and count as the nearest"
            )
    return told


def _cautions(facts: dict[str, Any]) -> list[str]:
    """Return what must not be overlooked: values that are not true, groups that tell, columns that are gone."""
    told = []
    if not facts["algorithm"]["truthful"]:
        told.append("perturbed: released values are not the original ones, nor generalizations of them")
    told += _noise(facts)
    if facts["algorithm"]["torn"]:
        risk = facts["risk"]["prosecutor"]["average"]
        told.append(
            "two tables: quasi-identifiers are released as they are, so nobody is hidden: who knows them picks the right row "
            f"with a chance of {risk:.0%} on average; only {facts['column']} is, and whoever learns across groups may guess it "
            "(kohort attack); release it once, for the groups of a second dealing would intersect with these"
        )
    levels = facts.get("levels") or {}
    gone = [
        c["name"] for c in facts["columns"] if c["name"] in levels and 0 < c["height"] == levels[c["name"]]
    ]
    if gone and facts["algorithm"].get("taxonomy") != "_AS":  # which leaves out whole columns, as asked
        told.append(
            f"nothing is left of {', '.join(gone)}; to keep some of it, give it weight or a max_level, leave another "
            'column out, or recode single cells ([recode] generalize = "cell")'
        )
    return told
