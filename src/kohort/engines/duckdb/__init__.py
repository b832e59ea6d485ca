"""Rows coded on disk, counted, joined and ordered by DuckDB: for tables that do not fit in memory."""
