"""`Place`: room for the cells of a released table and of its original, where rows are not held in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from kohort.plan import Plan
from kohort.verification.judges import Verdict
from kohort.verification.judges.cells import Cells


class Laid(Protocol):
    """A table that can be read as often as asked."""

    @property
    def path(self) -> Path:
        """Where it is."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns."""


S = TypeVar("S", bound=Laid)
T = TypeVar("T", bound=Laid, contravariant=True)


class Shelves(Cells, Protocol[T]):
    """Cells that are put in here."""

    def put(self, shelf: str, stream: T, names: Sequence[str]) -> int:
        """Read columns of a table; return the number of rows."""

    def name_people(self, people: Path | pa.Table) -> int:
        """Tell who each written row is about, by a table with a `respondent` for each; return for how many it does."""


class Place(Protocol[S]):
    """Where tables are laid beside each other to be judged."""

    @property
    def room(self) -> int:
        """How many bytes distinct tuples may take in memory."""

    def hold_labels(self, name: str, n_bytes: int) -> None:
        """Take so many bytes of it for the labels of a column; refuses by name where they are not left."""

    def shelves(self, apart: Sequence[str], together: Sequence[str]) -> Shelves[S]:
        """Return where cells are put."""

    def original(self, source: Any, plan: Plan) -> S:
        """Return an original as the plan says it is read, and told."""

    def nothing_else(self, written: S) -> Verdict:
        """Return whether a file holds nothing beside its table."""

    def close(self) -> None:
        """Give back the room."""
