"""What a comparison of ways tells."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kohort.facts.fact import Count, Fact

FOUND = "found"
INFEASIBLE = "infeasible"  # it is proved that there is nothing to find
NOT_FOUND = "not found"  # which proves nothing
REFUSED = "refused"  # the way cannot keep what the plan asks for
NOT_TRIED = "not tried"  # the comparison was stopped before


class Trial(Fact, frozen=True, kw_only=True):
    """What one way of recoding came to for one k."""

    algorithm: str
    way: str  # how it recodes, in a few words
    own: bool = False  # whether it is the plan's own way
    k: Count | None = None  # null where nothing that the plan requires has a k
    status: str
    code: str = ""  # why there are no figures
    reason: str = ""
    objective: str = ""  # by which all of a comparison are scored
    score: float | None = None
    less_at_k: Count | None = (
        None  # the larger k by which this way came to the least score below its own: it keeps this k too
    )
    optimal: bool | None = None  # proved, among recodings of its kind
    stopped: str | None = None  # why the search was over before its end
    suppressed: Count | None = None  # rows
    rows: Count | None = None  # of the original
    counted: str = ""  # whose the risks are: people or records
    classes: Count | None = None
    highest_risk: float | None = None
    average_risk: float | None = None
    lost: dict[str, float] = msgspec.field(default_factory=dict)  # share of its detail, by column
    gone: tuple[str, ...] = ()  # the columns of which nothing is left
    seconds: float | None = None
    by_chance: bool = (
        False  # the search draws, and the plan has no seed: another run may come to other figures
    )


def less_with_more(trial: Trial, trials: Sequence[Trial]) -> list[Trial]:
    """Return the trials that came to a lower score with a larger k, which keep the smaller one too."""
    if trial.k is None or trial.score is None:
        return []
    found = [
        other for other in trials if other.k is not None and other.score is not None and other.k > trial.k
    ]
    return [other for other in found if (other.score or 0.0) < trial.score]
