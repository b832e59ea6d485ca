"""What came out of sets, for the terminal and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from kohort.sets.facts import SetFacts

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
    yield (
        f"sets of {facts.people:,} people released; {facts.items:,} items are told by {len(facts.labels):,} labels, "
        f"{exact:,} of them exactly"
    )
    yield f"NCP {facts.losses['ncp']:.6g}, less being better ({facts.algorithm.name}, not proved optimal)"
    if len(facts.labels) == 1 and facts.items > 1:
        yield Text(
            "nothing is left of the items but how many people hold any; lower k or m, or add groups to the hierarchy"
        )
    if facts.undeclared:
        yield Text(f"not released, because the plan does not name them: {', '.join(facts.undeclared)}")
