"""The eighteen identifiers of HIPAA's Safe Harbor, looked for in what the plan declares: names, roles, hierarchies.

Cells are not looked at, so most answers are that it cannot be told. A column counts as an identifier by what its name
says (`kohort init` knows the same words) or by its hierarchy. `met`: the plan has such columns, and none is released in a
form that the rule excludes. `not met`: one is. Anything else cannot be told from a plan, least of all that no other
column holds one, which of several identifiers a name means, or how old whoever was born in a year is taken to be.

References: 45 CFR 164.514(b)(2)(i)(A) to (R).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kohort.facts import TableFacts
from kohort.hierarchy import open_ends
from kohort.hierarchy.calendar import PERIODS
from kohort.hierarchy.dates import Dates
from kohort.proposals.concepts import concept_of

UNSEEN = "what cells hold was not looked at"
MET, NOT_MET, UNKNOWN = "met", "not met", "cannot be told"
NOTHING = "any value"  # the level that tells nothing
COARSE = tuple(PERIODS)[tuple(PERIODS).index("year") :]  # the periods that the rule allows
OLDEST = 90  # ages from here on must be one group
Spec = Mapping[str, Any]


@dataclass(frozen=True)
class Found:
    """A column of the plan that may hold an identifier."""

    name: str
    role: str
    spec: Spec  # what the plan says of it
    level: str | None  # by which the whole column is released, where that is known
    concept: str | None  # what its name says that it holds


@dataclass(frozen=True)
class Identifier:
    """One of the eighteen: what it is, by which concepts a column is known, and which form of it is allowed."""

    name: str
    concepts: tuple[str, ...] = ()
    allowed: Callable[[Found], bool | None] = lambda found: False  # noqa: ARG005 - none is
    kinds: tuple[str, ...] = ()  # of hierarchies that give it away
    shared: bool = (
        False  # the concepts are those of another identifier too, so that no name tells which one it is
    )
    depends: str = ""  # on what else, where it depends on values


def _in_years(found: Found) -> bool | None:
    """Tell whether a date is told by the year or more coarsely; None where the plan leaves that open."""
    if found.level == NOTHING:
        return True
    if found.spec.get("unit") is not None:
        return found.spec["unit"] in COARSE
    spec = found.spec.get("hierarchy") or {}
    if spec.get("kind") != "dates":
        return None  # what its levels and its cells tell is not declared
    if found.level is not None:
        return found.level.replace(" ", "-") in COARSE  # a release names 20-years "20 years"
    levels = ["exact", *spec.get("levels", Dates().levels), NOTHING]
    least = found.spec.get("min_level", 0)
    return True if levels[min(least, len(levels) - 1)] in (*COARSE, NOTHING) else None


def _below_ninety(found: Found) -> bool | None:
    """Tell whether ages of 90 and more are one group; None where the plan does not say."""
    if found.level == NOTHING:
        return True
    high = found.spec.get("top") or open_ends(found.spec.get("hierarchy") or {})[1]
    return True if high is not None and high <= OLDEST else None


def _nowhere(found: Found) -> bool | None:
    """Tell whether nothing is left of a place; else it depends on how many people live there, which no plan says."""
    return True if found.level == NOTHING else None


def _untold(found: Found) -> bool:
    """Tell whether nothing is left; a network is a part of an address."""
    return found.level == NOTHING


def _born(found: Found) -> bool | None:
    """Tell whether nothing is left of a birth; a year may tell an age over 89, by values and a day that no plan says."""
    return False if _in_years(found) is False else _nowhere(found)


DATED: Mapping[str | None, Callable[[Found], bool | None]] = {
    "an age": _below_ninety,
    **dict.fromkeys(("an admission, visit or other event", "a death"), _in_years),
}


def _dated(found: Found) -> bool | None:
    """Tell of a date or an age; one whose name says no more than that it is a date may be a birth."""
    return DATED.get(found.concept, _born)(found)


NUMBERS, ONLINE, PLATES = (
    "an insurance, bank or card number",
    "an online identity",
    "a licence or number plate",
)
EIGHTEEN: tuple[Identifier, ...] = (
    Identifier("(A) names", ("a person's name", "a name")),
    Identifier(
        "(B) places smaller than a state; of ZIP codes three digits may stay where over 20,000 people live",
        ("a postal code", "a place", "a street address", "coordinates"),
        _nowhere,
    ),
    Identifier(
        "(C) dates of a person finer than a year, and ages over 89",
        ("a birth date", "a birth year", "an age", "an admission, visit or other event", "a date", "a death"),
        _dated,
        ("dates",),
        depends=", and years of birth on the day to which ages refer: a year that tells an age over 89 may not stay",
    ),
    Identifier("(D) telephone numbers", ("a telephone number",), shared=True),
    Identifier("(E) fax numbers", ("a telephone number",), shared=True),
    Identifier("(F) e-mail addresses", ("an e-mail address",)),
    Identifier("(G) social security numbers", ("a national or tax number",), shared=True),
    Identifier("(H) medical record numbers", ("a record or person number",), shared=True),
    Identifier("(I) health plan beneficiary numbers", (NUMBERS,), shared=True),
    Identifier("(J) account numbers", (NUMBERS,), shared=True),
    Identifier("(K) certificate and licence numbers", (PLATES,), shared=True),
    Identifier("(L) vehicle identifiers and plates", (PLATES, "a plate or a wage"), shared=True),
    Identifier("(M) device identifiers and serial numbers", (ONLINE,), shared=True),
    Identifier("(N) web addresses (URL)", (ONLINE,), shared=True),
    Identifier("(O) IP addresses", (ONLINE,), _untold, ("ip",), shared=True),
    Identifier("(P) biometric identifiers, finger and voice prints"),
    Identifier("(Q) full-face photographs and the like"),
    Identifier(
        "(R) any other unique number, characteristic or code",
        ("a record or person number", "a household number"),
        shared=True,
    ),
)
KNOWLEDGE = (
    "(ii) no actual knowledge that what is left could identify somebody",
    UNKNOWN,
    "for the covered entity to say",
)


def safe_harbor(facts: TableFacts, levels: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return, for each of the eighteen, the verdict and by what; `levels` are those by which columns are released."""
    columns = list(_columns(facts, levels))
    return [*((told.name, *_verdict(told, columns)) for told in EIGHTEEN), KNOWLEDGE]


def _columns(facts: TableFacts, levels: Mapping[str, str]) -> Iterable[Found]:
    """Yield the columns that are told of, with what the plan says of them."""
    asked = facts.asked.get("columns", {})
    for column in facts.columns:
        spec, level = asked.get(column.name, {}), levels.get(column.name)
        yield Found(column.name, column.role, spec, level, concept_name(column.name))


def _verdict(told: Identifier, columns: Iterable[Found]) -> tuple[str, str]:
    found = [column for column in columns if _is_one(told, column)]
    if not found:
        return UNKNOWN, f"no column is named or declared as one; {UNSEEN}"
    forms = {column.name: column.role == "identifier" or told.allowed(column) for column in found}
    broken, unclear = ([name for name, form in forms.items() if form is want] for want in (False, None))
    if broken:
        return (
            UNKNOWN if told.shared else NOT_MET
        ), f"released, and by name such a column: {', '.join(broken)}"
    if unclear:
        return UNKNOWN, f"depends on the values of {', '.join(unclear)}{told.depends}"
    if told.shared:
        return UNKNOWN, f"not released, and by name such a column or another: {', '.join(forms)}; {UNSEEN}"
    return MET, f"by name such a column, and not released or coarse enough: {', '.join(forms)}"


def _is_one(told: Identifier, column: Found) -> bool:
    kind = (column.spec.get("hierarchy") or {}).get("kind")
    return kind in told.kinds or column.concept in told.concepts


def concept_name(column: str) -> str | None:
    """Return what a column's name says that it holds."""
    concept = concept_of(column)
    return None if concept is None else concept.name
