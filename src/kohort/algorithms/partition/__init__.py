"""Multidimensional partitioning: Mondrian."""
