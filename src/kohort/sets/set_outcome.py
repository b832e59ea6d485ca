"""What came out of sets, for the terminal and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from kohort.plurals import many, people
from kohort.sets.facts import NOTHING_LEFT, SetFacts

SHOWN = (
    "rows", "people", "released", "suppressed", "items", "labels", "losses", "search", "stopped", "verdicts", "seconds",
    "algorithm", "ledger", "warnings",
)  # fmt: skip


def summary(facts: SetFacts) -> dict[str, Any]:
    """Return what `--json` prints: the facts that scripts ask for first."""
    told = facts.to_dict()
    return {key: told[key] for key in SHOWN}


def outcome(facts: SetFacts) -> Iterator[object]:
    """Yield what came out, line by line: people, labels, the loss, and what must not be overlooked."""
    exact = sum(one.items == 1 for one in facts.labels)
    are = "is" if facts.items == 1 else "are"
    yield (
        f"sets of {people(facts.people)} released; {many(facts.items, 'item')} {are} told by "
        f"{many(len(facts.labels), 'label')}, {exact:,} of them exactly"
    )
    yield f"NCP {facts.losses['ncp']:.6g}, less being better ({facts.algorithm.name}, not proved optimal)"
    if len(facts.labels) == 1 and facts.items > 1:
        remedy = "lower k or m, or add labels to the hierarchy between items and *"
        if facts.stopped is not None:
            remedy = (
                "the search was stopped before it had anything finer; give it more time ([recode] time_limit)"
            )
        yield Text(f"{NOTHING_LEFT}; {remedy}")
    if facts.undeclared:
        yield Text(f"not released, because the plan does not name them: {', '.join(facts.undeclared)}")
