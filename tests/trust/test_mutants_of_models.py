"""Faults in the models, which the search uses, let no broken release pass the verifier: its definitions find it."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Sequence
from importlib import import_module
from random import Random

import pytest
from tests.trust import figures
from tests.trust.judging import VIOLATIONS, Question, Released, drawn_question, drawn_release, kept, said
from tests.trust.mutants import Mutant, mutants
from tests.trust.mutation import plant
from tests.trust.uncompiled import ROOT, name_of

MODELS = sorted((ROOT / "src/kohort/models").glob("*.py"))
PASSED = 17  # what a child says that saw a broken release accepted
Case = tuple[Question, Released]


def broken_releases(count: int, seed: int) -> list[Case]:
    """Return releases that break a promise, as anybody can count, and are as they should be otherwise."""
    chance, found = Random(seed), list[Case]()
    while len(found) < count:
        question = drawn_question(chance)
        released = drawn_release(question, chance)
        if released is None or not released.rows:
            continue
        for violation in VIOLATIONS[
            :2
        ]:  # labels that are as true, in classes that are not large or diverse enough
            worse = violation(question, released, chance)
            if not all(kept(question, worse)):
                found.append((question, worse))
                break
    return found


def let_through(mutant: Mutant, cases: Sequence[Case]) -> bool:
    """Tell whether the verifier, with this fault in the models, accepts a broken release; in a process of its own."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # whose default is the end
        plant(mutant)
        passed = False
        for question, released in cases:
            try:
                passed |= all(said(question, released, known=True).values())
            except Exception:  # a fault that raises releases nothing
                continue
        os._exit(PASSED if passed else 0)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == PASSED


def tried(share: float, cases: int, seed: int) -> tuple[int, list[Mutant]]:
    """Return how many faults were tried, and those with which a broken release passes."""
    for path in MODELS:
        import_module(name_of(path))  # a fault is planted in what is loaded
    chance, releases = random.Random(seed), broken_releases(cases, seed)
    assert not any(all(said(*case, known=True).values()) for case in releases)
    chosen = [
        mutant for path in MODELS for mutant in mutants(path) if mutant.inside and chance.random() < share
    ]
    return len(chosen), [mutant for mutant in chosen if let_through(mutant, releases)]


def test_a_sample_of_faults_in_the_models_lets_nothing_through() -> None:
    number, passing = tried(share=0.03, cases=40, seed=3)
    assert number > 20
    assert not passing, list(map(str, passing))


@pytest.mark.long
def test_no_fault_in_the_models_lets_a_broken_release_through() -> None:
    number, passing = tried(share=1, cases=300, seed=4)
    assert not passing, list(map(str, passing))
    figures.record("model_faults", tried=number, that_let_a_broken_release_through=0)
