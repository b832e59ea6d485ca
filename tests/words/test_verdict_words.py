"""What is said of a promise beside its mark: whose figure it is, and who can judge it by what."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.words.recount import classes_of
from tests.words.releases import KINDS, Text, made

import kohort
from kohort.cli.verify import _show
from kohort.hierarchy import BUILDERS, build_hierarchy
from kohort.models import MODELS, Attribute, KAnonymity
from kohort.models.earth_mover import domain_order, told_order
from kohort.report import html
from kohort.third_parties import offered
from kohort.typed import Count
from kohort.verification.judges import Verdict
from kohort.verification.judges.definitions import Counted, Finding
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


def test_what_the_release_alone_shows_is_judged_in_public_and_recomputed() -> None:
    """Watched values and protected nodes are compared with nothing: whoever reads the table finds the same."""
    release = made("watched and protected")
    classes = classes_of(release.released, release.plan.quasi)
    watched = max((part["ill"] == value).mean() for part in classes for value in ("cold", "gout"))
    subtrees = min(part["ill"].nunique() for part in classes)  # gout is the only joint
    told = {verdict.promise: verdict for verdict in release.manifest.verdicts}
    for verdict, achieved in zip(
        (told[model.label] for model in release.plan.require), (watched, subtrees), strict=True
    ):
        assert (verdict.holds, verdict.note, verdict.in_itself) == (True, "", None)
        assert verdict.achieved == pytest.approx(achieved, rel=1e-5)
        assert f"{verdict.promise} – achieved" in release.public.text


def test_protected_labels_that_depend_on_the_values_are_left_to_the_holder(tmp_path: Path) -> None:
    """Who was left out may have had the longest code, by which masked labels are spelled."""
    code = {"role": "sensitive", "hierarchy": {"kind": "mask"}}
    plan = kohort.Plan(
        columns={"age": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "code": code},
        require=[{"model": "extended-p-sensitive", "p": 2, "column": "code", "protected": ["1*"]}],
    )
    frame = pa.table({"age": ["1", "2"] * 6, "code": ["10", "11", "20"] * 4})
    folder = kohort.anonymize(frame, plan).save(tmp_path / "out")
    public = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["verdicts"][0]
    assert (public["holds"], public["achieved"]) == (True, None)
    assert public["note"] == "checked by the holder against the original"


HIERARCHIES: dict[str, tuple[dict[str, Any], list[str | None]]] = {
    "suppress": ({}, ["9", "200", None, "10"]),
    "mask": ({}, ["9", "200", "10", None]),
    "intervals": ({"widths": [5]}, ["9", "200", "10"]),
    "dates": ({"levels": ["year"], "format": "%d.%m.%Y"}, ["09.01.2021", "10.01.2020", None, "01.05.2022"]),
    "bands": ({"ends": [[10, 50]]}, ["9", "200", "12"]),
    "prefix": ({"lengths": [1]}, ["9", "200", "10", None]),
    "icd10": ({}, ["J45", None, "I25.1", "I21"]),
    "ip": ({}, ["192.0.2.7", "10.0.0.1", None]),
    "tree": ({"tree": {"less": ["mid", "low"], "more": ["top"]}}, ["top", "low", "mid"]),
    "order": ({"values": ["top", "low", "mid"], "keep": [1]}, ["low", "mid", "top"]),
    "file": ({}, ["top", "low", "mid"]),
}


@pytest.mark.parametrize("kind", [*HIERARCHIES, "suppress texts", "none"])
def test_the_order_that_is_told_is_the_order_that_is_used(kind: str, tmp_path: Path) -> None:
    assert set(HIERARCHIES) == set(BUILDERS)
    options, values = HIERARCHIES.get(kind, ({}, ["top", "low", None, "mid"]))
    if kind == "file":
        (tmp_path / "levels.csv").write_text("top;*\nlow;*\nmid;*\n")
        options = {"path": str(tmp_path / "levels.csv")}
    spec = None if kind == "none" else {"kind": kind.split()[0], **options}
    built = None if spec is None else build_hierarchy("pay", spec, values, [1] * len(values))
    ground = None if built is None else built.encode(values, [1] * len(values))
    totals = np.ones(len(values), np.int64)
    attribute = Attribute("pay", tuple(values), totals, built, ground)
    used = [values[code] for code in domain_order(attribute)]
    said = told_order(attribute)
    by: dict[str, Callable[[str], Any]] = {
        "in the order of its texts, missing values last": str,
        "in the order of its numbers, missing values last": float,
        "in the order of its dates, missing values last": lambda text: tuple(reversed(text.split("."))),
    }
    if said in by:
        due = sorted((value for value in values if value is not None), key=by[said])
        assert used == [*due, *([None] if None in values else [])]
    else:
        assert said == "in the order of its declared hierarchy"
        assert kind in ("tree", "order", "file")
        assert built is not None
        assert used == [label for label in built.ground if label in values]


@dataclass(frozen=True)
class Watcher(KAnonymity):
    """A model of another package, which calls the column that it bounds by a name of its own."""

    k: Count = 2
    secret: str = ""
    card = replace(KAnonymity.card, name="watcher", counts="values")

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({self.secret})


def test_which_column_a_promise_bounds_is_asked_of_its_model(tmp_path: Path) -> None:
    with offered("kohort.models", Watcher):
        plan = kohort.Plan(
            columns={"age": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "ill": "sensitive", "pay": "sensitive",
                     "who": "identifier"},
            require=[{"model": "watcher", "secret": "ill"}],
            input={"respondent": "who"},
        )  # fmt: skip
        people = pa.table({"age": ["1", "2"] * 4, "ill": ["a", "b", "b", "a"] * 2, "pay": list("12345678"),
                           "who": list("abcdefgh")})  # fmt: skip
        folder = kohort.anonymize(people, plan).save(tmp_path / "out")
        text = Text((folder / "report.html").read_text(encoding="utf-8")).text
    assert f"ill: bounded by {plan.require[0].label}, which the holder checked in people" in text
    assert "pay: bounded by no promise" in text


class Judged(Watcher):
    """The same, which brings the definition a second time."""

    card = replace(Watcher.card, name="judged")

    def judge(self, counted: Counted) -> Finding:
        least = int(counted.people.min())
        return Finding(least >= self.k, float(least))


@pytest.mark.parametrize("respondent", [None, "who"])
@pytest.mark.parametrize("kind", [Watcher, Judged])
def test_everybody_is_told_where_only_the_model_of_the_search_judged_itself(
    kind: type[Watcher], respondent: str | None, tmp_path: Path
) -> None:
    told = "judged by the model itself, which the search used"
    with offered("kohort.models", kind):
        plan = kohort.Plan(
            columns={"age": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "ill": "sensitive", "who": "identifier"},
            require=[{"model": kind.card.name, "secret": "ill"}, {"model": "k-anonymity", "k": 2}],
            input={"respondent": respondent},
        )  # fmt: skip
        people = pa.table({"age": ["1", "2"] * 4, "ill": ["a", "b"] * 4, "who": list("abcdefgh")})
        release = kohort.anonymize(people, plan)
        folder = release.save(tmp_path / "out")
        text = Text((folder / "report.html").read_text(encoding="utf-8")).text
    public = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["verdicts"]
    itself = kind is Watcher
    assert (told in public[0].get("note", ""), told in text, told in release.verdicts[0].said) == (
        itself,
    ) * 3
    assert not any(told in verdict.get("note", "") for verdict in public[1:]), (
        "Kohort's own have their definitions"
    )


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


def test_a_promise_about_one_value_is_not_said_to_bound_the_column() -> None:
    """(α, k)-anonymity of one value leaves the others as they are: a class may be all of another."""
    table = pa.table({"town": list("aaabbb"), "ill": ["flu", "flu", "flu", "hiv", "cold", "cold"]})
    columns = {"town": {"role": "quasi", "hierarchy": {"kind": "suppress"}}, "ill": {"role": "sensitive"}}
    require = [{"model": "alpha-k", "alpha": 0.5, "k": 3, "column": "ill", "value": "hiv"}]
    release = kohort.anonymize(table, kohort.Plan.from_dict({"columns": columns, "require": require}))
    assert release.facts.sensitive["ill"].alpha == 1
    assert "promises are about ill" in html(release.facts)
    assert "bounded by a promise" not in html(release.facts)
