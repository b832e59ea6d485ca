"""What is said of a promise beside its mark: whose figure it is, and who can judge it by what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.words.releases import KINDS, made

import kohort
from kohort.cli.verify import _show
from kohort.models import MODELS
from kohort.verification.judges import Verdict
from kohort.verification.verify import verify

COMPARING = {name for name, kind in MODELS.items() if kind.card.compares}
OF_POPULATIONS = {name for name, kind in MODELS.items() if kind.card.counts == "population"}


def promises(kind: str, names: set[str]) -> list[str]:
    return [model.label for model in made(kind).plan.require if model.card.name in names]


def kinds_with(names: set[str]) -> list[str]:
    return [kind for kind, told in KINDS.items() if any(model["model"] in names for model in told.require)]


def stranger(kind: str) -> list[Verdict]:
    """Return what `kohort verify` finds with the released files and the plan, and nothing of the holder's."""
    return verify(made(kind).folder / "table.csv", made(kind).plan)


def test_every_model_that_compares_is_looked_at() -> None:
    told = {model["model"] for kind in KINDS.values() for model in kind.require}
    assert told >= COMPARING | OF_POPULATIONS
    assert COMPARING
    assert OF_POPULATIONS


@pytest.mark.parametrize("kind", kinds_with(COMPARING))
def test_what_a_release_has_of_its_own_distribution_is_not_called_achieved(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    public = {verdict.promise: verdict for verdict in made(kind).manifest.verdicts}
    private = {verdict.promise: verdict for verdict in made(kind).facts.verdicts}
    alone = stranger(kind)
    _show(alone)
    shown = capsys.readouterr().out.splitlines()
    for promise in promises(kind, COMPARING):
        assert (public[promise].holds, public[promise].achieved) == (True, None)
        assert public[promise].in_itself is not None
        assert "against the original, which the holder checked" in public[promise].note
        assert f"{promise} – against the release's own distribution" in made(kind).public.text
        assert f"{promise} – achieved" in made(kind).private.text
        assert private[promise].in_itself is None
        [judged] = [verdict for verdict in alone if verdict.promise == promise]
        assert (judged.holds, judged.achieved) == (None, None)
        [line] = [line for line in shown if promise in line]
        assert "achieved" not in line
        assert "own distribution, which is not what is promised" in line


@pytest.mark.parametrize("kind", kinds_with(OF_POPULATIONS))
def test_a_promise_about_a_population_takes_the_population(kind: str) -> None:
    for promise in promises(kind, OF_POPULATIONS):
        [public] = [verdict for verdict in made(kind).manifest.verdicts if verdict.promise == promise]
        assert public.note == "checked by the holder against the population"


@pytest.mark.parametrize(
    ("values", "declared", "order", "spelled"),
    [
        (["low", "mid", "top"], False, "texts", True),
        (["low", "mid", "top"], True, "declared hierarchy", False),
        (["9", "10", "200"], False, "numbers", False),
        (["2020-01-09", "2020-01-10", "2021-01-01"], False, "texts", False),
        (["no", "yes", "no"], False, "texts", False),
    ],
)
def test_by_which_order_values_are_apart_is_told_to_the_holder_who_is_warned_of_the_alphabet(
    values: list[str], declared: bool, order: str, spelled: bool, tmp_path: Path
) -> None:
    told: dict[str, Any] = {"role": "sensitive"}
    if declared:
        told["hierarchy"] = {"kind": "tree", "tree": {"less": values[:2], "more": values[2:]}}
    plan = kohort.Plan(
        columns={"age": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "pay": told},
        require=[{"model": "t-closeness", "t": 0.9, "column": "pay", "distance": "ordered"}],
    )
    frame = pa.table({"age": ["1", "2"] * 6, "pay": values * 4})
    release = kohort.anonymize(frame, plan)
    [verdict] = [verdict for verdict in release.verdicts if "closeness" in verdict.promise]
    assert f"pay in the order of its {order}" in verdict.note
    private = release.save(tmp_path / "out").with_name("out.private")
    assert f"pay in the order of its {order}" in (private / "report.html").read_text(encoding="utf-8")
    warned = [said for said in release.facts.warnings if "order of 'pay'" in said]
    assert bool(warned) is spelled
    public = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    nominal = spelled or values[0] == "no"
    for side in (
        public["sensitive"],
        release.facts.to_dict()["sensitive"],
        kohort.audit(frame, plan=plan)["sensitive"],
    ):
        assert ("ordered" in side["pay"]["t"]) is not nominal
