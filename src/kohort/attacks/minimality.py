"""The minimality attack: that nothing finer was released tells about the sensitive values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kohort.attacks.finding import Finding
from kohort.attacks.rejected import Rejected, rejected
from kohort.attacks.target import Target
from kohort.attacks.uncertainty import per_cent
from kohort.card import Card
from kohort.table import Column, Table


@dataclass(frozen=True)
class Minimality:
    """Counts the people in classes that could have been split or released, had promises about values not forbidden it.

    An intruder who knows everybody's quasi-identifiers and that the recoding loses as little as it can sees
    where a finer recoding keeps every promise that does not look at sensitive values; if it was looked at and not released,
    the values of one of its parts break another. A search need not have looked at it, and may have had other reasons: success
    counts whom the attack can speak about, of what is looked at. Where whole
    columns are generalized, the finer recodings are all vectors of levels below the released one that the other promises
    allow, within the suppression limit (the nearest `VECTORS`); otherwise each class is split one step in one
    column. People who were left out though their class is large enough were left out for their values: they are
    counted too, so shares are of the whole original. Where people have several rows, promises count people here as they did
    there, and so does success. Recodings that are not finer than the released one are not looked at,
    though the promise may have kept them away too: no power is told. Baseline and control: a recoding that does not look
    at sensitive values rejects nothing because of them, and gives nothing away here. Shuffled values are no control, for a
    table of shuffled values is rejected for these as truly; their share is in the details.

    `posteriors_by_output` is the exact attack for domains that can be enumerated.

    Complexity: finer vectors × distinct tuples of the original, twice: as they are, and with values shuffled.

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
        "people in classes that only promises about values may have kept from being split, or from being released",
        guarantee="people that the attack can speak about, whether the search looked at what it supposes or not",
        paper="Wong et al. 2007",
        lessened="levels coarser than the promises need (min_level) leave it nothing to conclude from",
    )

    def lacks(self, target: Target) -> str:
        """Return what is missing: what was promised, and the quasi-identifiers of everybody."""
        if target.apart is not None:
            return "a release by generalization"
        if not target.promises:
            return "the promises of the release"
        if target.original is None or target.rows is None:
            return "the original of a truthful release, for the quasi-identifiers of everybody"
        if target.scattered or (target.owners is None) != (target.original_owners is None):
            return "the respondent column of the original: people may have several rows, and promises count people"
        return ""

    def cannot_gain(self, target: Target) -> dict[str, str]:
        """Return that no promise looks at sensitive values."""
        if any(model.reads for model in target.promises):
            return {}
        reason = "the recoding did not look at sensitive values: that nothing finer was released tells nothing about them"
        return {"minimality": reason}

    def run(self, target: Target) -> list[Finding]:
        """Return the share of people in such classes."""
        assert target.original is not None
        assert target.rows is not None
        rows = target.original.n_rows
        who = np.arange(rows) if target.original_owners is None else target.original_owners
        n = len(np.unique(who))
        diverse = any(model.reads for model in target.promises)
        exposed = rejected(target) if diverse else Rejected.nothing(rows)
        mixed = rejected(_mixed(target)) if diverse else exposed
        released = np.zeros(rows, np.bool_)
        released[target.rows] = True
        left_out = len(np.unique(who[exposed.rows & ~released]))
        count = len(np.unique(who[exposed.rows]))
        share = count / max(n, 1)
        return [
            Finding(
                attack="minimality",
                success=share,
                baseline=0.0,
                control=0.0,
                interval=None,
                n=n,
                sentence=_sentence(diverse, share, left_out, exposed.vectors, n == rows),
                details={
                    "depends_on_sensitive": diverse,
                    "people": count,
                    "left_out": left_out,
                    "finer_vectors": exposed.vectors,
                    "finer_vectors_rejected": exposed.forbidden,
                    "with_shuffled_values": round(len(np.unique(who[mixed.rows])) / max(n, 1), 6),
                },
                margin=0.0,
                partial=True,
            )
        ]


def _sentence(diverse: bool, share: float, left_out: int, vectors: int | None, one_each: bool) -> str:
    if not diverse:
        return "The recoding did not look at sensitive values: that nothing finer was released tells nothing about them."
    looked = f" ({_looked_at(vectors)})"
    if share == 0:
        return (
            f"Of what was looked at{looked}, sensitive values kept no class from being split or released. Whether another "
            "recoding, one that is not finer than this or lies further below it, was rejected for them was not looked at: what was "
            "chosen may tell something about them all the same."
        )
    rows = "were left out" if one_each else "have rows that were left out"
    gone = f"; {left_out:,} of them {rows}, though their classes are large enough" if left_out else ""
    return (
        f"{per_cent(share)} of the people of the original stand in classes that could have been split or released, had the "
        f"sensitive values allowed it{looked}{gone}. Whoever knows that such a recoding would have been chosen concludes that the "
        "values of a part of the class break a promise about them. Which recodings the search looked at is not known here."
    )


def _looked_at(vectors: int | None) -> str:
    """Return which recodings were looked at; None: classes were split one by one."""
    if vectors is None:
        return "every class split one step in one column"
    if not vectors:
        return "no finer vector of levels keeps the other promises; who was left out"
    finer = "1 finer vector of levels" if vectors == 1 else f"{vectors:,} finer vectors of levels"
    return f"{finer}, step by step below the released one, and who was left out"


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
