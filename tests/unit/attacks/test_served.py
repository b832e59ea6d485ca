"""A release that another package's engine made is attacked with that engine, or refused with its name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

import kohort
from kohort.card import Card
from kohort.engines import Wanted
from kohort.engines.memory.engine import InMemory
from kohort.errors import InputError
from kohort.table.formats import READERS
from kohort.third_parties import offered

PLAN = {
    "columns": {"sex": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "ill": {"role": "sensitive"}},
    "require": [{"model": "k-anonymity", "k": 2}],
    "recode": {"algorithm": "optimal"},
}


class Slips(InMemory):
    """Reads `.slips`, which are comma-separated."""

    card: ClassVar[Card] = Card("slips", "rows on slips of paper")
    reads: ClassVar[frozenset[str]] = frozenset(READERS) | {".slips"}

    def __init__(self, source: Any, wanted: Wanted, memory: str | None = None) -> None:
        if isinstance(source, str | Path) and Path(source).suffix == ".slips":
            place = Path(source).with_suffix(".csv")
            place.write_text(Path(source).read_text(encoding="utf-8"), encoding="utf-8")
            source = place
        super().__init__(source, wanted, memory)


@pytest.fixture
def release(tmp_path: Path) -> Iterator[Path]:
    source = tmp_path / "ward.slips"
    source.write_text("sex,ill\nf,flu\nf,cold\nm,flu\nm,gout\n", encoding="utf-8")
    with offered("kohort.engines", Slips, package="kohort-slips"):
        place = kohort.anonymize(source, kohort.Plan.from_dict(PLAN, tmp_path), engine="slips").save(
            tmp_path / "out"
        )
    (tmp_path / "ward.csv").unlink()
    return place


def test_the_audit_names_the_engine_of_another_package_and_none_of_kohorts_own(
    release: Path, tmp_path: Path
) -> None:
    audit = (tmp_path / "out.private" / "audit.json").read_text(encoding="utf-8")
    assert '"engine": "slips"' in audit
    (tmp_path / "ward.csv").write_text(
        (tmp_path / "ward.slips").read_text(encoding="utf-8"), encoding="utf-8"
    )
    kohort.anonymize(tmp_path / "ward.csv", kohort.Plan.from_dict(PLAN, tmp_path)).save(tmp_path / "own")
    assert '"engine": null' in (tmp_path / "own.private" / "audit.json").read_text(encoding="utf-8")


def test_without_the_engine_the_refusal_says_which_made_it_and_how_it_is_named(release: Path) -> None:
    with offered("kohort.engines", Slips, package="kohort-slips"):
        with pytest.raises(InputError, match=r"made by the engine 'slips'; say engine = 'slips', or"):
            kohort.attack(release)
        told = kohort.attack(release, engine="slips")
        assert {found["attack"] for found in told["attacks"]} >= {"linking", "homogeneity"}
    with pytest.raises(InputError, match=r"made by the engine 'slips'; install the package that offers it"):
        kohort.attack(release)


def test_an_original_that_nobody_reads_is_refused_with_what_is_left_to_do(
    release: Path, tmp_path: Path
) -> None:
    unknown = tmp_path / "ward.scroll"
    unknown.write_text("sex\n", encoding="utf-8")
    (tmp_path / "out.private" / "audit.json").unlink()
    with pytest.raises(
        InputError,
        match=r"suffix '\.scroll'; name the original in a format that Kohort reads, or leave it out",
    ):
        kohort.attack(release, original=unknown)
