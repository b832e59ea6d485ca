"""What the docstring of an item must say: its promise, its cost, its papers and an example that runs."""

from __future__ import annotations

import doctest
import inspect
import sys

from kohort.testing.contract import ContractError, demand


def check_documented(kind: type) -> None:
    """Demand a docstring with a promise, paragraphs `Complexity:` and `References:`, and an example that runs.

    >>> from kohort.models import KAnonymity
    >>> check_documented(KAnonymity)
    """
    told = inspect.cleandoc(kind.__doc__ or "")
    paragraphs = told.split("\n\n")
    demand(
        bool(told) and paragraphs[0].rstrip().endswith((".", ":")),
        f"{kind.__name__}: the docstring begins with a sentence",
    )
    for part in ("Complexity:", "References:"):
        said = [text for text in paragraphs if text.startswith(part)]
        demand(
            len(said) == 1, f"{kind.__name__}: the docstring needs one paragraph that begins with {part!r}"
        )
        demand(len(said[0]) > len(part) + 3, f"{kind.__name__}: {part} says nothing")
    _run(kind, told)


def _run(kind: type, told: str) -> None:
    module = sys.modules[kind.__module__]
    found = doctest.DocTestParser().get_doctest(told, {**vars(module)}, kind.__name__, module.__file__, 0)
    demand(
        any(example.want for example in found.examples),
        f"{kind.__name__}: the docstring needs an example that shows something (>>>)",
    )
    heard: list[str] = []
    if doctest.DocTestRunner(verbose=False).run(found, out=heard.append).failed:
        raise ContractError(f"{kind.__name__}: its example does not come out as shown:\n{''.join(heard)}")
