"""[context]: said by the holder, private unless it is named in `public`, and refused where it says nothing."""

from __future__ import annotations

import json
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
from tests.reference.json_schema import faults
from tests.words.releases import Text, plan_of, table_of

import kohort
from kohort.evidence import public_plan

SAID = {
    "recipient": "Institute Quux",
    "purpose": "a study of Wolpertingers",
    "legal_basis": "Article Xanthippe",
    "dpia": "register 4711",
    "reviewer": "Dr. Ockham",
    "date": "2026-11-15",
}
SUBSETS = list(chain.from_iterable(combinations(SAID, size) for size in (0, 1, 2, 6)))


def plan(context: dict[str, Any]) -> kohort.Plan:
    told = plan_of("levels", Path()).to_dict()
    return kohort.Plan.from_dict(told | {"context": context})


@pytest.mark.parametrize("public", SUBSETS)
def test_nothing_of_it_is_public_but_what_is_named(public: tuple[str, ...]) -> None:
    asked = plan({**SAID, "public": list(public)})
    told = public_plan(asked)
    spelled = json.dumps(told)
    assert all((words in spelled) == (name in public) for name, words in SAID.items())
    again = kohort.Plan.from_dict(json.loads(spelled))
    assert json.dumps(public_plan(again)) == spelled


def test_both_reports_and_the_manifest_say_what_they_may(tmp_path: Path) -> None:
    asked = plan({**SAID, "public": ["recipient", "purpose"]})
    out = kohort.anonymize(table_of("levels", 0), asked).save(tmp_path / "out")
    public = Text((out / "report.html").read_text(encoding="utf-8"))
    private = Text((tmp_path / "out.private" / "report.html").read_text(encoding="utf-8"))
    manifest = (out / "manifest.json").read_text(encoding="utf-8")
    for name, words in SAID.items():
        assert words in private.text
        for text in (public.text, manifest):
            assert (words in text) == (name in ("recipient", "purpose"))
    assert all(kohort_verdict.holds for kohort_verdict in kohort.verify(out))


def test_what_is_not_said_is_told_to_be_so_in_private_only(tmp_path: Path) -> None:
    out = kohort.anonymize(table_of("levels", 0), plan({})).save(tmp_path / "out")
    assert "Kohort cannot check it" not in (out / "report.html").read_text(encoding="utf-8")
    private = Text((tmp_path / "out.private" / "report.html").read_text(encoding="utf-8"))
    assert private.row("Legal basis") == ["not said in the plan"]


@pytest.mark.parametrize(
    ("context", "message"),
    [
        ({"recipient": " "}, r"\[context\] recipient: it is blank; say it, or leave it out"),
        ({"purpose": "a", "public": ["reviewer"]}, r"public: it names 'reviewer', which \[context\] does not say; it says: purpose"),
        ({"date": "tomorrow"}, r"\[context\]: date: "),
        ({"reciever": "x"}, r"there is no key `reciever`; it takes: recipient, purpose, legal_basis, dpia, reviewer, date, public"),
        ({"recipient": 3}, r"\[context\]: recipient: "),
    ],
)  # fmt: skip
def test_it_is_refused_where_it_says_nothing(context: dict[str, Any], message: str) -> None:
    with pytest.raises(kohort.InputError, match=message):
        plan(context)


@pytest.mark.parametrize("public", SUBSETS)
def test_the_schema_of_a_plan_knows_it(public: tuple[str, ...]) -> None:
    told = json.loads(json.dumps(plan({**SAID, "public": list(public)}).to_dict()))
    assert not list(faults(kohort.schema("plan"), told))
    assert list(faults(kohort.schema("plan"), told | {"context": {"reciever": "x"}}))


def test_a_date_of_toml_is_one(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        '[columns]\nage = "quasi"\n[[require]]\nmodel = "k-anonymity"\nk = 2\n[context]\ndate = 2026-11-15\n',
        encoding="utf-8",
    )
    assert kohort.Plan.load(path).to_dict()["context"] == {"date": "2026-11-15"}
