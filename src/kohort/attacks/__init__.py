"""The attacks of the literature, run against a release."""
