"""`Twice`: the classes of a release, counted twice: as the models know them, and as the definitions do."""

from __future__ import annotations

from typing import NamedTuple

from kohort.classes import Classes
from kohort.verification.judges.definitions.counted import Counted


class Twice(NamedTuple):
    """The same rows by two counts that share no code: what is said of the one must be true of the other."""

    classes: Classes
    counted: Counted
