"""Rows in memory: the fastest way for tables that fit, and the only one for algorithms that look at rows."""
