"""The taxonomy of recodings: generalize × suppress, and the algorithm that serves each pair.

|                     | tuple | attribute | cell  | none |
|---------------------|-------|-----------|-------|------|
| attribute           | AG_TS | AG_       | AG_CS | AG_  |
| cell                | –     | –         | CG_   | CG_  |
| none                | _TS   | _AS       | _CS   | –    |

Generalizing to the root tells as little as suppressing, so suppressing attributes adds nothing to generalizing
attributes, nor suppressing cells to generalizing cells: seven models remain.

References: Ciriani, V. et al. k-Anonymity, 2007, section 3.
"""

from __future__ import annotations

from kohort.errors import InputError

GENERALIZE = ("attribute", "cell", "none")
SUPPRESS = ("tuple", "attribute", "cell", "none")

# (generalize, suppress) -> the model's code; pairs that coincide share one
CODES = {
    ("attribute", "tuple"): "AG_TS",
    ("attribute", "attribute"): "AG_",
    ("attribute", "cell"): "AG_CS",
    ("attribute", "none"): "AG_",
    ("cell", "cell"): "CG_",
    ("cell", "none"): "CG_",
    ("none", "tuple"): "_TS",
    ("none", "attribute"): "_AS",
    ("none", "cell"): "_CS",
}
IMPOSSIBLE = {
    ("cell", "tuple"): (
        "a row whose cells can each be generalized up to the root need never be left out whole: suppressing "
        'it is generalizing all its cells; use suppress = "none"'
    ),
    ("cell", "attribute"): (
        "a column can be suppressed by generalizing each of its cells to the root, so nothing is gained; "
        'use suppress = "none"'
    ),
    ("none", "none"): (
        "with neither generalization nor suppression the table is released as it is; choose at least one"
    ),
}
DEFAULTS = {
    "AG_TS": "optimal",
    "AG_": "optimal",  # which leaves no row out, as none may be
    "AG_CS": "levels-and-cells",
    "CG_": "mondrian",
    "_TS": "outliers",
    "_AS": "columns",
    "_CS": "forest",
}
USUAL = DEFAULTS["AG_TS"]  # whole columns at levels: serves every model and metric
USUAL_CELLS = DEFAULTS["_CS"]  # single cells: serves every model, on tables of any size
QUICK = ("datafly", "mondrian")  # greedy ones that serve every model, for when time is short
TINY = 10  # rows up to which cells are suppressed optimally without being asked, and without a solver


def taxonomy_code(generalize: str, suppress: str) -> str:
    """Return the code of the model that a pair of settings names, such as `AG_TS`."""
    for name, told, allowed in (("generalize", generalize, GENERALIZE), ("suppress", suppress, SUPPRESS)):
        if told not in allowed:
            raise InputError(
                f"[recode] {name} is {told!r}; it must be one of: {', '.join(allowed)}",
                code="algorithm.recoding",
                section="recode",
                option=name,
                value=told,
                allowed=allowed,
            )
    if (generalize, suppress) in IMPOSSIBLE:
        raise InputError(
            f'[recode] generalize = "{generalize}" with suppress = "{suppress}": '
            f"{IMPOSSIBLE[generalize, suppress]}",
            code="algorithm.recoding",
            section="recode",
            option="generalize",
            value=generalize,
        )
    return CODES[generalize, suppress]


def settled(generalize: str | None, suppress: str | None) -> tuple[str, str]:
    """Return a pair of settings of which some may not be said.

    Where cells are generalized, no row need be left out unless that is said.

    >>> settled(None, None), settled("cell", None)
    (('attribute', 'tuple'), ('cell', 'none'))
    """
    generalize = generalize or "attribute"
    return generalize, suppress or ("none" if generalize == "cell" else "tuple")


def choose(generalize: str | None, suppress: str | None, n_rows: int) -> str:
    """Return the name of the algorithm that serves a pair of settings best by default.

    >>> choose("attribute", "tuple", n_rows=30_000)
    'optimal'
    """
    code = taxonomy_code(*settled(generalize, suppress))
    return "cells-exact" if code == "_CS" and n_rows <= TINY else DEFAULTS[code]
