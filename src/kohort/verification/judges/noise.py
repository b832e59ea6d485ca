"""`Noise`: numbers drawn by chance on a grid that the plan declares; what they come from nobody can tell from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from kohort.hierarchy import Label
from kohort.hierarchy.numerals import is_number
from kohort.verification.judges.perturbed import NO_NUMBER, TWO_RULES, RowsTold, Told
from kohort.verification.judges.same_values import by_one_rule

OUTSIDE = "column {!r} holds a number beyond its declared bounds"


@dataclass(frozen=True)
class Noise:
    """Numbers within declared bounds, of declared decimals, by column."""

    bounds: Mapping[str, Sequence[Any]]
    decimals: Mapping[str, int] | int

    unshown = (
        "not judged: every number is one of the declared grid; what noise was added to, the numbers themselves do not show: the "
        "private audit or a signature tells whether this is what was released"
    )

    @classmethod
    def of(cls, algorithm: Any) -> Noise:
        """Return the grid of an algorithm, by its options."""
        return cls(algorithm.bounds, algorithm.decimals)

    def fault(self, told: Told) -> str:
        """Return which column holds what is not on its grid."""
        faults = (self._fault(name, told.used(j)[0]) for j, name in enumerate(told.names))
        return next(filter(None, faults), "")

    def fault_of_rows(self, told: RowsTold) -> str:
        """Return the same: noise is not judged by what it was added to."""
        faults = (self._fault(column.name, column.texts) for column in told.columns)
        return next(filter(None, faults), "")

    def _fault(self, name: str, texts: Sequence[Label]) -> str:
        decimals = self.decimals if isinstance(self.decimals, int) else self.decimals[name]
        least, greatest = (Fraction(str(bound)) for bound in self.bounds[name])
        written = [text for text in texts if text is not None and is_number(text)]
        numbers = [Fraction(Decimal(text)) for text in written]
        if len(written) < len(texts) or any((own * 10**decimals).denominator > 1 for own in numbers):
            return NO_NUMBER.format(name)
        if not by_one_rule(written):
            return TWO_RULES.format(name)
        return "" if all(least <= own <= greatest for own in numbers) else OUTSIDE.format(name)
