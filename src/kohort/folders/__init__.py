"""Folders that only one process works in, and those of a release: all of it stands, or nothing."""
