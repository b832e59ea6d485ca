"""Searches by chance in few steps, and the same ones every time.

With a time limit they go on until it comes, whatever steps they are given: a test that sets one waits for all of it, and what
is found depends on how busy the machine is. So tests of all algorithms set none, and give these options where steps do not matter.
"""

from typing import Any

FEW_STEPS: dict[str, dict[str, Any]] = {
    "hill-climbing": {"rounds": 2},
    "genetic": {"population": 4, "children": 6},
    "annealing": {"coolings": 1, "steps": 60},
    "k-optimize": {"descents": 2, "threads": 1},
}
