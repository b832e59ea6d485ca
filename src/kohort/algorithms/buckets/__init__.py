"""Buckets that break the link instead of the values: Anatomy."""
