"""Packages that only some formats need, imported when such a file is met."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kohort.errors import InputError


def extra(module: str, name: str, purpose: str) -> Any:
    """Return the module, or say which extra to install."""
    try:
        return import_module(module)
    except ImportError:
        raise InputError(
            f"{purpose} needs the package {module}, which is not installed: pip install 'kohort[{name}]'",
            code="install.missing-package",
            package=module,
        ) from None
