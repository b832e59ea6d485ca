"""Labels of a loose table are spelled as their meaning has it: what Kohort releases is, and whatever is respelled is found."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.contract.test_ends import SPECIAL

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.errors import InfeasibleError, InputError
from kohort.hierarchy import Hierarchy
from kohort.hierarchy.bounds import read_interval
from kohort.hierarchy.intervals import Intervals
from kohort.hierarchy.reading import covered
from kohort.hierarchy.spans import OR_MISSING, listed
from kohort.table import Table
from kohort.table.writing import write_table
from kohort.verification.judgement import Original
from kohort.verification.judges.label_forms import label_forms
from kohort.verification.judges.loose import SPELLED

SHORT = ("optimal", "k-optimize", "top-down", "mondrian", "levels-and-cells", "mdav")
APART = {"dp-mdav", "anatomy"}  # of these no table stands by itself, or nothing but numbers
NAMES = [name for name in ALGORITHMS if name not in APART]
SMALL = {"cells-exact": 10, "factor-2": 16, "factor-3": 16, "bottom-up": 24}
TREE = {"north": ["oslo", "bergen", "x, y"], "south": ["rome", "bari"], "isle": ["cork"]}
TOWNS = [town for towns in TREE.values() for town in towns]
BANDS = "".join(f"{age};({age // 10 * 10 - 1}, {age // 10 * 10 + 9}];*\n" for age in range(100))
# hierarchies by what they are of: numbers, dates and words, declared or not
KINDS: dict[str, dict[str, dict[str, Any]]] = {
    "age": {
        "declared": {"kind": "intervals", "widths": [5, 10, 20], "domain": [0, 99]},
        "open": {"kind": "intervals", "widths": [5, 10, 20], "low": 18, "high": 70},
        "widths": {"kind": "intervals", "widths": [10, 20]},
        "bands": {"kind": "bands", "ends": [[20, 30, 50, 70], [20, 50]]},
        "file": {"kind": "file", "path": "bands.csv"},
    },
    "pay": {
        "decimals": {"kind": "intervals", "widths": [10, 50], "decimals": 2},
        "told": {"kind": "intervals", "widths": [10, 50], "domain": [0, 200]},
    },
    "born": {"dates": {"kind": "dates", "levels": ["month", "year", "decade"]}},
    "town": {
        "tree": {"kind": "tree", "tree": TREE},
        "order": {"kind": "order", "values": TOWNS, "keep": [4, 2]},
        "mask": {"kind": "mask"},
        "suppress": {"kind": "suppress"},
    },
}
COLUMNS = ("age", "pay", "born", "town")
ALONE = {"univariate": ["pay"], "outliers": ["town"]}  # what these can do something with


def people(rows: int, rng: np.random.Generator, missing: bool) -> pa.Table:
    ages: list[Any] = [str(int(a)) for a in rng.integers(15, 95, rows)]
    towns: list[Any] = rng.choice(TOWNS, rows).tolist()
    if missing:
        ages[0] = ages[3] = towns[1] = None
    return pa.table(
        {
            "age": ages,
            "pay": [f"{p / 4:g}" for p in rng.integers(0, 600, rows)],
            "born": [f"{y}-{m:02d}-17" for y, m in rng.integers([1950, 1], [1999, 13], (rows, 2))],
            "town": towns,
            "ill": rng.choice(["flu", "cold", "gout"], rows).tolist(),
        }
    )


def plan_for(name: str, kinds: dict[str, dict[str, Any]], folder: Path, **told: Any) -> kohort.Plan:
    (folder / "bands.csv").write_text(BANDS, encoding="utf-8")
    columns: dict[str, Any] = {"ill": "sensitive"}
    for column, kind in kinds.items():
        placed = kind | ({"path": str(folder / "bands.csv")} if "path" in kind else {})
        columns[column] = {"role": "quasi", "hierarchy": placed} | told.get(column, {})
    recode = {"algorithm": name, "seed": 3, "max_suppression": 0.5} | told.get("recode", {})
    return kohort.Plan(
        columns=columns,
        require=[kohort.KAnonymity(2 if name == "factor-2" else 3)],
        recode=recode | SPECIAL.get(name, {}),
    )


Labels = dict[str, tuple[str | None, ...]]


def releases(
    names: Sequence[str], seeds: Sequence[int], folder: Path
) -> Iterator[tuple[str, Labels, tuple[Hierarchy, ...]]]:
    """Yield what algorithms release under hierarchies drawn at random, and the hierarchies of the original."""
    for name in names:
        for seed in seeds:
            rng = np.random.default_rng([seed, NAMES.index(name)])
            columns = ALONE.get(name) or rng.choice(COLUMNS, 2, replace=False).tolist()
            chosen = {
                column: list(KINDS[column].values())[rng.integers(len(KINDS[column]))] for column in columns
            }
            frame = people(SMALL.get(name, 60), rng, missing=bool(seed % 2)).select([*columns, "ill"])
            least = {column: {"min_level": 1} for column in columns if seed % 4 == 3}
            blank = {"suppressed_rows": "blank"} if seed % 5 == 2 else {}
            try:
                plan = plan_for(name, chosen, folder, recode=blank, **least)
                release = kohort.anonymize(frame, plan)
            except (InfeasibleError, InputError):
                continue  # what some cannot do is refused, and not asked here
            (table,) = release.tables.values()
            told = table.to_arrow()
            cells = {c: tuple(dict.fromkeys(Table.from_arrow(told)[c].texts)) for c in columns}
            yield f"{name} {seed} {chosen}", cells, Original.of(frame, plan).hierarchies


def honest(names: Sequence[str], seeds: Sequence[int], folder: Path) -> None:
    met = 0
    for told, labels, hierarchies in releases(names, seeds, folder):
        assert label_forms(labels, hierarchies).wrong == (), (told, labels)
        met += 1
    assert met >= len(names) * len(seeds) // 2


def test_what_kohort_releases_is_spelled_as_its_meaning_has_it(tmp_path: Path) -> None:
    honest(SHORT, range(3), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_what_any_algorithm_releases_is_spelled_as_its_meaning_has_it(name: str, tmp_path: Path) -> None:
    honest([name], range(40), tmp_path)


def respelled(text: str, hierarchy: Hierarchy) -> Iterator[tuple[str, str]]:
    """Yield other words for what a label means, by their kind."""
    suffix = OR_MISSING * text.endswith(OR_MISSING)
    base = text.removesuffix(OR_MISSING)
    codes = covered(hierarchy, text)
    assert codes is not None
    own = read_interval(base)
    if own is not None and own.low is not None and own.high is not None and hierarchy.days is None:
        brackets = base[0], base[-1]
        for kind, low in (
            ("zeros", f"{own.low}.0" if "." not in own.low else f"{own.low}0"),
            ("front zeros", f"0{own.low}"),
            ("an exponent", f"{own.low}e0"),
            ("a sign", f"+{own.low}"),
        ):
            yield kind, f"{brackets[0]}{low}, {own.high}{brackets[1]}{suffix}"
        if own.low_in and float(own.low).is_integer():
            yield "an open end", f"({int(own.low) - 1}, {own.high}{brackets[1]}{suffix}"
    if own is not None and hierarchy.days is not None:
        yield "a time of day", f"[{own.low}T00, {own.high}]{suffix}"
    if own is None and base.startswith("{"):
        items = [str(hierarchy.ground[c]) for c in codes if hierarchy.ground[c] is not None]
        first, others = json.dumps(items[0]), [json.dumps(i) if "," in i else i for i in items[1:]]
        plain = first if "," in items[0] else items[0]
        if first != plain:
            first = first.replace(",", "\\u002c")
        if others:
            yield "another order", "{" + ", ".join([*others, plain]) + "}" + suffix
        yield "twice", "{" + ", ".join([plain, plain, *others]) + "}" + suffix
        yield "quotes or escapes", "{" + ", ".join([first, *others]) + "}" + suffix
        escaped = '"' + "".join(f"\\u{ord(sign):04x}" for sign in items[0]) + '"'
        yield "escapes", "{" + ", ".join([escaped, *others]) + "}" + suffix
    if not text.endswith(OR_MISSING) and hierarchy.ground[-1] is not None and own is not None:
        yield "missing, which nobody is", text + OR_MISSING


def test_whatever_is_respelled_is_found(tmp_path: Path) -> None:
    kinds = set()
    for told, labels, hierarchies in releases(SHORT[:4], range(8), tmp_path):
        for hierarchy in hierarchies:
            own = labels[hierarchy.name]
            nodes = {label for level in hierarchy.levels for label in level.labels}
            for label in (label for label in own if label not in (None, "*")):
                for kind, other in respelled(str(label), hierarchy):
                    meant = [covered(hierarchy, text) for text in (label, other)]
                    assert np.array_equal(*meant) or kind == "an open end", (told, label, other)
                    kinds.add(kind)
                    some = (*own, other)  # of some rows
                    assert label_forms({hierarchy.name: some}, [hierarchy]).wrong, (told, some)
                    class_ = tuple(other if text == label else text for text in own)
                    begun = (read_interval(str(text)) for text in own if text != label)
                    alone = not any(
                        other is not None and other.low is not None and not other.open for other in begun
                    )
                    if kind != "an open end" or (not alone and label not in nodes):
                        assert label_forms({hierarchy.name: class_}, [hierarchy]).wrong, (told, class_)
    assert len(kinds) >= 10, kinds


@pytest.mark.parametrize("name", ["mdav", "v-mdav", "univariate"])
def test_nothing_but_numbers_and_labels_stands_where_averages_are_told(name: str, tmp_path: Path) -> None:
    """What an average is nobody can judge by its label; but it has no room for a word, nor for a second spelling."""
    found = 0
    for told, labels, hierarchies in releases([name], range(6), tmp_path):
        assert label_forms(labels, hierarchies).wrong == (), told
        for hierarchy in hierarchies:
            own = [label for label in labels[hierarchy.name] if label not in (None, "*")]
            for label in own[:2]:
                for other in (
                    "Maria Rossi +39 06 1234",
                    f"{label}e0",
                    f"{label} ",
                    f'"{label}"',
                    f"+{label}",
                    "nan",
                ):
                    some = (*labels[hierarchy.name], other)
                    class_ = tuple(other if text == label else text for text in labels[hierarchy.name])
                    for tried in (some, class_):
                        assert label_forms({hierarchy.name: tried}, [hierarchy]).wrong, (told, tried)
                    found += 1
    assert found > 20


# ---- tables that somebody wrote, judged as files ----

AGES = {"kind": "intervals", "widths": [10, 20], "domain": [0, 99]}
CITIES = {"kind": "tree", "tree": {"north": ["oslo", "bergen"], "south": ["rome", "bari"]}}
CODES = {"kind": "mask"}
Hands = dict[str, tuple[dict[str, Any], dict[str, list[str]], list[list[str]]]]
WHOLE = {"20s": [str(20 + i) for i in range(6)], "30s": [str(30 + i) for i in range(6)]}
WORDS = {"n": ["oslo", "bergen"] * 3, "s": ["rome", "bari"] * 3}
LENGTHS = {"a": ["94138", "94139", "94131"] * 2, "b": ["9414", "9414", "9414", "9414", "9414", "9414"]}
PAY = {"kind": "intervals", "widths": [500, 1000]}
PAYS = {"a": [f"{1000 + 70.25 * i}" for i in range(6)], "b": [f"{1500 + 70.25 * i}" for i in range(6)]}
DAYS = {"kind": "dates", "levels": ["month", "year", "decade"]}
BORN = {"j": [f"1962-01-1{i}" for i in range(6)], "f": [f"1962-02-1{i}" for i in range(6)]}
FINE: Hands = {
    "numbers": (
        AGES,
        WHOLE,
        [
            ["20-29", "30-39"], ["[20, 29]", "[30, 39]"], ["[20, 30)", "[30, 40)"], ["(19, 29]", "(29, 39]"],
            ["[20.0, 30.0)", "[30.0, 40.0)"], ["[20, 25]", "[30, 35]"], ["*", "30-39"], ["20-39", "20-39"], ["[20, 39]", "[20, 39]"],
        ],
    ),
    "words": (CITIES, WORDS, [["north", "south"], ["{oslo, bergen}", "{rome, bari}"], ["*", "south"]]),
    "codes": (CODES, LENGTHS, [["9413*", "9414*"], ["941**", "941**"]]),
    "pay": (PAY, PAYS, [["[1000, 1500)", "[1500, 2000)"], ["[1000.0, 1500.0)", "[1500.0, 2000.0)"], ["[1000, 2000)"] * 2]),
    "days": (DAYS, BORN, [["1962-01", "1962-02"], ["[1962-01-01, 1962-02-28]"] * 2, ["1962", "1962"]]),
}  # fmt: skip
WRONG: Hands = {
    "numbers": (
        AGES,
        WHOLE,
        [
            ["20-29", "[30, 39]"], ["20-29", "[30, 40)"], ["[20, 29]", "[30, 40)"], ["[20, 30)", "(29, 40)"],
            ["[20, 29]", "[30, 39.0]"], ["[20, 29]", "[3e1, 39]"], ["[20, 29]", "[+30, 39]"], ["[20, 29]", "[030, 39]"],
            ["[20, 29]", "[30, 39.5]"], ["[-5, 29]", "[30, 39]"], ["[20, 29.5]", "[30, 39.25]"], ["[20, 29] or missing", "[30, 39]"],
            ["[20, 29]", "{30, 31, 32, 33, 34, 35, 36, 37, 38, 39}"], ["20-29", "{30, 31, 32, 33, 34, 35}"],
            ["{20, 20, 21, 22, 23, 24, 25}"] * 2, ["{25, 20, 21, 22, 23, 24}"] * 2, ['{"\\u0032\\u0030", 21, 22, 23, 24, 25}'] * 2,
        ],
    ),
    "words": (
        CITIES,
        WORDS,
        [
            ["{bergen, oslo}", "{rome, bari}"], ["north", "{rome, bari}"], ['{"oslo", bergen}', "south"], ["{oslo, oslo, bergen}", "{rome, bari}"],
            ['{"\\u006fslo", bergen}', "{rome, bari}"], ["{oslo, bergen} or missing", "{rome, bari}"], ["*", "{oslo, bergen, rome, bari}"],
        ],
    ),
    "codes": (CODES, LENGTHS, [["9413*", "941*"], ["941**", "941*"], ["{94138, 94139}", "9414*"]]),
    "pay": (
        PAY,
        PAYS,
        [
            ["[1000, 1499.491555123417]", "[1500, 1999.390612345678]"], ["[1000, 1499.987)", "[1500, 2000)"], ["[999, 1500)", "[1500, 2000)"],
            ["[1000, 1501)", "[1500, 2000)"],
        ],
    ),
    "days": (DAYS, BORN, [["[1961-11-17, 1962-01-31]", "[1962-02-01, 1962-05-23]"], ["[1962-01-01, 1962-02-17]", "1962-02"]]),
}  # fmt: skip


def written(path: Path, cells: Sequence[str]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = ([cell, "ab"[i % 2]] for i, cell in enumerate(cells))
        csv.writer(file, lineterminator="\n").writerows([["q", "s"], *rows])
    return path


def spelled(folder: Path, hand: str, hands: Hands, told: list[str], engine: str = "memory") -> bool | None:
    kind, held, _ = hands[hand]
    plan = kohort.Plan(
        columns={"q": {"role": "quasi", "hierarchy": kind}, "s": "sensitive"},  # type: ignore[arg-type]
        require=[kohort.KAnonymity(3)],
        recode={"max_suppression": 0.5},
    )
    original = written(folder / "o.csv", [value for values in held.values() for value in values])
    released = written(
        folder / "t.csv",
        [label for label, n in zip(told, map(len, held.values()), strict=True) for _ in range(n)],
    )
    verdicts = kohort.verify(released, plan, original, engine=engine)
    return {verdict.promise: verdict.holds for verdict in verdicts}[SPELLED]


@pytest.mark.parametrize("hand", FINE)
def test_a_column_in_one_form_is_spelled_in_one_way(hand: str, tmp_path: Path) -> None:
    for told in FINE[hand][2]:
        assert spelled(tmp_path, hand, FINE, told) is True, told


@pytest.mark.parametrize("hand", WRONG)
def test_a_class_in_words_of_its_own_is_found(hand: str, tmp_path: Path) -> None:
    for told in WRONG[hand][2]:
        assert spelled(tmp_path, hand, WRONG, told) is False, told


@pytest.mark.parametrize("hand", WRONG)
def test_engines_find_it_alike(hand: str, tmp_path: Path) -> None:
    assert spelled(tmp_path, hand, FINE, FINE[hand][2][0], "duckdb") is True
    assert spelled(tmp_path, hand, WRONG, WRONG[hand][2][0], "duckdb") is False


@pytest.mark.parametrize("hand", WRONG)
def test_frames_are_judged_by_their_labels_too(hand: str) -> None:
    """Of a frame nothing was said: `30-39` beside `[30, 40)` passed with all that was promised."""
    for told, found in ((FINE[hand][2][0], None), (WRONG[hand][2][0], False)):
        kind, held, _ = WRONG[hand]
        columns = {"q": {"role": "quasi", "hierarchy": kind}, "s": "sensitive"}
        plan = {"columns": columns, "require": [kohort.KAnonymity(3)], "recode": {"max_suppression": 0.5}}
        cells = [label for label, values in zip(told, held.values(), strict=True) for _ in values]
        values = [value for group in held.values() for value in group]
        released, original = (
            pa.table({"q": texts, "s": ["ab"[i % 2] for i in range(len(texts))]}) for texts in (cells, values)
        )
        for frame in (released, released.to_pandas()):
            verdicts = {v.promise: v for v in kohort.verify(frame, plan, original)}
            assert verdicts[SPELLED].holds is found, told
            assert found is False or "not judged" in verdicts[SPELLED].note


def test_without_the_original_it_is_not_said_of_intervals_and_sets(tmp_path: Path) -> None:
    plan = {
        "columns": {"q": {"role": "quasi", "hierarchy": AGES}, "s": "sensitive"},
        "require": [kohort.KAnonymity(3)],
    }
    for cells, holds in ((["20-29"] * 6, True), (["[20, 29]"] * 6, None), (["{20, 21}"] * 6, None)):
        verdicts = kohort.verify(written(tmp_path / "t.csv", cells), plan)
        assert {verdict.promise: verdict.holds for verdict in verdicts}[SPELLED] is holds


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_labels_that_are_not_there_have_no_spelling(engine: str, tmp_path: Path) -> None:
    pyarrow.parquet.write_table(pa.table({"s": ["a", "b", "c"]}), tmp_path / "t.parquet")
    plan = {
        "columns": {"q": {"role": "quasi", "hierarchy": AGES}, "s": "sensitive"},
        "require": [kohort.KAnonymity(3)],
    }
    verdicts = kohort.verify(tmp_path / "t.parquet", plan, engine=engine)
    assert [verdict.holds for verdict in verdicts] == [False, True, None]


def test_a_loose_copy_of_a_release_passes(tmp_path: Path) -> None:
    frame = people(60, np.random.default_rng(1), missing=True)
    write_table(Table.from_arrow(frame), tmp_path / "o.csv")
    kinds = {"age": KINDS["age"]["declared"], "town": KINDS["town"]["tree"], "born": KINDS["born"]["dates"]}
    columns = plan_for("k-optimize", kinds, tmp_path).to_dict()["columns"] | {"pay": "identifier"}
    for name in ("k-optimize", "mondrian"):
        plan = kohort.Plan.of(plan_for(name, kinds, tmp_path).to_dict() | {"columns": columns})
        (table,) = kohort.anonymize(tmp_path / "o.csv", plan).tables.values()
        write_table(table, tmp_path / "t.csv")
        verdicts = kohort.verify(tmp_path / "t.csv", plan, tmp_path / "o.csv")
        assert {verdict.holds for verdict in verdicts} == {True}


def test_sets_are_listed_as_labels_list_them() -> None:
    rows = [(town, north, "*") for north, towns in TREE.items() for town in towns]
    tree = Hierarchy.from_rows("town", rows)
    told = listed(tree, np.array([0, 2]))
    assert label_forms({"town": (told, "rome")}, [tree]).wrong == ()
    assert label_forms({"town": (told.replace('"x, y"', '"x\\u002c y"'), "rome")}, [tree]).wrong == ("town",)


def test_values_and_open_ends_have_no_second_name() -> None:
    values = [str(age) for age in (20, 30, 95)]
    ages = Intervals([10], domain=[0, 99]).build("q", values, [1] * 3)
    coded = Intervals([10], high=90).build("q", values, [1] * 3)
    for hierarchy, fine, wrong in (
        (ages, ("20", "30"), ("20", "[30, 30]")),
        (ages, ("20", "30"), ("20", "{30}")),
        (coded, ("20", ">=90"), ("20-29", "{>=90}")),
    ):
        assert label_forms({"q": fine}, [hierarchy]).wrong == ()
        assert label_forms({"q": wrong}, [hierarchy]).wrong == ("q",)


def test_labels_that_a_conversion_left_escaped_are_told_as_such(tmp_path: Path) -> None:
    original = tmp_path / "original.csv"
    original.write_text("age\n" + "-3\n-4\n12\n14\n" * 3)
    plan = {
        "columns": {"age": {"role": "quasi", "hierarchy": {"kind": "intervals", "widths": [5]}}},
        "require": [{"model": "k-anonymity", "k": 6}],
        "output": {"ledger": ""},
    }
    for label, told in (("'-5 to -1", "apostrophe"), ("'10-14", "labels whose spelling"), ("-5 to -1", "")):
        table = tmp_path / "table.parquet"
        pyarrow.parquet.write_table(pa.table({"age": [label] * 6 + ["10-14"] * 6}), table)
        note = next(v.note for v in kohort.verify(table, plan, original) if v.promise == SPELLED)
        assert (told in note) if told else not note
