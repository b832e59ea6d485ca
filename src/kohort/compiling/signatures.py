"""What numba knows of types, asked once.

numba looks for the signature of an operation among all that it can do, wherever the operation stands: several times
while types are inferred and once more when code is made of it. Here what was found is kept, for all kernels of a
process. Types are one object each as long as they live, and here they live on, so they are told apart by identity.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from functools import cache
from typing import Any

from numba.core import types
from numba.core.registry import cpu_target
from numba.core.utils import OPERATORS_TO_BUILTINS

OPERATORS = (*OPERATORS_TO_BUILTINS, operator.getitem, operator.setitem)


class Operator(types.Function):  # type: ignore[misc]
    """An operator with the signatures that were found of it."""

    def __init__(self, known: Any) -> None:
        super().__init__(known.templates)
        self._found: dict[tuple[int, ...], tuple[Any, tuple[Any, ...]]] = {}

    def get_call_type(self, context: Any, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        """Return the signature for arguments of these types."""
        key = tuple(map(id, arguments))
        if key not in self._found:
            context = cpu_target.typing_context
            self._found[key] = super().get_call_type(context, arguments, named), arguments
        return self._found[key][0]


class Signatures:
    """numba's knowledge of types, with what was found in it."""

    def __init__(self, known: Any) -> None:
        self._known = known
        self._calls: dict[tuple[object, ...], tuple[Any, ...]] = {}
        self._attributes: dict[tuple[int, str], tuple[Any, Any]] = {}
        self._operators = {each: Operator(known.resolve_value_type(each)) for each in OPERATORS}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._known, name)

    def resolve_value_type(self, value: Any) -> Any:
        """Return the type of a value that stands in a kernel."""
        if type(value) is _BUILTIN and value in self._operators:
            return self._operators[value]
        return self._known.resolve_value_type(value)

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """Return the signature of an assignment to an item."""
        return self._operators[operator.setitem].get_call_type(self._known, (target, index, value), {})

    def resolve_function_type(
        self, function: Any, arguments: tuple[Any, ...], named: Mapping[str, Any]
    ) -> Any:
        """Return the signature of a call."""
        key = (id(function), *map(id, arguments), *named, *map(id, dict(named).values()))
        if key not in self._calls:
            found = self._known.resolve_function_type(function, arguments, named)
            if found is None:
                return None
            self._calls[key] = found, function, arguments, named
        return self._calls[key][0]

    def resolve_getattr(self, owner: Any, name: str) -> Any:
        """Return the type of an attribute."""
        key = id(owner), name
        if key not in self._attributes:
            self._attributes[key] = self._known.resolve_getattr(owner, name), owner
        return self._attributes[key][0]


_BUILTIN = type(operator.add)


@cache
def signatures() -> Signatures:
    """Return what is known in this process."""
    return Signatures(cpu_target.typing_context)
