"""Small faults put into a module, one at a time: swapped comparisons, moved bounds, negated conditions, dropped statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
UNSEEN = {"annotation", "returns", "decorator_list", "type_comment", "bases", "keywords"}  # of definitions
DROPPED = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break)


@dataclass(frozen=True)
class Mutant:
    """One fault: where it is and what it is."""

    path: Path
    number: int  # among those of its module
    lines: range
    what: str
    inside: bool  # of a function, so that its code alone is changed

    def __str__(self) -> str:
        return f"{self.path.parent.name}/{self.path.name}:{self.lines.start} {self.what}"

    def tree(self) -> ast.Module:
        """Return the module with the fault in it."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        place = _places(tree)[self.number]
        _put(place.parent, place.at, ast.copy_location(place.new, place.old))
        return ast.fix_missing_locations(tree)


class Place(NamedTuple):
    """A place of a tree, and what may stand there instead."""

    parent: ast.AST
    at: tuple[str, int | None]  # field, and where in it
    old: ast.stmt | ast.expr
    new: ast.stmt | ast.expr
    inside: bool


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every fault that is tried in a module."""
    for number, place in enumerate(_places(ast.parse(path.read_text(encoding="utf-8")))):
        lines = range(place.old.lineno, (place.old.end_lineno or place.old.lineno) + 1)
        what = f"{_short(place.old)} → {_short(place.new)}"
        yield Mutant(path, number, lines, what, place.inside)


def _short(node: ast.AST) -> str:
    return " ".join(ast.unparse(ast.fix_missing_locations(deepcopy(node))).split())[:70]


def _put(parent: ast.AST, at: tuple[str, int | None], node: ast.AST) -> None:
    name, index = at
    if index is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[index] = node


def _places(tree: ast.AST, inside: bool = False) -> list[Place]:
    """Return each place of a tree with what may stand there instead, in the order of the source."""
    found: list[Place] = []
    for name, value in ast.iter_fields(tree):
        if name in UNSEEN and isinstance(tree, ast.FunctionDef | ast.ClassDef | ast.arg | ast.AnnAssign):
            continue
        several = isinstance(value, list)
        for index, node in enumerate(value if several else [value]):
            if not isinstance(node, ast.AST) or _is_words(node):
                continue
            at = (name, index if several else None)
            body = inside or (isinstance(tree, ast.FunctionDef) and name == "body")
            if isinstance(node, ast.stmt | ast.expr):
                found += [Place(tree, at, node, new, body) for new in _instead(name, node)]
            if not isinstance(node, ast.Raise):  # what an error says is no promise
                found += _places(node, body)
    return found


def _is_words(node: ast.AST) -> bool:
    """Whether it is a docstring or a message, or what only readers and type checkers see."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.target, ast.Name) and node.target.id == "card"
    if isinstance(node, ast.keyword):
        return node.arg in ("repr", "compare", "cache")
    if isinstance(node, ast.BinOp):  # kinds side by side, as isinstance takes them
        return isinstance(node.op, ast.BitOr) and _ends_in_kind(node)
    return isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom)


def _ends_in_kind(node: ast.BinOp) -> bool:
    return isinstance(node.right, ast.Name) and node.right.id in ("int", "float", "str", "tuple", "frozenset")


def _instead(field: str, node: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    if field == "test" and not isinstance(node, ast.Compare | ast.UnaryOp):
        yield ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type]
    if isinstance(node, ast.Compare):
        for i, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                yield ast.Compare(node.left, [*node.ops[:i], other(), *node.ops[i + 1 :]], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert | ast.USub):
        yield node.operand
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.Return) and not isinstance(node.value, ast.Constant | None):
        yield ast.Return(ast.Constant(None))
    elif isinstance(node, DROPPED) or (
        isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name | ast.Tuple)
    ):
        yield ast.Pass()


def _constants(node: ast.Constant) -> Iterator[ast.expr]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node.value, float):
        yield ast.Constant(node.value * 2 + 1)
