"""`GroupPromise`: what can be promised where a sensitive column is told by groups, apart from the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kohort.errors import InputError
from kohort.models.model import PrivacyModel, bounds_linking


@dataclass(frozen=True)
class GroupPromise:
    """A sensitive column in a table of its own: no value has more than 1/l of a group.

    The rows stand in another table with their quasi-identifiers as they are. So nobody hides among others: a promise
    about released tuples (k-anonymity and its kin) would have to hold in the original. What can be promised is
    what groups tell of the torn column, and of no other: a sensitive column beside exact quasi-identifiers is told.
    """

    column: str
    l: int  # noqa: E741
    least: int = 1  # records in a group

    def covers(self, model: PrivacyModel) -> bool:
        """Tell whether a promise is about values of the torn column alone, so that groups can keep it."""
        return not bounds_linking(model) and model.reads == {self.column}

    def demand(self, models: Sequence[PrivacyModel], sensitive: Sequence[str], name: str) -> None:
        """Refuse promises that groups cannot keep, and sensitive columns that nothing protects; `name` is who groups."""
        for model in models:
            if bounds_linking(model):
                raise InputError(
                    f"[[require]] {model.card.name}: {name} leaves quasi-identifiers as they are, so nobody hides among "
                    f"others and {model.label} is not kept; require diversity of {self.column!r} only, with larger groups "
                    "by [recode.options] least if you want them, or choose an algorithm that generalizes",
                    code="algorithm.cannot-keep",
                    algorithm=name,
                    models=[model.label],
                )
            if not self.covers(model):
                raise InputError(
                    f"[[require]] {model.card.name}: {name} tears off {self.column!r} alone, and {model.label} reads "
                    f"{', '.join(map(repr, sorted(model.reads)))}; require promises about {self.column!r} only",
                    code="algorithm.cannot-keep",
                    algorithm=name,
                    models=[model.label],
                )
        beside = [column for column in sensitive if column != self.column]
        if beside:
            raise InputError(
                f"[columns] {', '.join(beside)}: {name} tears off {self.column!r} alone, so another sensitive column would "
                'stand beside exact quasi-identifiers; give it role = "identifier", which leaves it out, or choose an '
                "algorithm that generalizes",
                code="algorithm.columns",
                algorithm=name,
                columns=beside,
            )


def in_groups(label: str) -> str:
    """Return the words of a promise about classes as one about groups."""
    return f"{label} in every group"
