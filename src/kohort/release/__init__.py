"""What came out: how it is written, what stands beside its tables, and how it is opened again."""
