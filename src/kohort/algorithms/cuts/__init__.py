"""Recoding over ordered cuts and value trees: Bayardo's family."""
