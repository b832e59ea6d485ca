"""Risk measures of a table or a release."""
