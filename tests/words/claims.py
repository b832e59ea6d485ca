"""What the reports and the terminal say in figures, said again by code of the tests' own.

A claim is a sentence, or a row of a table, that must stand on a page word for word. Each function makes the claims of some
templates of the product (`report/flow.py:_rows`), which `@claims` names; `test_every_figure.py` demands that no template
with a figure goes unnamed. Where a figure cannot be had without Kohort's own code, nothing is claimed here, and
`ELSEWHERE` says which test looks at it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Literal

import pandas as pd
from tests.words.recount import (
    classes_of,
    correlation,
    covered,
    detail_lost,
    distance,
    geometric,
    num,
    of,
    pct,
    shares,
    sizes_on_a_grid,
    stands_for,
)
from tests.words.releases import GENERALIZED, IN_CLASSES, KINDS, Made

Place = Literal["public", "private", "terminal"]
GLOBAL = [
    "levels",
    "levels without suppression",
    "levels, rows blank",
    "datafly",
    "average risk",
    "beta and delta",
    "k-map",
]


@dataclass(frozen=True)
class Claim:
    """Something that must be said somewhere."""

    where: Place
    said: str

    @property
    def figures(self) -> int:
        """How many figures it holds."""
        return len(re.findall(r"\d[\d,.]*|∞", self.said)) or 1

    def stands(self, made: Made) -> bool:
        """Tell whether it is said."""
        text = " ".join(made.terminal.split()) if self.where == "terminal" else getattr(made, self.where).text
        return " ".join(self.said.split()) in text


@dataclass(frozen=True)
class Claims:
    """What a function claims, of which templates, and of which kinds of releases."""

    sites: tuple[str, ...]
    kinds: tuple[str, ...]
    of: Callable[[Made], Iterator[Claim]]


CLAIMS: dict[str, Claims] = {}


def claims(
    *sites: str, kinds: list[str] | None = None
) -> Callable[[Callable[[Made], Iterator[Claim]]], Callable[[Made], Iterator[Claim]]]:
    def enter(function: Callable[[Made], Iterator[Claim]]) -> Callable[[Made], Iterator[Claim]]:
        CLAIMS[function.__name__] = Claims(sites, tuple(kinds if kinds is not None else KINDS), function)
        return function

    return enter


def private(said: str) -> Claim:
    return Claim("private", said)


def public(said: str) -> Claim:
    return Claim("public", said)


def terminal(said: str) -> Claim:
    return Claim("terminal", said)


# --- rows and who was left out -------------------------------------------------------------------------------


@claims(
    "report/release_page.py:release_page",
    "report/release_page.py:_blank",
    "report/release_page.py:_figures",
    "report/flow.py:_rows",
    "report/compliance.py:compliance",
    "report/left_out.py:left_out",
    "tables/outcome.py:_rows",
)
def rows_and_suppressed(made: Made) -> Iterator[Claim]:
    n, kept, gone = len(made.original), len(made.kept), len(made.left_out)
    blank = made.plan.recode.suppressed_rows == "blank" and gone
    more = f", and {gone:,} more with * in every quasi-identifier" if blank else ""
    yield private(f"{kept:,} of {n:,} rows are released{more}, in ")
    yield private(f"{gone:,} suppressed of {n:,}: {pct(gone, n)}")
    yield private(f"{kept:,} {'row' if kept == 1 else 'rows'} released")
    yield private(f"Records suppressed {of(gone, n)}")
    yield private(f"Data utility {of(kept, n, 'rows')} released; detail lost:")
    if gone:
        yield private(f"{gone:,} {'row' if gone == 1 else 'rows'} suppressed {pct(gone, n)} of {n:,}")
        yield private(f"{of(gone, n, 'rows')} were left out.")
    else:
        yield private(f"Nobody: all {n:,} rows of the original are released.")
    yield terminal(f"{kept:,} of {n:,} rows released in ")
    yield terminal(
        f"; {gone:,} suppressed ({gone / n:.1%})" + (", with * in every quasi-identifier" if blank else "")
    )


@claims("report/left_out.py:_people")
def people_left_out(made: Made) -> Iterator[Claim]:
    if "who" in made.original and len(made.left_out):
        everybody, kept = set(made.original["who"]), set(made.kept["who"])
        yield private(f"{of(len(everybody - kept), len(everybody), 'people')} have no row in the release.")


@claims(
    "report/left_out.py:_rows",
    "report/left_out.py:_figures",
    "report/left_out.py:_lost",
    "report/left_out.py:hardest_hit",
)
def left_out_by_group(made: Made) -> Iterator[Claim]:
    """The groups as the page names them, counted anew; that none of k rows or more is missing; the extremes."""
    if not len(made.left_out):
        return
    k, worst = made.facts.k, (0.0, "")
    vanished = "in blank rows only" if made.plan.recode.suppressed_rows == "blank" else "vanished"
    for column in [*made.plan.quasi, *made.plan.sensitive]:
        told = [
            row
            for row in made.private.table("column", "group", "left out", "of its rows", "share")
            if row[0] == column
        ]
        labels = [row[1].removesuffix(f" ({vanished})") for row in told if "to be named" not in row[1]]
        counted = {label: _group(made, column, label) for label in labels}
        for label, (before, gone) in counted.items():
            name = f"{label} ({vanished})" if before == gone else label
            yield private(f"{column} {name} {gone:,} {before:,} {pct(gone, before)}")
        named = [
            value for value in made.original[column] if any(_under(label, value, column) for label in labels)
        ]
        left_out = [
            value for value in made.left_out[column] if any(_under(label, value, column) for label in labels)
        ]
        rest, rest_gone = len(made.original) - len(named), len(made.left_out) - len(left_out)
        if rest:
            yield private(f"{rest_gone:,} {rest:,} {pct(rest_gone, rest)}")
        by_share = sorted(counted.items(), key=lambda one: (-Fraction(one[1][1], one[1][0]), -one[1][0]))
        assert all(before >= k for before, _ in counted.values())
        if by_share:
            (_, a), (_, b) = by_share[0], by_share[-1]
            if Fraction(a[1], a[0]) != Fraction(b[1], b[0]) and len(by_share) <= 12:
                some = (
                    " of the groups that can be named" if "too small to be named" in made.private.text else ""
                )
                rows = made.private.table("not everybody alike: by", f"lost most{some}", f"lost least{some}")
                (row,) = [row for row in rows if row[0] == column]
                assert row[1].endswith(f": {of(a[1], a[0])}")
                assert row[2].endswith(f": {of(b[1], b[0])}")
                yield private(f": {of(a[1], a[0])}")
                yield private(f": {of(b[1], b[0])}")
            if a[1] / a[0] > worst[0]:
                worst = (a[1] / a[0], f"lost {of(a[1], a[0], 'rows')}; the private report tells which")
    if worst[0] > len(made.left_out) / len(made.original):
        yield terminal(worst[1])


def _under(label: str, value: str | None, column: str) -> bool:
    return value is None if label == "missing" else value is not None and stands_for(label, value, column)


def _group(made: Made, column: str, label: str) -> tuple[int, int]:
    return tuple(
        sum(_under(label, value, column) for value in frame[column])
        for frame in (made.original, made.left_out)
    )  # type: ignore[return-value]


@claims("report/left_out.py:may_be_left_out")
def what_the_plan_allows(made: Made) -> Iterator[Claim]:
    limit = made.plan.recode.max_suppression
    if not limit:
        yield public("Nobody: the plan allows no row to be left out.")
    elif not made.facts.algorithm.leaves_out:
        yield public(f"Nobody: {made.facts.algorithm.name} as the plan asks for it leaves no row out.")
    else:
        yield public(
            f"The plan allows up to {pct(Fraction(limit).limit_denominator(1000))} of the rows of the original"
        )


# --- classes -------------------------------------------------------------------------------------------------


@claims(
    "report/classes.py:class_sizes",
    "report/classes.py:_sizes",
    "report/public_page.py:public_page",
    "report/public_page.py:_figures",
)
def sizes_of_classes(made: Made) -> Iterator[Claim]:
    quasi = made.plan.quasi
    yield public(f"{len(made.released):,} rows are released, in ")
    yield public(f"{len(made.released):,} rows released in the table")
    if made.kind == "anatomy":
        return
    for place in ("public", "private"):  # blank rows are in the table on both pages
        found = classes_of(made.released, quasi)
        rows = [len(part) for part in found]
        people = (
            [made.original.loc[part["number"].astype(int)]["who"].nunique() for part in found]
            if KINDS[made.kind].several and place == "private"
            else rows
        )
        several = KINDS[made.kind].several
        whom = ("people" if place == "private" else "rows") if several else "records"
        unit = "rows" if several else "records"
        yield Claim(place, f"Of {sum(rows):,} {unit}, by the size of their class in {whom}")  # type: ignore[arg-type]
        assert getattr(made, place).table(f"class size in {whom}", "classes", unit)
        for name, classes, records in sizes_on_a_grid(people, rows):
            yield Claim(place, f"{name} {classes} {records}")  # type: ignore[arg-type]
            yield Claim(place, pct(int(records.replace(",", "")), sum(rows)))  # type: ignore[arg-type]
        yield Claim(place, f"in {len(found):,} classes")  # type: ignore[arg-type]
    blank = " (with the blank ones)" if len(made.shown) < len(made.released) else ""
    yield terminal(f"rows released in {len(classes_of(made.released, quasi)):,} classes{blank};")


@claims(kinds=IN_CLASSES)
def combinations_of_one(made: Made) -> Iterator[Claim]:
    """Where some stand alone, how many; else how many at least stand together."""
    for place in ("public", "private"):
        found = classes_of(made.released, made.plan.quasi)
        people = KINDS[made.kind].several and place == "private"
        whose = made.original["who"] if people else made.original["age"].index.to_series()
        sizes = [
            whose.loc[part["number"].astype(int)].nunique() if "number" in part else len(part)
            for part in found
        ]
        unit = (
            ("people", "person")
            if people
            else (("rows", "row") if KINDS[made.kind].several else ("records", "record"))
        )
        said = f"combinations of released quasi-identifiers point at a single {unit[1]};"
        yield Claim(  # type: ignore[arg-type]
            place,
            f"{sizes.count(1):,} of {len(sizes):,} {said}"
            if 1 in sizes
            else f"no combination of released quasi-identifiers points at fewer than {min(sizes):,} {unit[0]};",
        )


def _fits(label: str | None, value: str, column: str) -> bool:
    return label == "*" or _under("missing" if label is None else label, value or None, column)


@claims("report/promised.py:journalist_rows", kinds=["k-map"])
def journalist(made: Made) -> Iterator[Claim]:
    """The rows of the population that fit the released combination which fewest fit."""
    read = pd.read_csv(made.folder.parent / "population.csv", dtype=str, keep_default_na=False)
    population = read.to_dict("records")  # "" is missing
    quasi = made.plan.quasi
    fitting = [
        sum(all(_fits(part.iloc[0][name], person[name], name) for name in quasi) for person in population)
        for part in classes_of(made.released, quasi)
    ]
    (row,) = [row for rows in made.private.tables for row in rows if row and row[0].endswith("(journalist)")]
    told, exact = Fraction(row[1].removesuffix(" %")), Fraction(100, min(fitting))
    assert exact <= told < exact * Fraction(101, 100)
    yield private(f"(journalist) {row[1]} –")
    for place in ("public", "private"):
        yield Claim(place, "of which 4 or more fit every record by 4-map")  # type: ignore[arg-type]


@claims("report/words.py:verdict_line", kinds=GENERALIZED)
def achieved_k_and_l(made: Made) -> Iterator[Claim]:
    if KINDS[made.kind].several:
        return
    sizes = [len(part) for part in classes_of(made.released, made.plan.quasi)]
    values = [part["ill"].nunique(dropna=False) for part in classes_of(made.released, made.plan.quasi)]
    for model in KINDS[made.kind].require:
        if model["model"] == "k-anonymity":
            for place in ("public", "private"):
                yield Claim(place, f"{model['k']}-anonymity – achieved {min(sizes)}")  # type: ignore[arg-type]
            yield terminal(f"{model['k']}-anonymity (achieved {min(sizes)})")
        if model["model"] == "l-diversity":
            yield private(f"distinct {model['l']}-diversity of ill – achieved {min(values)}")


@claims("report/classes.py:_risks", "report/classes.py:_risk_table", kinds=GLOBAL)
def people_at_risk(made: Made) -> Iterator[Claim]:
    """One row is one person here, and every column is recoded as a whole: the risk is one over the size of the class."""
    for place, page in (("public", made.public), ("private", made.private)):  # blank rows can be picked too
        sizes = [len(part) for part in classes_of(made.released, made.plan.quasi)]
        n = sum(sizes)
        yield Claim(place, f"Of {n:,} records, with a risk of being picked out")  # type: ignore[arg-type]
        told = page.table("risk of being picked out", "records", f"share of {n:,}")
        above = [sum(size for size in sizes if size < limit) for limit in (20, 11, 5, 3, 2)]
        assert [row[1:] for row in told] == [[f"{people:,}", pct(people, n)] for people in above]
        for people in above:
            yield Claim(place, f"{people:,} {pct(people, n)}")  # type: ignore[arg-type]


# --- values --------------------------------------------------------------------------------------------------


@claims(
    "report/released_values.py:distributions",
    "report/released_values.py:_picture",
    "report/released_values.py:_caption",
    kinds=IN_CLASSES,
)
def released_values(made: Made) -> Iterator[Claim]:
    n = len(made.released)
    if any(column.shown for column in made.manifest.columns):
        yield public(f"Shares of the {n:,} released rows.")
    for column in made.plan.quasi:
        counts = Counter("missing" if value is None else value for value in made.released[column])
        told = [row for row in _table(made, "column", "value", "rows", "share") if row[0] == column]
        named = [row[1] for row in told if row[1] != "others"]
        for label in named:
            yield public(f"{column} {label} {counts[label]:,} {pct(counts[label], n)}")
        others = n - sum(counts[label] for label in named)
        if named and others:
            yield public(f"{column} others {others:,} {pct(others, n)}")
        if named and len(named) < len(counts):
            yield public(f"{column}: {len(named)} of {len(counts):,} values")


def _table(made: Made, *head: str) -> list[list[str]]:
    return next((rows[1:] for rows in made.public.tables if rows and tuple(rows[0]) == head), [])


@claims("report/released_values.py:released_columns", kinds=IN_CLASSES)
def distinct_values(made: Made) -> Iterator[Claim]:
    rows = {
        row[0]: row
        for row in made.public.table("column", "role", "released", "values that occur", "the most frequent")
    }
    for column in [*made.plan.quasi, *made.plan.sensitive]:
        distinct = made.released[column].nunique(dropna=False)
        assert rows[column][3] == f"{distinct:,}"
        yield public(f"{distinct:,}")
    for column in made.plan.quasi:
        assert rows[column][4] == _most_frequent(made.released[column], made.facts.k)


def _most_frequent(column: pd.Series, k: int) -> str:
    """The value that most rows hold, missing ones apart, if k do; of equal ones the first as people sort."""
    counts = column.dropna().value_counts()
    most = sorted((str(value) for value in counts[counts == counts.max()].index), key=_natural)
    return most[0] if len(counts) and counts.max() >= k else "–"


def _natural(label: str) -> list[tuple[int, float, str]]:
    return [
        (1, float(part), "") if part[0].isdigit() else (0, 0.0, part)
        for part in re.split(r"(\d+(?:\.\d+)?)", label)
        if part
    ]


@claims(
    "report/columns.py:column_levels",
    "report/columns.py:_chain",
    "tables/outcome.py:_levels",
    kinds=GENERALIZED,
)
def detail_of_columns(made: Made) -> Iterator[Claim]:
    for column in made.plan.quasi:
        lost = _lost(made, column)
        before, after = made.original[column].nunique(dropna=False), made.shown[column].nunique(dropna=False)
        yield private(f"{before:,} → {after:,} {_near(lost)}")
        if not KINDS[made.kind].several:  # where people are counted, k people must share it, and not k rows
            (told,) = [c.generalized for c in made.facts.columns if c.name == column]
            assert told is not None
            assert (told.example or "–") == _most_frequent(made.shown[column], made.facts.k)
        if made.facts.levels:
            yield terminal(f"{float(lost):.0%}")


def _lost(made: Made, column: str) -> Fraction:
    return detail_lost(made.shown[column].tolist(), column, made.original, len(made.left_out))


def _near(share: Fraction) -> str:
    """As the product spells the same share as a float."""
    return pct(Fraction(round(float(share), 12)))


@claims("report/detail_lost.py:_losses", "tables/outcome.py:outcome", kinds=GENERALIZED)
def losses(made: Made) -> Iterator[Claim]:
    n, kept, gone = len(made.original), len(made.kept), len(made.left_out)
    yield private(f"Completeness {pct(kept, n)}: {kept:,} of {n:,} rows are released.")
    by_column = [_lost(made, column) for column in made.plan.quasi]
    for column, lost in zip(made.plan.quasi, by_column, strict=True):
        yield private(f"{column} {_near(lost)}")
    sizes = [len(part) for part in classes_of(made.shown, made.plan.quasi)]
    told = {
        "discernibility": sum(size**2 for size in sizes) + n * gone,
        "average-class-size": n / (len(sizes) + bool(gone)),
        "max-distribution": -len(sizes),
        "min-suppression": gone,
    }
    for name, value in told.items():
        yield private(f"{name} {num(value)}")
    loss = geometric(by_column)
    yield private(f"loss {num(float(f'{loss:.10g}'))}")
    if made.plan.recode.objective == "loss":
        yield terminal(f"loss {loss:.6g}, less being better")


@claims(
    "report/detail_lost.py:_counts",
    "report/detail_lost.py:_marginal",
    "report/detail_lost.py:_marginal_caption",
    kinds=GENERALIZED,
)
def distributions_before_and_after(made: Made) -> Iterator[Claim]:
    n, m = len(made.original), len(made.kept)
    for told in made.facts.marginals:
        before = [_place(told.labels, value, told.name) for value in made.original[told.name]]
        after = [_place(told.labels, value, told.name) for value in made.kept[told.name]]
        for label in told.labels:
            a, b = before.count(label), after.count(label)
            yield private(f"{told.name} {label}{'' if b else ' (vanished)'} {of(a, n)} {of(b, m)}")
            yield private(f"{pct(a, n)} → {pct(b, m)}")  # in the picture
        rest = before.count(None)
        assert after.count(None) == 0
        if rest:
            yield private(f"too rare to be named (vanished) {of(rest, n)} {of(0, m)}")
        moved = distance(before, after)
        if len(told.labels) == 1 and not rest:
            yield private(f"{told.name}: one label holds all rows, so that there are no shares to compare")
            continue
        yield private(
            f"{told.name}: shares as before"
            if moved == 0
            else f"{told.name}: shares differ by {_near(moved)} (total variation)"
        )


def _place(labels: tuple[str, ...], value: str | None, column: str) -> str | None:
    return next((label for label in labels if _under(label, value, column)), None)


@claims("report/detail_lost.py:_numbers", kinds=GENERALIZED)
def numbers_before_and_after(made: Made) -> Iterator[Claim]:
    columns = {}
    for name in ("age", "pay", "number"):
        if name not in made.shown or (name == "age" and name not in made.plan.quasi):
            continue
        before = [float(value) for value in made.original[name]]
        after = [_middle(label, name, made) for label in made.shown[name]]
        columns[name] = (before, after)
        told = [
            (num(_round(f(before))), num(_round(f(after))))
            for f in (lambda x: sum(x) / len(x), median, _deviation)
        ]
        yield private(f"{name} " + " ".join(a if a == b else f"{a} → {b}" for a, b in told))
    names = list(columns)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            pair = [correlation(columns[one][k], columns[other][k]) for k in (0, 1)]
            if pair[0] is not None:
                spelled = [num(None if x is None else _round(x)) for x in pair]
                yield private(f"{one} × {other} {spelled[0]} {spelled[1]}")


def _round(x: float) -> float:
    return float(f"{x:.11g}")


def _middle(label: str, name: str, made: Made) -> float:
    if name != "age":
        return float(label)
    values = [float(value) for value in covered(label, name, made.original) if value is not None]
    return sum(values) / len(values)


def _deviation(x: list[float]) -> float:
    mean = sum(x) / len(x)
    return math.sqrt(sum((value - mean) ** 2 for value in x) / len(x))


# --- sensitive values ----------------------------------------------------------------------------------------


@claims(
    "report/sensitive.py:sensitive_values",
    "report/sensitive.py:_more",
    "report/notices.py:shared_values",
    "report/compliance.py:_wp216",
    kinds=[name for name in GENERALIZED if not KINDS[name].several],
)
def sensitive_values(made: Made) -> Iterator[Claim]:
    for place, frame, whole in (
        ("public", made.released, made.released["ill"]),
        ("private", made.released, made.original["ill"]),
    ):
        yield from _sensitive(place, classes_of(frame, made.plan.quasi), shares(whole), len(frame))  # type: ignore[arg-type]


def _sensitive(
    place: Place, classes: list[pd.DataFrame], whole: dict[str, Fraction], n: int
) -> Iterator[Claim]:
    held = [shares(part["ill"]) for part in classes]
    single = sum(len(part) for part, own in zip(classes, held, strict=True) if len(own) == 1)
    alpha = max(max(own.values()) for own in held)
    entropy = min(math.exp(-sum(float(q) * math.log(q) for q in own.values())) for own in held)
    t = max(sum((abs(own.get(v, 0) - p) for v, p in whole.items()), Fraction(0)) / 2 for own in held)
    beta = max((own[v] - whole[v]) / whole[v] for own in held for v in own)
    ratios = [
        abs(math.log(own.get(v, 0) / p)) if v in own else math.inf for own in held for v, p in whole.items()
    ]
    c = max(max(own.values()) / rest if (rest := 1 - max(own.values())) else math.inf for own in held)
    first = [
        f"{min(map(len, held))}",
        num(_six(place, entropy)),
        num(_six(place, float(t))),
        _pct(place, alpha),
    ]
    yield Claim(place, f"ill {' '.join(first)} {single:,} ({_pct(place, Fraction(single, n))})")
    yield Claim(place, f"ill {num(_six(place, float(c)))}")
    yield Claim(place, f"{num(_six(place, float(beta)))} {num(_six(place, max(ratios)))}")
    inferred = f"ill: {_pct(place, Fraction(single, n))} of records ({single:,}) share a single value with their class"
    yield Claim(place, f"{inferred}, largest share of one value in a class {_pct(place, alpha)}")
    if single:
        yield Claim(
            place,
            f"{single:,} records ({_pct(place, Fraction(single, n))} of all) share their ill with everybody in their class",
        )


def _six(place: Place, value: float) -> float:
    """In public, figures have six digits before they are spelled."""
    return value if math.isinf(value) else float(f"{value:.6g}") if place == "public" else _round(value)


def _pct(place: Place, share: Fraction) -> str:
    return pct(Fraction(_six(place, float(share))).limit_denominator(10**9))


# --- regulators ----------------------------------------------------------------------------------------------


@claims(
    "report/compliance.py:_threshold",
    "report/compliance.py:_initial",
    kinds=GLOBAL,
)
def threshold_and_initial_risk(made: Made) -> Iterator[Claim]:
    for place, frame, verdicts in (
        ("public", made.released, made.manifest.verdicts),
        ("private", made.released, made.facts.verdicts),
    ):
        sizes = [len(part) for part in classes_of(frame, made.plan.quasi)]
        above = sum(size for size in sizes if size < 11)
        yield Claim(
            place,
            f"{'not met' if above else 'met'}: {of(above, sum(sizes), 'records')} bear a risk above 1/11",
        )  # type: ignore[arg-type]
        yield Claim(place, f"Verification {len(verdicts)} checks on the written files")  # type: ignore[arg-type]
    exact = [len(part) for part in classes_of(made.original, made.plan.quasi)]
    alone = sum(size for size in exact if size == min(exact))
    highest, average = pct(1, min(exact)), pct(len(exact), len(made.original))
    yield private(
        f"{highest} for {of(alone, len(made.original), 'records')}, {average} on average, in the original"
    )


# --- the search ----------------------------------------------------------------------------------------------


@claims("report/method.py:search", kinds=["levels", "levels of people"])
def size_of_the_search(made: Made) -> Iterator[Claim]:
    """Of whole columns there are as many recodings as combinations of levels."""
    levels = math.prod(len(column.generalized.levels) for column in made.facts.columns if column.generalized)
    yield private(f"recodings in all {levels:,}")


# Templates whose figures these claims do not recompute, and who looks at them.
ELSEWHERE: dict[str, str] = {
    "report/flow.py:_columns": "tests/words/test_every_figure.py::test_columns_are_counted_by_their_roles",
    "report/audited.py:blank_beside": "tests/unit/report/test_audit_views.py::test_every_figure_has_its_unit_its_whole_and_who_picks",
    "report/audited.py:in_all": "tests/unit/report/test_audit_views.py::test_every_figure_has_its_unit_its_whole_and_who_picks",
    "report/frontier.py:suppressed": "tests/cli/test_frontiers.py::test_every_figure_has_its_whole_and_whose_it_is",
    "report/frontier.py:meaning": "tests/cli/test_frontiers.py::test_every_figure_has_its_whole_and_whose_it_is",
    "report/frontier.py:_figures": "tests/unit/report/test_release_page.py::test_the_frontier_tells_what_has_no_solution",
    "report/frontier.py:_drawn": "tests/unit/report/test_release_page.py::test_every_picture_is_named_and_has_its_figures_in_a_table",
    "report/detail_lost.py:_pairs": "tests/unit/evidence/test_evidence.py::test_divergence_of_a_column_is_that_of_its_values_spread_evenly",
    "report/detail_lost.py:_accuracy": "tests/unit/evidence/test_evidence.py::test_accuracy_and_completeness_are_those_of_the_levels",
    "report/detail_lost.py:_bits": "tests/unit/evidence/test_evidence.py::test_divergence_of_a_column_is_that_of_its_values_spread_evenly",
    "report/detail_lost.py:_task": "tests/unit/report/test_release_page.py::test_the_task_is_told_with_its_baseline",
    "report/detail_lost.py:_learnt": "tests/unit/report/test_release_page.py::test_the_task_is_told_with_its_baseline",
    "tables/outcome.py:_cells": "tests/words/test_row_words.py::test_single_cells_that_are_suppressed_are_counted_on_the_terminal",
    "tables/outcome.py:_proved": "tests/contract/test_proofs.py",
    "tables/outcome.py:_stopped": "tests/contract/test_stop.py",
    "tables/outcome.py:_noise": "tests/cli/test_differential_privacy.py",
    "report/words.py:listed": "its doctest",
    "report/words.py:count": "its doctest",
    "report/words.py:number": "its doctest",
    "report/words.py:percent": "its doctest",
    "report/words.py:share_of": "its doctest",
    "report/words.py:span": "its doctest",
    "report/words.py:at_most": "its doctest",
    "report/words.py:between": "its doctest",
    "report/words.py:unbounded": "its doctest",
    "report/words.py:brief": "its doctest",
    "report/regions.py:grouped_apart": "tests/unit/algorithms/partition/test_grouped_search.py::test_groups_keep_every_promise_and_cross_no_region",
    "report/regions.py:_cost": "tests/unit/algorithms/partition/test_grouped_search.py::test_what_regions_cost_is_said",
}  # fmt: skip
ACROSS = "tests/contract/test_across.py"
ELSEWHERE |= {
    "report/several_classes_words.py:laid_over": f"{ACROSS}::test_who_stands_in_two_classes_that_share_one_value_is_told_everywhere",
    "report/several_classes_words.py:_left_of": "its doctest",
    "report/several_classes_words.py:left_by": f"{ACROSS}::test_who_stands_in_two_classes_that_share_one_value_is_told_everywhere",
    "report/several_classes_words.py:nobody_by": f"{ACROSS}::test_where_the_classes_of_people_share_enough_values_that_is_said",
}
