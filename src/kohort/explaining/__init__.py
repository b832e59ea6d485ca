"""Why a release is as it is, for the holder of the original: one record, one column.

Everything here is read from the private folder and the original and goes nowhere but to whoever asks: nothing on
the public side depends on it.
"""
