"""Kohort: releases of tables about people in which nobody stands alone.

>>> import kohort
>>> plan = kohort.Plan(columns={"zip": {"role": "quasi", "hierarchy": {"kind": "mask"}}},
...                    require=[kohort.KAnonymity(2)])
>>> import pyarrow as pa
>>> release = kohort.anonymize(pa.table({"zip": ["94138", "94139", "94141", "94142"]}), plan)
>>> release.levels, release.suppressed
({'zip': 1}, 0)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kohort.version import __version__ as __version__

# Public names and where they are: imported when asked for, so that `kohort --help` stays quick.
_PUBLIC = {
    "Audit": "kohort.tables.audit",
    "Plan": "kohort.plan",
    "Release": "kohort.release.release",
    "Role": "kohort.table",
    "Stop": "kohort.stopping",
    "Verdict": "kohort.verification.judges",
    "anonymize": "kohort.pipeline",
    "attack": "kohort.attacks.attacking",
    "audit": "kohort.tables.audit",
    "compare": "kohort.comparisons",
    "explain": "kohort.explaining.rows",
    "frontier": "kohort.frontiers",
    "propose": "kohort.drafting",
    "schema": "kohort.schemas",
    "share": "kohort.sharing",
    "verify": "kohort.verification.verify",
    "KohortError": "kohort.errors",
    "InputError": "kohort.errors",
    "InfeasibleError": "kohort.errors",
    "UnfinishedError": "kohort.errors",
    "VerificationError": "kohort.errors",
}

if TYPE_CHECKING:
    from kohort.attacks.attacking import attack
    from kohort.comparisons import compare
    from kohort.drafting import propose
    from kohort.errors import InfeasibleError, InputError, KohortError, UnfinishedError, VerificationError
    from kohort.explaining.rows import explain
    from kohort.frontiers import frontier
    from kohort.models import *  # noqa: F403
    from kohort.pipeline import anonymize
    from kohort.plan import Plan
    from kohort.release.release import Release
    from kohort.schemas import schema
    from kohort.sharing import share
    from kohort.stopping import Stop
    from kohort.table import Role
    from kohort.tables.audit import Audit, audit
    from kohort.verification.judges import Verdict
    from kohort.verification.verify import verify

__all__ = [
    "Audit",
    "InfeasibleError",
    "InputError",
    "KohortError",
    "Plan",
    "Release",
    "Role",
    "Stop",
    "UnfinishedError",
    "Verdict",
    "VerificationError",
    "anonymize",
    "attack",
    "audit",
    "compare",
    "explain",
    "frontier",
    "propose",
    "schema",
    "share",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Find a public name: those above, and every privacy model by its class name."""
    module = import_module(_PUBLIC.get(name, "kohort.models"))
    if name in _PUBLIC or name in module.__all__:
        return getattr(module, name)
    raise AttributeError(f"module 'kohort' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, so that notebooks complete them."""
    return sorted({*globals(), *_PUBLIC, *import_module("kohort.models").__all__})
