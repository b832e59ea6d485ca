"""The minimality attack: that nothing finer was released tells about the sensitive values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kohort.arrays import BoolArray, IntArray
from kohort.attacks.finding import Finding
from kohort.attacks.finer import parts
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import wilson
from kohort.card import Card
from kohort.classes import Classes, classes_of_rows
from kohort.models import Attribute, PrivacyModel, Reference
from kohort.table import Column, Table


@dataclass(frozen=True)
class Minimality:
    """Counts the records in classes that would have been split, had diversity not forbidden it.

    An intruder who knows everybody's quasi-identifiers and that the recoding loses as little as it can sees
    where a finer recoding keeps every promise that does not look at sensitive values; that it was not released
    means that one of its parts breaks diversity: there a value is more frequent than the promise says. Where whole
    columns are generalized, the finer recodings are those one level lower in one column, within the
    suppression limit; otherwise each class is split one step in one column. Baseline: promises that
    do not look at sensitive values give nothing away here. Control: the same with the sensitive values shuffled.

    `posteriors_by_output` is the exact attack for domains that can be enumerated.

    Complexity: columns × distinct tuples of the original one step finer, twice: as they are, and with values shuffled.

    >>> from kohort.demo.ward import shared
    >>> import pyarrow as pa
    >>> from kohort.hierarchy import Hierarchy
    >>> from kohort.models import KAnonymity, LDiversity
    >>> ages = Hierarchy.from_rows("age", [("31", "30-34", "30-39"), ("36", "35-39", "30-39")])
    >>> release = shared(["flu", "flu", "cold", "cold"])  # only diversity kept it from telling 30-34 and 35-39
    >>> original = Table.from_arrow(pa.table({"age": [31, 31, 36, 36], "ill": ["flu", "flu", "cold", "cold"]}))
    >>> promises = (KAnonymity(2), LDiversity(2, "ill"))
    >>> known = {"hierarchies": {"age": ages}, "original": original, "rows": np.arange(4), "promises": promises}
    >>> Minimality().run(Target(release, ("age",), ("ill",), **known))[0].success
    1.0

    References: R. C.-W. Wong et al., Minimality attack in privacy preserving data publishing, 2007.
    """

    card: ClassVar[Card] = Card(
        "minimality",
        "records in classes that only diversity kept from being split",
        guarantee="an upper bound: records that the attack can speak about",
        paper="Wong et al. 2007",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: what was promised, and the quasi-identifiers of everybody."""
        if target.apart is not None:
            return "a release by generalization"
        if not target.promises:
            return "the promises of the release"
        if target.original is None or target.rows is None:
            return "the original of a truthful release, for the quasi-identifiers of everybody"
        return ""

    def run(self, target: Target) -> list[Finding]:
        """Return the share of released records in such classes."""
        assert target.original is not None
        n = target.released.n_rows
        diverse = any(model.reads for model in target.promises)
        exposed = int(_exposed(target).sum()) if diverse else 0
        mixed = int(_exposed(_mixed(target)).sum()) if diverse else 0
        share = exposed / max(n, 1)
        return [
            Finding(
                attack="minimality",
                success=share,
                baseline=0.0,
                control=mixed / max(n, 1),
                interval=wilson(exposed, n),
                n=n,
                sentence=_sentence(diverse, share),
                details={"depends_on_sensitive": diverse, "records": exposed, "interval": "Wilson"},
            )
        ]


def _sentence(diverse: bool, share: float) -> str:
    if not diverse:
        return "The recoding did not look at sensitive values: that nothing finer was released tells nothing about them."
    if share == 0:
        return "Sensitive values kept no class from being split: that nothing finer was released tells nothing about them."
    return (
        f"{share:.1%} of the records stand in classes that would have been split, had the sensitive values allowed it. Whoever "
        "knows how the recoding was chosen concludes that in a part of such a class one value is too frequent."
    )


def _exposed(target: Target) -> BoolArray:
    """Mark the released rows in classes that only diversity kept from being split."""
    reference = _reference(target)
    models = [model.bind(reference) for model in target.promises if model.card.counts != "population"]
    blind = [model for model in models if not model.reads]
    seeing = [model for model in models if model.reads]
    if target.levels is not None and all(name in target.hierarchies for name in target.quasi):
        return _exposed_by_levels(target, blind, seeing)
    return _exposed_by_class(target, blind, seeing)


def _reference(target: Target) -> Reference:
    assert target.original is not None
    attributes = {}
    for name in target.judged:
        column, hierarchy = target.original[name], target.hierarchies.get(name)
        ground = None if hierarchy is None else hierarchy.encode(column.texts)
        attributes[name] = Attribute(name, column.texts, column.counts(), hierarchy, ground)
    return Reference(target.original.n_rows, attributes)


def _classes(target: Target, codes: IntArray, rows: IntArray | None = None) -> tuple[Classes, IntArray]:
    """Return the classes of original rows (all, or some) with equal codes."""
    assert target.original is not None
    sensitive = {}
    for name in target.judged:
        column = target.original[name]
        sensitive[name] = (column.codes if rows is None else column.codes[rows], len(column.values))
    return classes_of_rows(codes.astype(np.int32), sensitive)


def _failing(models: list[PrivacyModel], classes: Classes) -> BoolArray:
    failing = np.zeros(len(classes), np.bool_)
    for model in models:
        failing |= model.failing(classes)
    return failing


def _exposed_by_levels(target: Target, blind: list[PrivacyModel], seeing: list[PrivacyModel]) -> BoolArray:
    assert target.original is not None
    assert target.levels is not None
    assert target.rows is not None
    grounds = []
    for name in target.quasi:
        column = target.original[name]
        grounds.append(target.hierarchies[name].encode(column.texts)[column.codes])
    levels = [target.levels[name] for name in target.quasi]
    open_class = np.zeros(target.n_classes, np.bool_)
    class_of_original = np.full(target.original.n_rows, -1, np.int64)
    class_of_original[target.rows] = target.class_of
    for j, level in enumerate(levels):
        if level == 0:
            continue
        finer = [*levels[:j], level - 1, *levels[j + 1 :]]
        hierarchies = [target.hierarchies[name] for name in target.quasi]
        codes = [h.levels[at].of_ground[g] for h, at, g in zip(hierarchies, finer, grounds, strict=True)]
        classes, place = _classes(target, np.column_stack(codes))
        small, skewed = _failing(blind, classes), _failing(seeing, classes)
        if classes.rows[small].sum() > target.max_suppressed:
            continue  # too small classes forbid it already
        if classes.rows[small | skewed].sum() <= target.max_suppressed:
            continue  # it was not forbidden: another measure chose
        forbidden = class_of_original[(skewed & ~small)[place]]
        open_class[forbidden[forbidden >= 0]] = True
    return np.asarray(open_class[target.class_of])


def _exposed_by_class(target: Target, blind: list[PrivacyModel], seeing: list[PrivacyModel]) -> BoolArray:
    assert target.original is not None
    assert target.rows is not None
    open_class = np.zeros(target.n_classes, np.bool_)
    for name in target.quasi:
        hierarchy = target.hierarchies.get(name)
        if hierarchy is None:
            continue
        column, released = target.original[name], target.released[name]
        ground = hierarchy.encode(column.texts)[column.codes][target.rows]
        finer = [parts(hierarchy, text) for text in released.texts]
        if any(part is None for part in finer):
            continue
        part_of = np.array(finer)[released.codes, ground]
        classes, _ = _classes(target, np.column_stack([target.class_of, part_of]), target.rows)
        owners = classes.codes[:, 0]
        small, skewed = _failing(blind, classes), _failing(seeing, classes)
        n_parts = np.bincount(owners, minlength=target.n_classes)
        any_small = np.bincount(owners, small, target.n_classes) > 0
        any_skewed = np.bincount(owners, skewed, target.n_classes) > 0
        open_class |= (n_parts > 1) & ~any_small & any_skewed
    return np.asarray(open_class[target.class_of])


def _mixed(target: Target) -> Target:
    """Return the target with the sensitive values of the original shuffled."""
    assert target.original is not None
    generator = np.random.default_rng(20260101)
    order = generator.permutation(target.original.n_rows)
    columns = dict(target.original.columns)
    for name in target.judged:
        columns[name] = Column(name, columns[name].codes[order], columns[name].values)
    return replace(target, original=Table(columns, target.original.n_rows))


def posteriors_by_output(
    inputs: Iterable[Sequence[str]], recode: Callable[[Sequence[str]], Hashable]
) -> dict[Hashable, list[dict[str, float]]]:
    """Return, for each possible release, each person's chances of each value: exact, over all equally likely inputs.

    An input lists the sensitive value of each person, whose quasi-identifiers are known; `recode` makes the
    release. A release keeps its claim against an intruder who knows the algorithm if no chance exceeds it.

    >>> told = posteriors_by_output([("flu", "hiv"), ("hiv", "flu"), ("flu", "flu")], lambda values: "hiv" in values)
    >>> told[True]
    [{'flu': 0.5, 'hiv': 0.5}, {'hiv': 0.5, 'flu': 0.5}]
    """
    worlds: dict[Hashable, list[Sequence[str]]] = defaultdict(list)
    for values in inputs:
        worlds[recode(values)].append(values)
    told = {}
    for output, possible in worlds.items():
        people = [Counter(world[i] for world in possible) for i in range(len(possible[0]))]
        told[output] = [{v: c / len(possible) for v, c in person.items()} for person in people]
    return told
