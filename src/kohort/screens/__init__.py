"""What an object shows of itself where it is met: in a notebook."""
