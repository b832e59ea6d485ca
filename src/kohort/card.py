"""`Card`: what a registry shows of one entry, and all that others may ask about it without knowing its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BY_ITSELF = "ends by itself"  # and was not stopped: what a guarantee says once that an early end makes untrue
Counts = Literal["people", "values", "population"]
ONE_TABLE = "one-table"  # the usual layout: rows that look alike are a class


def where_it_ended(guarantee: str) -> str:
    """Return what a package's algorithm guarantees as a release tells it, whose public side does not say if it was stopped.

    Kohort's own cards say of what that makes untrue that it holds where the search ends by itself; so may others.

    >>> where_it_ended("optimal"), where_it_ended("none: neither minimal nor optimal")
    ('optimal, where it ends by itself', 'none: neither minimal nor optimal')
    """
    if not guarantee or guarantee.startswith("none") or BY_ITSELF in guarantee:
        return guarantee
    return f"{guarantee}, where it {BY_ITSELF}"


@dataclass(frozen=True, slots=True)
class Card:
    """What is said of an algorithm, model, metric, hierarchy or attack where it is written, and asked everywhere else.

    Users choose by the first lines. The others say what an entry can do: what an algorithm cannot keep is refused by
    name. Most defaults are those of an entry that can least; `keeps`, `respondents` and `leaves_out` take an algorithm for
    one that judges by the models, as all do that do not say otherwise, and the verifier judges after it.
    """

    name: str
    summary: str  # one line
    guarantee: str = ""  # what is promised, e.g. "optimal where the search ends by itself", "none"
    paper: str = ""

    # of an algorithm
    taxonomy: str = (
        ""  # Ciriani et al. section 3: AG_TS, AG_, AG_CS, CG_, _TS, _AS, _CS; "" where it does not apply
    )
    decides: Literal["class", "row"] = "row"  # "class": it looks at distinct tuples and their counts alone
    keeps: Literal["all", "monotone", "sizes"] = "all"
    # "monotone": promises that stay kept when a table is generalized further; "sizes": those that sizes decide
    bounds: tuple[str, ...] = ()  # which of min_level and max_level it keeps
    respondents: Literal["several", "one", "nobody"] = (
        "several"  # how many rows a person may have, if people count
    )
    truthful: bool = True  # False: perturbative, released values are not generalizations of the originals
    perturbs: Literal["", "averages", "noise"] = (
        ""  # how, as its options say: what the verifier can know of such values
    )
    layout: str = ONE_TABLE  # in which tables it releases (kohort.verification.judges.layout)
    leaves_out: bool = True  # whole rows, within max_suppression; False: every row is released
    every_node: bool = False  # where it finds nothing, no level vector keeps the promises
    work: int = 0  # bytes that its search takes for each class and attribute, beside the classes, at most; 0 for the usual
    work_ends: int = (
        0  # bytes of that which end by themselves, however many classes: no more is kept; 0: they do not end
    )
    regions: bool = False  # it cuts regions that an engine counts, where distinct tuples do not fit
    covers_all: bool = False  # what it guarantees is about everything published: nothing may stand beside it
    way: str = (
        ""  # how it recodes, in a few words, if it is one that a comparison of ways tries without being asked
    )

    # of a model
    counts: Counts | None = None  # what a class is judged by; "people": by nothing but how many it holds
    classwise: bool = True  # False: the promise is about the table, not about each class by itself
    compares: bool = False  # with the original's distribution, which a release alone does not tell

    # of an attack
    looks_up: Literal["nobody", "people", "people in several releases"] = "nobody"  # of an outside table
    lessened: str = ""  # what makes it weaker, where no change of the plan is known to close what it found

    # of both: an algorithm releases every column at one level of its hierarchy; a model can be judged on nothing else
    levels: bool = False

    # of an algorithm and a metric: which of these its decision, or its score, goes by: objective, target (of the
    # objective), weight, suppression_cost, seed, max_suppression where rows stay; what nobody heeds is told
    # (kohort.preparation.effects)
    heeds: tuple[str, ...] = ()

    # of a hierarchy
    measures: bool = False  # numbers under it are quantities, not codes
    height_by: str = ""  # the option without which its height follows from the values, not from the plan
    open_by: str = ""  # the option that lists ends level by level: beyond the outermost of the first nothing else is told
    told: str = ""  # how its columns are told, in a few words for who reads a release
    words: tuple[tuple[str, str], ...] = ()  # options that are lists, and how they are said
