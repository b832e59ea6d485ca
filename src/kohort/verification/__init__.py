"""The front door of the verifier: a release folder or a table before its judges."""
