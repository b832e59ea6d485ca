"""Mutation testing of the judges: `python -m tests.trust.mutation [--share 0.05] [--only NAME …] [--tests TEST …]`.

The tests are collected and run once, noting which of them come by which line. Then every mutant lives in a forked child in which
the code of the one function is exchanged (everybody who imported it gets the fault), and the tests that come by its line run, quick ones first,
until one fails. The kernels among them run as Python, so that they can be seen and mutated too.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

import coverage
import pytest
from _pytest.runner import runtestprotocol
from tests.trust.mutants import Mutant, mutants
from tests.trust.uncompiled import ROOT, files, import_uncompiled, name_of

TESTS = (
    "tests/unit/models",
    "tests/unit/verification/judges",
    "tests/unit/sets/judges",
    "tests/contract/test_models.py::test_equals_its_naive_twin",
    "tests/contract/test_people.py",
    "tests/contract/test_definitions.py",
    "tests/papers/test_truta_models.py",
    "tests/papers/test_ciriani_models.py",
    "tests/papers/test_decapitani_models.py",
    "tests/contract/test_loose_tables.py",
    "tests/contract/test_text_layout.py",
    "tests/contract/test_spelled_once.py",
    "tests/engines/test_colliding_texts.py",
    "tests/engines/test_written.py",
    "tests/words/test_plain_words.py::test_every_model_says_its_promise_plainly_with_its_numbers",
    "tests/words/test_plain_words.py::test_a_power_of_e_is_rounded_up_and_a_great_one_stays_a_power",
    "tests/trust/test_judging.py::test_the_judge_says_what_is_true[0]",
)
# All times are those of the processor, so that the same is found whatever else it is busy with.
SECONDS = 6  # of tests that are tried on one mutant, as long as they took without it: quick ones first
PATIENCE = 2  # times as long, and five seconds: a mutant that takes longer hangs, which somebody notices
ASLEEP = 300  # seconds of a clock after which one hangs that waits for something
KILLED, SURVIVED, HANGS, UNSEEN = "killed", "survived", "hangs", "unseen"


class Mutation:
    """A pytest plugin: runs the collected tests once to see their lines, then each mutant's own."""

    def __init__(self, chosen: Sequence[Mutant]) -> None:
        self.chosen = chosen
        self.outcomes: dict[str, list[Mutant]] = defaultdict(list)
        self._items_at: dict[tuple[str, int], list[int]] = defaultdict(list)
        self._seconds: dict[int, float] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._look(session.items)
        for mutant in self.chosen:
            outcome = self._fate(mutant, session.items)
            self.outcomes[outcome].append(mutant)
            if outcome in (SURVIVED, UNSEEN):
                print(f"{outcome}: {mutant}", file=sys.__stdout__, flush=True)
        return True

    def _look(self, items: Sequence[pytest.Item]) -> None:
        """Run each test once, and note by which lines it comes."""
        watch = coverage.Coverage(data_file=None, include=list(map(str, files())), config_file=False)
        watch.start()
        for number, item in enumerate(items):
            watch.switch_context(str(number))
            began = time.process_time()
            if not _passes(item):
                raise pytest.UsageError(f"{item.nodeid} fails without any mutant")
            self._seconds[number] = time.process_time() - began
        watch.stop()
        print(f"{len(items)} tests in {sum(self._seconds.values()):.0f} s", file=sys.__stdout__, flush=True)
        for path in map(str, files()):
            for line, contexts in watch.get_data().contexts_by_lineno(path).items():
                self._items_at[path, line] = [int(number) for number in contexts if number]

    def _fate(self, mutant: Mutant, items: Sequence[pytest.Item]) -> str:
        numbers, seconds = self._tests_for(mutant)
        if not numbers:
            return UNSEEN
        child = os.fork()
        if child == 0:
            signal.setitimer(signal.ITIMER_PROF, 5 + PATIENCE * seconds)  # whose default is the end
            signal.alarm(ASLEEP)
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            plant(mutant)
            os._exit(0 if all(_passes(items[number]) for number in numbers) else 1)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return HANGS if os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGPROF) else KILLED
        return SURVIVED if os.WEXITSTATUS(status) == 0 else KILLED

    def _tests_for(self, mutant: Mutant) -> tuple[list[int], float]:
        """Return the tests that come by a mutant's line, or by its file where it lies outside functions."""
        coming = {
            number
            for (file, line), numbers in self._items_at.items()
            if file == str(mutant.path) and (line in mutant.lines or not mutant.inside)
            for number in numbers
        }
        chosen, seconds = [], 0.0
        for number in sorted(coming, key=self._seconds.__getitem__):
            if chosen and seconds + self._seconds[number] > SECONDS:
                break
            chosen.append(number)
            seconds += self._seconds[number]
        return chosen, seconds


def _passes(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, nextitem=None, log=False)
    return all(report.outcome != "failed" for report in reports)


def plant(mutant: Mutant) -> None:
    """Put a fault into the running program."""
    name = name_of(mutant.path)
    module = sys.modules[name]
    compiled = compile(mutant.tree(), str(mutant.path), "exec", dont_inherit=True)
    if mutant.inside:
        codes = {code.co_qualname: code for code in _codes(compiled)}
        for function in _functions(module):
            if function.__qualname__ in codes:
                function.__code__ = codes[function.__qualname__]
        return
    fresh = ModuleType(name)
    exec(compiled, vars(fresh))
    _take_values(module, fresh)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _functions(holder: Any) -> Iterator[FunctionType]:
    """Yield the functions that a module or class defines, taken out of properties and class methods."""
    for value in list(vars(holder).values()):
        if isinstance(value, type) and isinstance(holder, ModuleType) and value.__module__ == holder.__name__:
            yield from _functions(value)
        for way in ("fget", "__func__", "func", "__wrapped__", "py_func"):
            value = getattr(value, way, value) if not isinstance(value, type) else value
        if isinstance(value, FunctionType):
            yield value


def _take_values(module: ModuleType, fresh: ModuleType) -> None:
    """Take over constants, class attributes and defaults; a constant also where others imported it."""
    for name, value in vars(fresh).items():
        if isinstance(value, int | float | tuple | dict | str) and not name.startswith("__"):
            for other in [m for n, m in sys.modules.items() if n.startswith("kohort")]:
                if name in vars(other) and type(vars(other)[name]) is type(value):
                    setattr(other, name, value)
        elif isinstance(value, type) and value.__module__ == module.__name__:
            old = vars(module)[name]
            for attribute, told in vars(value).items():
                if isinstance(told, bool | int | float | str) and not attribute.startswith("__"):
                    setattr(old, attribute, told)
    olds = {function.__qualname__: function for function in _functions(module)}
    for function in _functions(fresh):
        if function.__qualname__ in olds:
            olds[function.__qualname__].__defaults__ = function.__defaults__
            olds[function.__qualname__].__kwdefaults__ = function.__kwdefaults__


def run(
    share: float = 1.0, only: Sequence[str] = ("",), tests: Sequence[str] = TESTS, seed: int = 1
) -> Mutation:
    """Return what became of the mutants: all, or a random share of them."""
    chance = random.Random(seed)
    chosen = [
        mutant
        for path in files()
        if any(name in str(path) for name in only)
        for mutant in mutants(path)
        if share >= 1 or chance.random() < share
    ]
    import_uncompiled(files())
    plugin = Mutation(chosen)
    code = pytest.main(
        [
            "-q",
            "-p",
            "no:xdist",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:faulthandler",
            "--capture=sys",
            "-m",
            "not long",
            *tests,
        ],
        plugins=[plugin],
    )
    assert code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED), code
    return plugin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--only", nargs="+", default=("",))
    parser.add_argument("--tests", nargs="+", default=TESTS)
    asked = parser.parse_args()
    found = run(asked.share, asked.only, asked.tests)
    counts = Counter({outcome: len(those) for outcome, those in found.outcomes.items()})
    print(dict(counts), f"killed {(counts[KILLED] + counts[HANGS]) / max(1, counts.total()):.1%}")  # noqa: T201


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
