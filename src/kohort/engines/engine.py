"""`Engine`: whoever keeps the rows of a table, and does what takes a pass over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from kohort.arrays import IntArray
from kohort.card import Card
from kohort.classes import Classes
from kohort.engines.node import Node
from kohort.engines.reading import Reading
from kohort.engines.wanted import Wanted
from kohort.ledger import Recorded
from kohort.plan import Plan
from kohort.proposals.agreeing import Agreement
from kohort.recode import Problem, Recoded
from kohort.recode.nodes import RegionRows
from kohort.release.published import Content
from kohort.table import Table
from kohort.verification.judges import Judged


class Need(StrEnum):
    """What a run may take that not every engine serves."""

    ROWS = "rows"  # a look at single rows: algorithms and attacks that decide by row
    FRAMES = "frames"  # a source that is in memory already
    GUARDS = "guards"  # values of a row beside its class
    TASK = "task"  # a model trained before and after
    LEDGER = "ledger"  # a record of the people of a release
    TABLES = "tables"  # releases of more than one table
    PEOPLE = "people"  # releases of people who have several rows
    ORDER = "order"  # rows in the order of the original
    COARSE = "coarse"  # columns that are told more coarsely than they are read (`Wanted.coarse`)


@dataclass(frozen=True, eq=False)
class Reduced:
    """The classes of the rows at the bottom, and a code per row where the rows are here; else these are empty."""

    base: Classes
    class_of: IntArray
    watched: Mapping[str, IntArray]
    people: IntArray | None


@dataclass(frozen=True, eq=False)
class Released:
    """The tables of a release, public and private: in memory, or what writes them."""

    tables: Mapping[str, Content]
    private_tables: Mapping[str, Content] = field(default_factory=dict)

    def in_memory(self, stem: str) -> Table:
        """Return a released table, which must not be elsewhere."""
        table = self.tables[stem]
        assert isinstance(table, Table)
        return table


@runtime_checkable
class Regional(Protocol):
    """An engine that also counts regions of its rows, and lets them be cut where they are."""

    def regions(self, ground: Node, watched: Sequence[str]) -> RegionRows:
        """Return the rows by which regions are counted, with the values of every watched column."""


@runtime_checkable
class Targeting(Protocol):
    """An engine that also writes elsewhere than to files, and can say beforehand that it could not."""

    @classmethod
    def demand_target(cls, source: Any, plan: Plan) -> None:
        """Refuse a place that a release of the source cannot be written to; nothing is read yet."""


class Engine(Protocol):
    """Keeps the rows of one source; five operations, and nobody else looks at rows.

    1. profile: `table`, `people`, `names`, `alone`, `agreement`: distinct values with counts;
    2. `reduce` to the classes of distinct tuples, which it remembers for writing;
    3. `count` a node of the lattice, or a set of cuts, without reducing first; where the bottom is too much to hold
       (`room`), search by `distinct`, `sizes` and `records`, and `settle` for a node;
    4. `release`: write a decision;
    5. `judge` what was written, and `read` what others wrote.

    Hierarchies, search and decision happen on `Classes`. Whatever the engine, these are the same, tuple by tuple.
    What an engine does not serve it `lacks`, and the callers refuse it by name before anything is read.
    """

    card: ClassVar[Card]
    lacks: ClassVar[frozenset[Need]]
    bounded: ClassVar[bool]  # whether it heeds `memory`, such as "4GB"
    reads: ClassVar[frozenset[str]]  # the suffixes of files that it reads
    writes: ClassVar[frozenset[str]]  # and of those that it writes

    def __init__(self, source: Any, wanted: Wanted, memory: str | None = None) -> None: ...

    @property
    def wanted(self) -> Wanted:
        """What is kept of the source."""

    @property
    def table(self) -> Table:
        """The table; where the rows are elsewhere, its columns tell values and counts only."""

    @property
    def room(self) -> int | None:
        """How many bytes classes may take on this side of the engine; None where that is not bounded."""

    def hold_labels(self, name: str, n_bytes: int) -> None:
        """Take so many bytes of the room for the labels of a column; refuses by name where they are not left."""

    def people(self) -> tuple[int, int]:
        """Return the number of distinct respondents, and of rows that name nobody; rows where nobody is named."""

    def empty(self, names: Sequence[str]) -> tuple[int, int]:
        """Return how many rows lack a value in all of these columns, and the first of them; -1 where there is none."""

    def names_alike(self) -> int:
        """Return how many distinct respondents equal another one in what a reader sees; 0 where people are not named."""

    def alone(self, name: str) -> tuple[int, int]:
        """Return how many rows hold a value that no other row, or no other person, has, and how many not the most frequent one."""

    def agreement(self, name: str, other: str) -> Agreement:
        """Return how rows of one value of a column, such as one that is `naming` somebody, agree in a counted one.

        No value is held for it; of very many rows, those of some values are looked at.
        """

    def reduce(self, ground: Node, watched: Sequence[str]) -> Reduced:
        """Return the classes of the rows, with a histogram of every watched column, and people if named."""

    def count(self, node: Node, watched: Sequence[str]) -> Classes:
        """Return the classes at a node: those of `reduce` rolled up to it, without its having been called."""

    def distinct(self, nodes: Sequence[Node]) -> list[int]:
        """Return about how many classes each node has, in one pass; an estimate, which decides nothing but what is counted."""

    def holdings(self, ground: Node, watched: Sequence[str]) -> list[int]:
        """Return about how many (tuple, person) there are at the bottom, and (tuple, person, value) of each watched column.

        The latter where people have several rows; none where nobody is named. An estimate, which decides no release.
        """

    def sizes(self, node: Node) -> tuple[IntArray, IntArray]:
        """Return the sizes, in records, that classes have at a node, and how many have each; the classes are not held."""

    def alone_in(self, node: Node) -> int:
        """Return how many people are the only ones in some class at a node."""

    def records(self, node: Node, codes: IntArray) -> dict[str, IntArray]:
        """Return, per quasi-identifier, the records per distinct value among the rows whose codes at a node are some of `codes`."""

    def settle(self, node: Node, watched: Sequence[str]) -> Classes:
        """Return what `count` does, remembered for writing as `reduce` does: a release is then about these classes."""

    def release(self, plan: Plan, problem: Problem, recoded: Recoded) -> Released:
        """Return the released tables of a decision about the last `reduce` or `settle`, or how they are written."""

    def judge(self, written: Mapping[str, Any], plan: Plan, problem: Problem) -> Judged:
        """Return the verdicts on the tables of the last `release`, read from what was written, and what they say."""

    def record(self, plan: Plan, released: Released, directory: Path, files: Mapping[str, str]) -> Recorded:
        """Compare the last release with those of the same people that were shared, and record it, where that is served.

        `files` are the digests of its tables as they were written: by them it is known again when it is shared.
        """

    def convert(self, released: Content) -> Any:
        """Return a released table in the type of the source; refuses one whose rows cannot be handed over."""

    @classmethod
    def read(
        cls, written: Mapping[str, Any], plan: Plan, memory: str | None = None, foreign: bool = False
    ) -> Reading:
        """Return released tables as their reader finds them, to be judged on terms that others tell.

        A `foreign` table is one that others than Kohort may have written: where it cannot be read as Kohort writes
        tables, it is read as the plan or the file itself says.
        """
