"""What is estimated of a population: the intervals hold it, and no estimate is told as a bound.

Populations are drawn of which everything is known, and samples from them; the mean of 1/F over the people of a sample is then a
fact, to be compared with what was told. Most of them follow none of the models that are fitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest
from tests.unit.report.test_release_page import Page

import kohort
from kohort.facts.table_audit import table_audit
from kohort.report.audit import audit_html
from kohort.report.audit_text import audit_lines
from kohort.report.words import percent
from kohort.risk import sampling_facts
from kohort.risk.counts_of_counts import Sample, fewest_faced

Drawn = Callable[[np.random.Generator, int], np.ndarray]


def by_columns(*widths: int) -> Drawn:
    """The classes of people with independent columns of so many uneven values."""

    def drawn(rng: np.random.Generator, n: int) -> np.ndarray:
        columns = [(rng.random(n) ** 2 * width).astype(np.int64) for width in widths]
        keys = np.ravel_multi_index(columns, widths)
        return np.unique(keys, return_inverse=True)[1]

    return drawn


def by_sizes(sizes: Callable[[np.random.Generator, int], np.ndarray]) -> Drawn:
    def drawn(rng: np.random.Generator, n: int) -> np.ndarray:
        return np.repeat(np.arange(n), np.maximum(sizes(rng, n), 1))[:n]

    return drawn


POPULATIONS: dict[str, Drawn] = {
    "everybody unique": lambda _, n: np.arange(n),
    "pairs": lambda _, n: np.arange(n) // 2,
    "twenties": lambda _, n: np.arange(n) // 20,
    "few wide columns": by_columns(90, 40),
    "many narrow columns": by_columns(12, 10, 8, 6, 5),
    "unique and crowds": lambda _, n: np.where(np.arange(n) < n // 4, np.arange(n), n + np.arange(n) % 30),
    "negative binomial": by_sizes(lambda rng, n: 1 + rng.negative_binomial(0.4, 0.05, n)),
    "geometric": by_sizes(lambda rng, n: rng.geometric(0.15, n)),
    "heavy": by_sizes(lambda rng, n: np.minimum(rng.zipf(1.7, n), n // 5)),
}
FRACTIONS = (0.02, 0.05, 0.2, 0.6)


def covered(name: str, fraction: float, seed: int, n: int) -> dict[str, bool]:
    """Draw a population and a sample; tell which figures are where they were told to be."""
    rng = np.random.default_rng([seed, int(1000 * fraction)])
    people = POPULATIONS[name](rng, n)
    sample = rng.permutation(people)[: round(fraction * len(people))]
    whole, own = np.bincount(people), np.bincount(sample, minlength=int(people.max()) + 1)
    sizes, faced = own[own > 0], whole[own > 0]
    told = sampling_facts(sizes, fraction)
    small = sizes == sizes.min()
    average, smallest = float((sizes / faced).sum() / sizes.sum()), float((1 / faced[small]).mean())
    sampled, uniques = told["sampled"], told["estimates"]
    for part in (sampled["average"], sampled["smallest"], uniques):
        assert part["low"] <= part["high"]
        assert part["estimate"] is None or part["low"] <= part["estimate"] <= part["high"]
    return {
        "average": _within(average, sampled["average"]),
        "smallest": _within(smallest, sampled["smallest"]),
        "highest": float(1 / faced.min()) <= sampled["at_most"] + 1e-12,
        "uniques": _within(float((whole == 1).sum()), uniques),
    }


def _within(true: float, told: dict[str, float]) -> bool:
    return told["low"] - 1e-12 <= true <= told["high"] + 1e-12


def assert_covered(name: str, fraction: float, runs: int, n: int) -> None:
    found = [covered(name, fraction, seed, n) for seed in range(runs)]
    for figure in found[0]:
        share = sum(run[figure] for run in found) / runs
        assert share >= 0.9, (figure, share)


@pytest.mark.parametrize("name", POPULATIONS)
def test_intervals_hold_the_truth(name: str) -> None:
    for fraction in (0.05, 0.3):
        assert_covered(name, fraction, runs=10, n=2_000)


@pytest.mark.long
@pytest.mark.parametrize("fraction", FRACTIONS)
@pytest.mark.parametrize("name", POPULATIONS)
def test_intervals_hold_the_truth_of_many_large_populations(name: str, fraction: float) -> None:
    assert_covered(name, fraction, runs=100, n=40_000)


@pytest.mark.parametrize("seed", range(5))
def test_a_sample_of_people_who_are_all_unique_is_not_told_as_one_twentieth(seed: int) -> None:
    """A 5 % sample of a population in which everybody is unique: f/π is 20 people, and F is 1."""
    told = sampling_facts(np.ones(500 + seed, np.int64), 0.05)["sampled"]
    assert told["average"]["high"] == told["at_most"] == 1
    assert told["average"]["low"] > 0.5


def test_what_is_selected_is_bounded_for_all_at_once() -> None:
    """The smallest of a thousand classes of 40 in the population: never told as less than one fortieth."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        own = rng.binomial(40, 0.3, 1000)
        sample = Sample(own[own > 0], 0.3)
        assert (fewest_faced(sample.sizes, sample) <= 40).all()
        chosen = Sample(own[own >= 15], 0.3)  # the others were left out by their size
        told = sampling_facts(chosen.sizes, 0.3)["sampled"]
        assert told["average"]["low"] <= 1 / 40 <= told["average"]["high"]
        assert told["average"]["estimate"] is None, "no model can be fitted without classes of one"


def test_the_least_faced_is_what_binomial_chances_allow() -> None:
    """Against the exact tail: what is ruled out has a chance below 0.05/N, and nothing smaller is told."""
    from math import comb

    sample = Sample(np.array([1, 2, 5, 9, 14]), 0.2)
    for size, faced in zip(sample.sizes, fewest_faced(sample.sizes, sample), strict=True):
        for fewer in range(int(size), int(faced)):
            tail = sum(comb(fewer, j) * 0.2**j * 0.8 ** (fewer - j) for j in range(int(size), fewer + 1))
            assert tail <= 0.05 / sample.population


def test_the_whole_population_needs_no_estimate() -> None:
    told = sampling_facts(np.array([1, 2, 5]), 1.0)["sampled"]
    assert told["average"]["low"] == told["average"]["high"] == told["average"]["estimate"] == 3 / 8
    assert told["at_most"] == 1


def words(table: pa.Table, **asked: object) -> list[str]:
    facts = table_audit(kohort.audit(table, ["zip"], **asked))  # type: ignore[arg-type]
    lines = " ".join(" ".join(audit_lines(facts, 100)).split())
    return [lines[lines.index("In the population") :], Page(audit_html(facts)).text]


def test_every_estimate_has_an_interval_and_none_is_called_a_bound() -> None:
    rng = np.random.default_rng(1)
    table = pa.table({"zip": [str(v) for v in (rng.random(400) ** 2 * 300).astype(int)]})
    for text in words(table, sampling_fraction=0.1):
        assert "simple random sample" in text
        for line in ("average over all people", "the same over the", "unique in the population, estimated"):
            part = text[text.index(line) :][:120]
            assert "95 % interval" in part, line
            assert "at most" not in part.split("95 % interval")[0]
        assert "for all at once" in text


@pytest.mark.parametrize("seed", range(6))
def test_what_is_printed_is_what_was_computed_and_intervals_round_outwards(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = pa.table({"zip": [str(v) for v in (rng.random(300) ** 2 * 40 * 4**seed).astype(int)]})
    facts = table_audit(kohort.audit(table, ["zip"], sampling_fraction=0.15))
    assert facts.population is not None
    sampled, uniques = facts.population.sampled, facts.population.estimates
    assert sampled is not None
    assert uniques is not None
    for text in words(table, sampling_fraction=0.15):
        parts = re.split(
            "average over all people|the same over the|nobody's is above|unique in the population", text
        )
        for part, told in zip(parts[1:3], (sampled.average, sampled.smallest), strict=True):
            low, high = re.search(r"95 % interval ([\d.]+) to ([\d.]+) %", part).groups()  # type: ignore[union-attr]
            assert float(low) / 100 <= told.low + 1e-9
            assert float(high) / 100 >= told.high - 1e-9
            said = "no model fits" if told.estimate is None else f"{percent(told.estimate)} by {told.model}"
            assert said in part
        ends = re.search(r"95 % interval ([\d,]+) to ([\d,]+)", parts[4])
        assert ends
        low, high = (int(end.replace(",", "")) for end in ends.groups())
        assert low <= uniques.low
        assert uniques.high <= high


def test_what_cannot_be_estimated_says_why() -> None:
    table = pa.table({"zip": ["1", "2", "1"], "who": ["a", "a", "b"]})
    for text in words(table, respondent="who", sampling_fraction=0.5):
        assert "rows in several classes" in text
        assert "interval" not in text[text.index("population") :]
