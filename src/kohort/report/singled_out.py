"""How many released rows stand alone for those who know more of a row than its quasi-identifiers."""

from __future__ import annotations

from kohort.facts import TableFacts
from kohort.facts.figures import Alone, SinglingOut
from kohort.facts.table_audit import Beside, Subset, UniqueBeside, Uniqueness
from kohort.plurals import many
from kohort.report.blocks import Block, table, text
from kohort.report.words import count, percent


def singling_out(facts: TableFacts) -> list[Block]:
    """Return the rows that no other row equals, by more and more of what is released."""
    told = facts.singling_out
    if told is None:
        return []
    rows = [("the quasi-identifiers", told.quasi), *_known(facts, told)]
    return [
        text(
            f"{_about(facts)} Whoever knows other released columns of a person too may find a "
            f"row that no other equals{_theirs(facts)}{_own_rows(facts)}{_uncounted(facts)}"
            + pairs_said(told.pairs_looked_at, told.pairs)
        ),
        table(
            ("what is known of a row", "rows that no other equals", "of all released rows"),
            [(said, count(alone.rows), percent(alone.share)) for said, alone in rows],
            (1, 2),
        ),
    ]


def singled_out_said(facts: TableFacts) -> str:
    """Return the same as the end of a sentence; nothing where it was not counted, or nothing else is released."""
    told = facts.singling_out
    if told is None or (told.everything is None and facts.apart is None):
        return ""
    said = [f"{percent(alone.share)} {known}" for known, alone in _known(facts, told)]
    apart = [] if facts.apart is None else [f"{facts.apart.column}, which stands apart, is not counted"]
    shares = "; ".join([f"{percent(told.quasi.share)} by the quasi-identifiers", *said, *apart])
    return f"; rows that no other released row equals: {shares}"


def pairs_said(looked_at: int, pairs: int) -> str:
    """Return how many pairs of columns were looked at, where not all were."""
    if looked_at == pairs:
        return ""
    return f" Of {many(pairs, 'pair')} of columns {count(looked_at)} were looked at: those of the columns that do most alone."


def sets_told(told: Uniqueness, most: int) -> tuple[list[Subset], str]:
    """Return the first sets of columns on which somebody is unique, and which these are."""
    found = [subset for subset in told.subsets if subset.unique]
    shown = found[:most]
    all_told = len(shown) == len(found) and (
        len(found) < len(told.subsets) or len(told.subsets) == told.subsets_looked_at
    )
    which = "all" if all_told else f"{count(len(shown))} of the {count(told.subsets_looked_at)} looked at"
    return (
        shown,
        f"Sets of up to {many(told.subsets_up_to, 'column')}, {which}, in the order of how many are unique on the whole set and on "
        "no fewer of its columns.",
    )


def known_beside(told: Beside) -> list[tuple[str, UniqueBeside]]:
    """Return what is known beside the quasi-identifiers of an audited table, and who is unique by it."""
    found = [(f"with {told.one.columns[0]}, the worst one", told.one)]
    if told.two is not None and told.pairs > 1:
        found.append((f"with {' and '.join(told.two.columns)}, the worst two{_limited(told)}", told.two))
    if len(told.everything.columns) > 1:
        found.append(("with all sensitive columns", told.everything))
    return found


def _known(facts: TableFacts, told: SinglingOut) -> list[tuple[str, Alone]]:
    """Return what is known, and who is alone by it; a single column is not told again as all."""
    found: list[tuple[str, Alone]] = []
    if told.one is not None:
        found.append((f"with {told.one.columns[0]}, the worst one more column", told.one))
    if told.two is not None and told.pairs > 1:
        found.append((f"with {' and '.join(told.two.columns)}, the worst two{_limited(told)}", told.two))
    if told.everything is not None and len(told.everything.columns) > 1:
        every = "every released column" if facts.apart is None else "every column of the first table"
        found.append((f"with {every}", told.everything))
    return found


def _limited(told: SinglingOut | Beside) -> str:
    return "" if told.pairs_looked_at == told.pairs else " of the pairs looked at"


def _about(facts: TableFacts) -> str:
    """Return what the promises are about, and so what they do not bound."""
    return (
        "The promises are about what quasi-identifiers tell."
        if facts.apart is None
        else "The promises hide no row."
    )


def _theirs(facts: TableFacts) -> str:
    """Return what follows of a row that no other equals."""
    if not facts.algorithm.truthful:
        return "; quasi-identifiers are perturbed here, so that it need not be theirs."
    return ": it is theirs if they are in the table and no other row fits what is known of them."


def _uncounted(facts: TableFacts) -> str:
    """Return which column is not counted: one that does not stand in the rows."""
    if facts.apart is None:
        return ""
    return (
        f" {facts.apart.column} stands apart from the rows and is not counted: whoever knows it of a person knows besides "
        "that their row is in a group with that value, so that more rows may be found than these."
    )


def _own_rows(facts: TableFacts) -> str:
    if facts.counted == "records":
        return ""
    return " Rows are counted, and another row of the same person counts as another."
