"""The first shape: one table, of which every row is about a person."""
