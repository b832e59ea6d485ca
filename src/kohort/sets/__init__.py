"""Set-valued tables: what each person bought, has or visited, with k^m-anonymity."""
