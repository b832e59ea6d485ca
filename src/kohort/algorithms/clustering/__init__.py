"""Clusters of at least k records: Byun, Truta."""
