"""Kohort: releases of tables about people in which nobody stands alone."""

__version__ = "0.1.0"
