"""What a privacy model is: a promise about every class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import Any, ClassVar, Protocol, runtime_checkable

from kohort.arrays import BoolArray, FloatArray, IntArray
from kohort.card import Card
from kohort.classes import Classes, Pairs
from kohort.hierarchy import Hierarchy
from kohort.models.demand import Demand


class Monotone(Flag):
    """What keeps a promise once it holds.

    GENERALIZATION: if every class of a node satisfies the model, so does every class of any coarser node
    (merging satisfying classes gives satisfying classes).
    SUPPRESSION: in addition, merging can only lower the number of records in failing classes.
    """

    NOTHING = 0
    GENERALIZATION = auto()
    SUPPRESSION = auto()


@dataclass(frozen=True)
class Attribute:
    """What models may know of one sensitive attribute over the whole original table."""

    name: str
    labels: tuple[str | None, ...] = field(repr=False)  # text of each value code
    totals: IntArray  # records per value code in the whole table
    hierarchy: Hierarchy | None = None
    ground: IntArray | None = None  # value code -> ground code of the hierarchy
    pairs: Pairs | None = None  # who holds what, where people have several rows; None: a row is a person
    unordered: bool = False  # a hierarchy orders the values, and is not at hand

    @property
    def holding(self) -> IntArray:
        """The people of the whole table who hold each value code."""
        return self.totals if self.pairs is None else self.pairs.holding

    @property
    def people(self) -> int:
        """The people of the whole table."""
        return int(self.totals.sum()) if self.pairs is None else self.pairs.n_people


@dataclass(frozen=True)
class Reference:
    """The whole table that classes are compared with (t-closeness, β-likeness, δ-disclosure, k-map)."""

    n_rows: int
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    guards: Mapping[str, Attribute] = field(default_factory=dict)  # columns that are read and never released
    population: Classes | None = None  # k-map: the population at ground level, coded like the table
    hierarchies: tuple[Hierarchy, ...] = ()  # of the quasi-identifiers, to roll the population up
    matching: Callable[[Classes], IntArray] | None = None  # k-map, where released values are not levels:
    # people of the population that fit each class
    people: int | None = None  # respondents, where some have several rows; None: a row is a person


def guards_of(model: PrivacyModel) -> frozenset[str]:
    """Return the columns that a model reads although they are not released: what people want protected."""
    guards: frozenset[str] = getattr(model, "guards", frozenset())
    return guards


def unheld_names(models: Iterable[PrivacyModel], reference: Reference) -> list[str]:
    """Return what its holder is to be told of models that name values which the table does not have."""
    told = []
    for model in models:
        count: Callable[[Reference], int] | None = getattr(model, "unheld", None)
        number = 0 if count is None else count(reference)
        if number:
            told.append(
                f"[[require]] {model.card.name}: {number:,} of the values named nobody in the table has, so nothing was "
                "kept back for their sake; if their spelling is wrong, correct it and release again"
            )
    return told


def spelled_orders(models: Iterable[PrivacyModel], reference: Reference) -> list[str]:
    """Return what its holder is to be told of models by which texts are as far apart as they are in the alphabet."""
    told = []
    for model in models:
        find: Callable[[Reference], Sequence[str]] | None = getattr(model, "by_spelling", None)
        told += [
            f"[[require]] {model.card.name}: nothing declares the order of {column!r}, so its values were put in that of their "
            "spelling; if they have another, declare it by a hierarchy of the column, if they have none, use the distance equal"
            for column in ([] if find is None else find(reference))
        ]
    return told


def guarantee_of(model: PrivacyModel) -> str:
    """Return what follows from a promise with its parameters, or in general where these do not matter."""
    words: str = getattr(model, "guarantee", model.card.guarantee)
    return words


def scale_of(model: PrivacyModel) -> str:
    """Return by what a bound model measures, in words; empty where its definition says all."""
    words: str = getattr(model, "scale", "")
    return words


def check_rows(model: PrivacyModel, codes: Mapping[str, IntArray]) -> None:
    """Let a bound model refuse rows that it cannot serve; `codes` holds a value code per row of all it reads."""
    check: Callable[[Mapping[str, IntArray]], None] | None = getattr(model, "check_rows", None)
    if check is not None:
        check(codes)


def crowd_of(models: Iterable[PrivacyModel]) -> int:
    """Return the k of a plan: the greatest crowd that is promised, 1 where none is."""
    return max((model.demand.crowd for model in models), default=1)


def least_size_of(models: Iterable[PrivacyModel]) -> int:
    """Return what no class that keeps every promise is smaller than."""
    return max((model.demand.least_size for model in models), default=1)


def sizes_decide(models: Iterable[PrivacyModel]) -> bool:
    """Whether the promises are kept exactly where every class holds as many people as the greatest crowd."""
    return all(model.card.counts == "people" and model.card.classwise for model in models)


def bounds_linking(model: PrivacyModel) -> bool:
    """Whether it promises how many people a released tuple points at; what is not said is taken to."""
    return model.card.counts != "values" or model.demand.crowd > 1


def failing_for_good(model: PrivacyModel, classes: Classes) -> tuple[BoolArray, FloatArray | None]:
    """Return the failing classes and, where it can be told, how many records of each fail however it is split."""
    judge: Callable[[Classes], tuple[BoolArray, FloatArray | None]] | None = getattr(
        model, "failing_for_good", None
    )
    return (model.failing(classes), None) if judge is None else judge(classes)


def figures_of(
    kinds: Iterable[type[PrivacyModel]], classes: Classes, column: str, reference: Reference
) -> dict[str, Any]:
    """Return what each kind of model that can tell says that classes achieve for a sensitive column."""
    found: dict[str, Any] = {}
    for kind in kinds:
        told: Callable[[Classes, str, Reference], dict[str, Any]] | None = getattr(kind, "figures", None)
        found |= {} if told is None else told(classes, column, reference)
    return found


@runtime_checkable
class PrivacyModel(Protocol):
    """A promise about every class of a release.

    Implementations are frozen dataclasses whose fields are the parameters of the plan's `[[require]]`. What others need
    to know of one stands on its card and in its demand: nobody asks for it by name or type. More that it may
    have: `guards`, `guarantee`, `scale`, `check_rows`, `failing_for_good` and `figures`, as the functions of these names tell,
    `plainly`, the promise in a plain sentence (`plain_words`), and
    `judge`, by which the verifier judges it without the code that the search uses.
    """

    card: ClassVar[Card]

    @property
    def monotone(self) -> Monotone:
        """What keeps the promise once it holds; property-tested."""

    @property
    def label(self) -> str:
        """The promise in words, such as `5-anonymity`."""

    @property
    def reads(self) -> frozenset[str]:
        """The sensitive attributes whose histograms it needs, and its guards."""

    @property
    def demand(self) -> Demand:
        """What every class needs to keep the promise; of a bound model, as far as it tells."""

    def bind(self, reference: Reference) -> PrivacyModel:
        """Return the model with what it needs of the whole table; self where it needs nothing."""

    def failing(self, classes: Classes) -> BoolArray:
        """Mark the classes that break the promise."""

    def achieved(self, classes: Classes) -> float:
        """Return the best parameter that all classes meet (inf for no classes where larger is better)."""

    def holds(self, classes: Classes) -> bool:
        """Whether every class keeps the promise."""
