"""A tree written into the plan: nested tables of groups, lists of ground values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kohort.card import Card
from kohort.errors import InputError
from kohort.hierarchy.builder import finished
from kohort.hierarchy.domain import Label, domain_of
from kohort.hierarchy.hierarchy import Hierarchy
from kohort.table.texts import text_of


@dataclass(frozen=True)
class Tree:
    """Groups within groups; the leaves are the ground values.

    Groups equally far from the root stand on the same level. A ground value that stands higher than
    others repeats itself on the levels up to its group, so uneven trees lose no detail.

    >>> tree = {"heart": {"rhythm": ["I48"], "failure": ["I50"]}, "lung": ["J45"]}
    >>> [level.labels for level in Tree(tree).build("diagnosis", ["I48"], [1]).levels]
    [('I48', 'I50', 'J45'), ('rhythm', 'failure', 'J45'), ('heart', 'lung'), ('*',)]

    Complexity: linear in the leaves × levels.

    References: Samarati, P. Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001, section 3: domain
    and value generalization hierarchies.
    """

    tree: dict[str, Any]

    card: ClassVar[Card] = Card(
        "tree",
        "labels above values, and above labels, written into the plan as nested tables and lists",
        told="by labels that stand for several values",
    )

    def build(self, name: str, texts: Sequence[Label], counts: Sequence[int]) -> Hierarchy:  # noqa: ARG002
        """Return the hierarchy over the leaves of the tree."""
        paths = list(_paths(name, self.tree, ()))
        depth = max(map(len, paths), default=1)
        rows = [(*reversed(path[1:]), path[0]) if len(path) > 1 else path for path in paths]
        rows = [(row[0],) * (depth - len(row)) + row for row in rows]
        levels = [domain_of(column) for column in list(zip(*rows, strict=True))[1:]]
        return finished(name, [row[0] for row in rows], levels, None in texts)


def _paths(name: str, node: Any, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Return the path to every leaf, from the root down."""
    if isinstance(node, Mapping) and node:
        for group, below in node.items():
            yield from _paths(name, below, (*above, str(group)))
    elif isinstance(node, list | tuple) and node and above:
        for leaf in node:
            if isinstance(leaf, Mapping | list | tuple) or text_of(leaf) is None:
                raise InputError(
                    f"column {name!r}: hierarchy.tree holds a list with something other than ground values in "
                    "it; a label holds a table of labels or a list of values",
                    code="hierarchy.wrong-option",
                    column=name,
                    option="tree",
                )
            yield (*above, str(text_of(leaf)))
    elif above and node is not None and not isinstance(node, Mapping | list | tuple):
        yield (*above, str(text_of(node)))
    else:
        raise InputError(
            f"column {name!r}: hierarchy.tree holds a label without values at depth {len(above)}; "
            "a label holds a table of labels or a list of at least one value",
            code="hierarchy.wrong-option",
            column=name,
            option="tree",
        )
