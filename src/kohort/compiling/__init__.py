"""Compiled kernels: how they are declared, where they are kept, and what is said to whoever waits for them.

Imported by kernel files alone, because it loads numba.
"""

from __future__ import annotations

from kohort.compiling.kernel import inner, kernel, whole

__all__ = ["inner", "kernel", "whole"]
