"""How much memory the classes of a table take, and what is refused where there is not as much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from kohort.algorithms import Algorithm, able
from kohort.card import Card
from kohort.engines.engine import Engine
from kohort.engines.node import Node
from kohort.errors import InputError
from kohort.recode import Problem
from kohort.table.budget import more_memory
from kohort.third_parties import maker_of

# Measured, rather too high: what is held of classes, and what counting, grouping, searching or judging them takes beside that.
PER_CLASS, PER_CODE = 16, 4  # bytes of a class, and of each of its codes
COUNTING, COUNTING_CODE = 104, 12  # its key, number and place, and a roll-up
WORK = 40  # of each code, by a search that says nothing else
PER_VALUE = (
    40  # of each sensitive value that a class may hold, at a node that is fetched: many of these do not occur
)
SEARCHED_VALUE = (
    60  # of each at the bottom, where most occur: the judge has it twice, and counts it a third time
)

# Of each (tuple, person), and (tuple, person, value) where people have several rows: the table has it, the node that is looked
# at, and the release; and it is put in order once more, for the risks of people or by the judge.
PER_PERSON, PER_HOLDER = 120, 200


def class_bytes(
    engine: Engine, classes: int, attributes: int, watched: Sequence[str], card: Card | None = None
) -> int:
    """Return how many bytes so many classes take at most, with a histogram of every watched column and whoever searches them."""
    table = engine.table
    values = sum(min(table.n_rows, classes * max(len(table[name].values), 1)) for name in watched)
    counting = classes * (COUNTING + COUNTING_CODE * attributes)
    work = counting if card is None else max(counting, _searching(card, classes * attributes, counting))
    value = PER_VALUE if card is None else SEARCHED_VALUE
    return classes * (PER_CLASS + PER_CODE * attributes) + work + values * value


def _searching(card: Card, codes: int, counting: int) -> int:
    """Return what a search takes beside the classes: by their codes, or what it keeps at most and one count beside that."""
    work = codes * (card.work or WORK)
    return min(work, card.work_ends + counting) if card.work_ends else work


def bottom_fits(engine: Engine, ground: Node, watched: Sequence[str], card: Card | None = None) -> bool:
    """Say whether the distinct tuples of a table fit where the engine's caller holds them, with people and who searches them."""
    return lacking_for_bottom(engine, ground, watched, card) == 0


def lacking_for_bottom(engine: Engine, ground: Node, watched: Sequence[str], card: Card | None = None) -> int:
    """Return how many bytes are lacking for what `bottom_fits` asks about; it is counted only where rows are more than fit."""
    if engine.room is None:
        return 0
    attributes, possible = len(ground.codes), prod(int(c.max(initial=0)) + 1 for c in ground.codes.values())
    classes = class_bytes(engine, min(engine.table.n_rows, possible), attributes, watched, card)
    people = people_bytes(_most_holdings(engine, watched))
    if classes + people > engine.room:
        classes = class_bytes(engine, engine.distinct([ground])[0], attributes, watched, card)
    if people and classes <= engine.room < classes + people:
        people = people_bytes(engine.holdings(ground, watched))
    return max(classes + people - engine.room, 0)


def people_bytes(holdings: Sequence[int]) -> int:
    """Return how many bytes so many (tuple, person) take at most, and (tuple, person, value) of each watched column."""
    return sum(n * (PER_HOLDER if i else PER_PERSON) for i, n in enumerate(holdings))


def _most_holdings(engine: Engine, watched: Sequence[str]) -> list[int]:
    """Return how many there may be, from the numbers of rows and people alone."""
    rows = engine.table.n_rows
    if engine.wanted.respondent is None:
        return []
    return [rows] * (1 + (len(watched) if engine.people()[0] < rows else 0))


def refuse_bottom(what: str, instead: str, lacking: int = 0) -> InputError:
    """Return the error of what takes the distinct tuples where they do not fit, for want of so many bytes."""
    more = f"about {more_memory(lacking)} more memory" if lacking else "more memory"
    return InputError(
        f"{what} needs the distinct tuples of the table in memory, and they do not fit there; allow {more}, or {instead}",
        code="engine.no-bottom",
    )


def demand_counted(problem: Problem, algorithm: Algorithm) -> None:
    """Refuse an algorithm that starts from the distinct tuples where a problem has none; one of another package may.

    One that looks at single rows is refused where there are none, and nobody groups them where they are.
    """
    if problem.nodes is None and not problem.has_rows and algorithm.card.decides == "row":
        raise InputError(
            f"[recode] algorithm: {algorithm.card.name} looks at single rows, and here it is tried on counts; name it in the plan",
            code="engine.needs-rows",
            algorithm=algorithm.card.name,
        )
    if problem.nodes is None or algorithm.card.name in _counting(problem):
        return
    if not algorithm.card.levels or maker_of(type(algorithm).__module__):
        served = ", ".join([*able(lambda other: other.levels), *_counting(problem)])
        raise refuse_bottom(f"[recode] algorithm: {algorithm.card.name}", f"choose one of {served}")


def _counting(problem: Problem) -> list[str]:
    """Return the algorithms that cut regions where the rows are, where the engine lets them."""
    if problem.nodes is None or problem.nodes.regions is None:
        return []
    return list(able(lambda algorithm: algorithm.regions))


def refuse_node(levels: Mapping[str, int], classes: int, room: int) -> InputError:
    """Return the error of a node that the search must look at and that does not fit."""
    told = ", ".join(f"{name} {level}" for name, level in levels.items())
    return InputError(
        f"the search must look at the levels {told}, where the table has {classes:,} classes, more than fit in the "
        f"{_megabytes(room)} that are left for them; allow more memory, promise larger classes, or raise min_level",
        code="engine.no-bottom",
        found=classes,
    )


def demand_boxes(engine: Engine, attributes: int, watched: Sequence[str], boxes: int) -> None:
    """Refuse more boxes than fit where the engine's caller holds them."""
    room = engine.room
    if room is not None and class_bytes(engine, boxes, 6 * attributes, watched) > room:
        raise InputError(
            f"the table was cut into {boxes:,} boxes, more than fit in the {_megabytes(room)} that are left for them; allow more "
            "memory, or promise larger classes",
            code="engine.no-bottom",
            found=boxes,
        )


def _megabytes(room: int) -> str:
    return f"{room / 1e6:,.0f} MB"
