"""Cell suppression and cell generalization."""
