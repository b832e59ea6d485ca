"""Whatever is read is answered: no crash, no hang, no quoted cell. Short here, a million cases with `make trust`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.trust import figures, fuzz

from kohort.verification.verify import verify_directory

KINDS: dict[str, Callable[[int, int, Path], int]] = {
    **{
        f"readers {suffix}": lambda n, seed, place, suffix=suffix: fuzz.fuzz_readers(suffix, n, seed, place)
        for suffix in fuzz.readable_suffixes()
    },
    "drafts": fuzz.fuzz_drafts,
    "plans": fuzz.fuzz_plans,
    "level files": fuzz.fuzz_level_files,
    "releases": lambda n, seed, place: fuzz.fuzz_manifests(n, seed, place, verify_directory),
    "arguments": fuzz.fuzz_arguments,
}
SHORT = {"drafts": 100, "readers .duckdb": 60, "releases": 60, "arguments": 100}
LONG = {
    "readers .csv": 250_000,
    "plans": 400_000,
    "level files": 250_000,
    "readers .tsv": 40_000,
    "readers .parquet": 60_000,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_mutation_is_answered(kind: str, tmp_path: Path) -> None:
    assert KINDS[kind](SHORT.get(kind, 300), 1, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_million_mutations_are_answered(kind: str, tmp_path: Path) -> None:
    answered = KINDS[kind](LONG.get(kind, 5_000), 2, tmp_path)
    assert answered
    figures.record("fuzzing", kind, inputs=LONG.get(kind, 5_000), crashes=0, hangs=0, cells_quoted=0)
