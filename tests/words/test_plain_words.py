"""The first screen says every promise in a sentence that is so, and who can check what."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.contract.test_across import ACROSS
from tests.words.releases import KINDS, NUMBER, Made, Text, made

from kohort.hierarchy import BUILDERS
from kohort.models import MODELS, PrivacyModel, guarantee_of
from kohort.models.plain_words import Counted, plainly, power_of_e

EXAMPLES: dict[str, PrivacyModel] = {
    "k-anonymity": MODELS["k-anonymity"](k=7),
    "k-map": MODELS["k-map"](k=7),
    "average-risk": MODELS["average-risk"](risk=0.07),
} | {
    name: MODELS[asked["model"]](**{key: value for key, value in asked.items() if key != "model"})
    for name, asked in ACROSS.items()
}


def numbers(model: PrivacyModel) -> list[float]:
    """Return the numbers that a promise is asked with; a crowd of one is none."""
    told = [
        getattr(model, name)
        for name in ("k", "l", "p", "t", "c", "alpha", "beta", "delta", "risk", "breach")
        if hasattr(model, name)
    ]
    return [float(number) for number in told if number is not None and number != 1]


def spelled(number: float, said: str) -> bool:
    """Tell whether a sentence has a number: as it is, in per cent, one greater as a factor, or as a power of e."""
    forms = {f"{number:g}", f"{100 * number:g}", f"{1 + number:g}"}
    return bool(forms & set(re.findall(r"\d+(?:\.\d+)?", said))) or "times, and more than 1/" in said


def test_every_model_is_looked_at() -> None:
    assert {model.card.name for model in EXAMPLES.values()} == set(MODELS)


@pytest.mark.parametrize("counted", ["people", "rows"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_model_says_its_promise_plainly_with_its_numbers(name: str, counted: Counted) -> None:
    model = EXAMPLES[name]
    said = plainly(model, "class", counted)
    assert said != guarantee_of(model)
    assert all(spelled(number, said) for number in numbers(model)), said
    assert not re.search(r"\b(k|l|t|p|alpha|beta|delta|breach|quasi|respondent|tuple)\b", said), said
    assert "class" not in plainly(model, "group", counted)
    assert all(column in said for column in model.reads - getattr(model, "guards", frozenset()))


@pytest.mark.parametrize(("delta", "told"), [(0.5, "1.65"), (7, "1100"), (7.5, "e^7.5")])
def test_a_power_of_e_is_rounded_up_and_a_great_one_stays_a_power(delta: float, told: str) -> None:
    assert power_of_e(delta) == told
    assert f" {told} times" in plainly(MODELS["delta-disclosure"](delta=delta, column="ill"), "class")


PEOPLE = r"\b(people|person|persons|everybody|somebody|whom|theirs?)\b"


@pytest.mark.parametrize("name", EXAMPLES)
def test_rows_are_not_called_people_and_people_not_rows(name: str) -> None:
    """Where no respondent is named, nobody knows how many people the rows are."""
    model = EXAMPLES[name]
    rows, people = plainly(model, "class", "rows"), plainly(model, "class", "people")
    assert not re.search(PEOPLE, rows), rows
    assert not re.search(r"\brows?\b", people.removeprefix("every released row fits")), people
    if name not in ("ordered", "hierarchical"):  # which speak of values alone
        assert "row" in rows
        assert re.search(PEOPLE, people), people


class Foreign:
    """A model of a package that knows of classes only."""

    card = MODELS["k-anonymity"].card

    def plainly(self, crowd: str) -> str:
        return f"every {crowd} is fine"


def test_what_a_package_takes_for_people_is_added() -> None:
    model: Any = Foreign()
    assert plainly(model, "class") == "every class is fine"
    assert plainly(model, "class", "rows") == "every class is fine; every row is taken for one person"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("side", ["public", "private"])
def test_pages_say_people_of_promises_only_where_people_were_counted(kind: str, side: str) -> None:
    release = made(kind)
    several = KINDS[kind].several
    for promise in release.facts.promises:
        assert promise.guarantee.endswith("every row is taken for one person") is not several
        assert several or not re.search(PEOPLE, promise.plain), promise.plain
    if kind != "anatomy":
        whose = "people" if several else "rows"
        assert f"its {whose} cannot be told apart" in getattr(release, side).text


def first_screen(page: Text) -> str:
    """Return what stands above the first figure."""
    return page.text[: page.text.index("rows released")]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("side", ["public", "private"])
def test_every_promise_stands_plainly_on_the_first_screen(kind: str, side: str) -> None:
    release = made(kind)
    seen = first_screen(getattr(release, side))
    for promise, model in zip(release.facts.promises, release.plan.require, strict=True):
        counted: Counted = "people" if KINDS[kind].several else "rows"
        assert promise.plain.startswith(plainly(model, "group" if kind == "anatomy" else "class", counted))
        assert f"{promise.promise}: {promise.plain}." in seen
    assert all(name in seen for name in release.plan.quasi)
    assert ("Every row is taken for one person" in seen) is not KINDS[kind].several


@pytest.mark.parametrize(
    "kind", [kind for kind, told in KINDS.items() if told.require[0]["model"] == "k-anonymity"]
)
def test_everybody_shares_a_class_with_as_many_as_is_said(kind: str) -> None:
    release = made(kind)
    said = re.search(
        r"at least (\d+) (?:people, so everybody shares theirs|rows, so every row shares its own) with at least (\d+) other",
        release.public.text,
    )
    assert said is not None
    crowds = people_of_classes(release)
    assert min(map(len, crowds)) >= int(said[1]) == int(said[2]) + 1


def people_of_classes(release: Made) -> list[set[object]]:
    """Return the people of each class, counted anew."""
    shown = release.shown
    who = shown.get(NUMBER, shown.index)
    if KINDS[release.kind].several:  # the respondent is not released: by the number of the row
        who = release.original["who"].loc[[int(number) for number in who]]
    rows = zip(map(tuple, shown[list(release.plan.quasi)].astype(str).to_numpy()), who, strict=True)
    found: dict[tuple[str, ...], set[object]] = {}
    for place, one in rows:
        found.setdefault(place, set()).add(one)
    return list(found.values())


@pytest.mark.parametrize("kind", KINDS)
def test_the_public_badge_says_how_much_is_the_holders_word(kind: str) -> None:
    release = made(kind)
    told = [verdict for verdict in release.manifest.verdicts if "the holder" in verdict.note]
    every = len(release.manifest.verdicts)
    if told:
        assert (
            f"{len(told)} of {every} checks {'is' if len(told) == 1 else 'are'} the holder's word, {every - len(told)} anyone"
            in release.public.text
        )
    else:
        assert "Kept, as whoever has the files can check" in release.public.text
    assert "verified on the files as written" not in release.public.text
    assert "verified on the files as written" in release.private.text


@pytest.mark.parametrize("kind", KINDS)
def test_pages_have_no_marks_of_terminals_and_plans(kind: str) -> None:
    for page in (made(kind).public, made(kind).private):
        assert "`" not in page.text
    assert "[[require]]" not in made(kind).public.text.split("How to check it")[0]


@pytest.mark.parametrize("kind", [name for name in KINDS if name != "anatomy" and "mdav" not in name])
def test_how_columns_are_told_is_said_in_words_and_not_by_the_names_of_kinds(kind: str) -> None:
    rows = made(kind).public.table("column", "role", "released", "values that occur", "the most frequent")
    for row in rows:
        assert not set(re.findall(r"\w+", row[2].partition(":")[2])) & (
            set(BUILDERS) - {"order", "dates", "bands"}
        )


def test_every_kind_of_hierarchy_says_how_columns_are_told() -> None:
    assert all(kind.card.told for kind in BUILDERS.values())
