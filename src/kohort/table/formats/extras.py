"""Packages that only some formats and steps need, imported when they are met."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kohort.errors import InputError


def extra(module: str, name: str, purpose: str, **found: str) -> Any:
    """Return the module, or say which extra to install; `found` are further fields of the error."""
    try:
        return import_module(module)
    except ImportError:
        raise InputError(
            f"{purpose} needs the package {module}, which is not installed: {install(name)}",
            code="install.missing-package",
            package=module,
            **found,
        ) from None


def install(name: str) -> str:
    """Return how an extra is installed, wherever Kohort came from.

    >>> install("excel")
    "pip install 'kohort[excel]' (in a clone: pip install -e '.[excel]')"
    """
    return f"pip install 'kohort[{name}]' (in a clone: pip install -e '.[{name}]')"
