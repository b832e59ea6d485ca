"""Who was left out: to the holder by group, in public what the plan allows and what follows for a reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kohort.facts import Manifest, ReleaseFacts, TableFacts
from kohort.facts.left_out import Group, Groups, LeftOut
from kohort.plurals import many
from kohort.report.blocks import Block, table, text
from kohort.report.words import count, percent, share_of, short

ALLOWED = 0.05  # where a plan does not say what may be left out
LABEL = 40  # characters of a label
UNPROTECTED = (
    "The promises are about the rows that are released. Nobody whose row was left out is protected by them, other than by not "
    "being in the table"
)
MISSED = ": whoever knows that somebody was in the original, and finds no row that fits, learns that theirs was left out."
PERTURBED = (
    "; of perturbed rows none need fit anybody, so that finding none does not tell that theirs was left out."
)
BLANK = (
    "These rows are not gone: they stand in the table with * in every quasi-identifier and with their other columns, and as one "
    "class they keep the promises too. How many there are can be seen there."
)
SMALL_GROUPS = (
    "As a rule it is rows that few others resemble, so small groups can lose more than large ones: their shares in this table "
    "may be smaller than in the original, and some values may have vanished."
)
VANISHED, IN_BLANK = "vanished", "in blank rows only"  # what became of those of whom all rows were left out
UNSAID = "How many were, and whose, is not told here, since that could tell of them; the holder's private report tells it by group."
SEEN = (
    "How many are can be seen: no more than the rows that hold nothing but *, which as one class keep the promises too. Their "
    "other columns are released as those of all rows are. Whose they are is not told here; the holder's private report tells it by "
    "group."
)


def left_out(facts: ReleaseFacts) -> list[Block]:
    """Return how many rows were left out, and how many of each group."""
    if not facts.suppressed:
        return [text(f"Nobody: all {many(facts.rows, 'row')} of the original are released.")]
    said = f"{share_of(facts.suppressed, facts.rows, 'rows')} were left out."
    blocks = [text(f"{said} {BLANK if shows_blank(facts) else _unprotected(facts)}")]
    if facts.left_out is None:
        return blocks
    return [*blocks, *_by_group(facts.left_out, IN_BLANK if shows_blank(facts) else VANISHED)]


def _by_group(told: LeftOut, gone: str) -> list[Block]:
    """Return who was left out, where `gone` says what became of a group of which all rows were."""
    whole = [] if told.people is None else [text(_people(told, gone))]
    unequal = [(groups.column, *_extremes(groups)) for groups in told.columns if _differ(groups)]
    of = " of the groups that can be named" if any(groups.small for groups in told.columns) else ""
    headings = ("not everybody alike: by", f"lost most{of}", f"lost least{of}")
    return [
        *whole,
        *([table(headings, unequal)] if unequal else []),
        table(
            ("column", "group", "left out", "of its rows", "share"),
            [row for groups in told.columns for row in _rows(groups, gone)],
            (2, 3, 4),
            caption="Rows left out, by group",
        ),
    ]


def hardest_hit(facts: ReleaseFacts) -> str:
    """Return how much the group lost that lost most, without its name; nothing where it lost no more than the table."""
    told = [] if facts.left_out is None else facts.left_out.columns
    found = [(_share(g), groups.column, g) for groups in told for g in groups.groups[:1]]
    if not found or max(found, key=_first)[0] <= facts.suppressed / facts.rows:
        return ""
    _, column, group = max(found, key=_first)
    lost = share_of(group.left_out, group.rows, "rows")
    named = ", of those large enough to be named" if any(groups.small for groups in told) else ""
    return f"hardest hit by that{named}: a group by {column} lost {lost}; the private report tells which"


def _first(found: tuple[float, str, Group]) -> float:
    return found[0]


def _people(told: LeftOut, gone: str) -> str:
    fate = "have no row in the release" if gone == VANISHED else f"are in the release {gone}"
    return f"{share_of(told.people_left_out or 0, told.people or 0, 'people')} {fate}."


def _differ(told: Groups) -> bool:
    """Tell whether some named group lost a greater share than another one."""
    return bool(told.groups) and bool(told.more or _share(told.groups[0]) != _share(told.groups[-1]))


def _extremes(told: Groups) -> tuple[str, str]:
    """Return the groups that lost most and least; of many groups the latter stand in none of the rows."""
    least = "among further groups" if told.more else _lost(told.groups[-1])
    return _lost(told.groups[0]), least


def _lost(group: Group) -> str:
    return f"{_label(group)}: {share_of(group.left_out, group.rows)}"


def _rows(told: Groups, gone: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield a row of the table for each group, then those that are told together."""
    for group in told.groups:
        all_gone = f" ({gone})" if group.left_out == group.rows else ""
        yield told.column, _label(group) + all_gone, *_figures(group.left_out, group.rows)
    if told.more:
        yield (
            told.column,
            f"{many(told.more, 'further group')}",
            *_figures(told.more_left_out, told.more_rows),
        )
    if told.small:
        name = (
            f"{many(told.small, 'group')} too small to be named, {count(told.small_vanished)} of them {gone}"
        )
        yield told.column, name, *_figures(told.small_left_out, told.small_rows)


def _figures(lost: int, rows: int) -> tuple[str, str, str]:
    return count(lost), count(rows), percent(lost / rows if rows else None)


def _share(group: Group) -> float:
    return group.left_out / group.rows


def _label(group: Group) -> str:
    return "missing" if group.label is None else short(group.label, LABEL)


def may_be_left_out(public: Manifest) -> list[Block]:
    """Return what the plan allows to be left out, and what a reader must take into account; nothing of who was."""
    recode = public.asked.get("recode", {})
    limit = recode.get("max_suppression", ALLOWED)
    if not limit:
        return [text("Nobody: the plan allows no row to be left out.")]
    if not may_leave_out(public):
        return [
            text(
                f"Nobody: {public.algorithm.name} as the plan asks for it leaves no row out.{_cells(public)}"
            )
        ]
    rows = f"{percent(limit)} of the rows" if isinstance(limit, float) else many(limit, "row")
    fate = (
        "to be told by * in every quasi-identifier"
        if stands_blank(public.asked)
        else "to be left out of the table"
    )
    return [
        text(
            f"The plan allows up to {rows} of the original {fate}, so that the others keep the promises. "
            f"{SEEN if stands_blank(public.asked) else UNSAID} {SMALL_GROUPS}"
        ),
        *([] if stands_blank(public.asked) else [text(_unprotected(public))]),
    ]


def may_leave_out(facts: TableFacts) -> bool:
    """Tell whether whole rows can be left out: by the algorithm, and by the plan."""
    recode = facts.asked.get("recode", {})
    allowed = bool(recode.get("max_suppression", ALLOWED)) and recode.get("suppress") in (None, "tuple")
    return facts.algorithm.leaves_out and allowed


def _cells(facts: TableFacts) -> str:
    """Return what is suppressed instead of rows, where single cells are."""
    if not facts.algorithm.taxonomy.endswith("_CS"):
        return ""
    return " It suppresses single cells instead, which are released as *."


def _unprotected(facts: TableFacts) -> str:
    """Return what follows for those who were left out; that they are missed is seen only where rows fit people."""
    return UNPROTECTED + (MISSED if facts.algorithm.truthful else PERTURBED)


def shows_blank(facts: ReleaseFacts) -> bool:
    """Tell whether rows were suppressed that stand in the table all the same."""
    return bool(facts.suppressed) and stands_blank(facts.asked)


def stands_blank(asked: Mapping[str, Any]) -> bool:
    """Tell whether suppressed rows stay in the table, with nothing told of their quasi-identifiers."""
    return bool(asked.get("recode", {}).get("suppressed_rows") == "blank")
