"""Judges a release from its own cells; shares nothing with what made it."""
