"""What holds of every attack: a card, plain figures, and no regard to the order of rows or codes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from msgspec import to_builtins
from tests.reference import attacks as naive

from kohort.attacks import ATTACKS, Outside, Target, run_attacks
from kohort.attacks.attack import Attack
from kohort.errors import InputError
from kohort.hierarchy import Hierarchy
from kohort.models import KAnonymity, LDiversity

SEX = Hierarchy.from_rows("sex", [("F", "*"), ("M", "*"), (None, "*")])
ZIP = Hierarchy.from_rows("zip", [(z, z[0] + "*", "*") for z in ("11", "12", "21", "22")])
ILL = Hierarchy.from_rows(
    "ill", [("flu", "lung", "*"), ("cold", "lung", "*"), ("ulcer", "belly", "*"), (None, None, "*")]
)


def target(order: np.ndarray, seed: int = 0) -> Target:
    rng = np.random.default_rng(seed)
    n = len(order)
    people = [
        {"name": f"p{i}", "sex": rng.choice(["F", "M", None]), "zip": str(rng.choice(["11", "12", "21", "22"])),
         "visit": str(rng.integers(9)), "ill": rng.choice(["flu", "cold", "ulcer", None])}
        for i in range(n)
    ]  # fmt: skip
    released = [
        {"sex": p["sex"], "zip": p["zip"][0] + "*", "visit": p["visit"], "ill": p["ill"]} for p in people
    ]
    hierarchies = {"sex": SEX, "zip": ZIP, "ill": ILL}
    other = [{"sex": "*", "zip": p["zip"], "visit": p["visit"], "ill": p["ill"]} for p in people]
    second = Target(naive.table_of([other[i] for i in order]), ("sex", "zip"), ("ill",), hierarchies)
    return Target(
        naive.table_of([released[i] for i in order]), ("sex", "zip"), ("ill",), hierarchies,
        Outside(naive.table_of(people), ("sex", "zip"), "name"), (second,), naive.table_of(people), np.asarray(order),
        promises=(KAnonymity(2), LDiversity(2, "ill")), levels=None,
    )  # fmt: skip


def test_every_attack_has_a_card_and_keeps_the_contract():
    for name, kind in ATTACKS.items():
        attack = kind()
        assert isinstance(attack, Attack)
        assert attack.card.name == name
        assert attack.card.summary
        assert attack.card.guarantee


def test_every_attack_runs_on_a_full_target_or_says_what_it_lacks():
    found, lacking, idle = run_attacks(target(np.arange(40)))
    assert {f.attack for f in found} | set(lacking) | {label.partition(",")[0] for label in idle} == set(
        ATTACKS
    )
    assert set(lacking) == {"distance-linking"}
    for finding in found:
        json.dumps(to_builtins(finding.facts()), allow_nan=False)
        assert 0 <= finding.success <= 1
        assert 0 <= finding.baseline <= 1
        low, high = finding.interval or (finding.success, finding.success)
        assert low - 1e-9 <= finding.success <= high + 1e-9
        assert finding.smallest_effect is None or 0 < finding.smallest_effect <= 1 - finding.control
        assert finding.sentence.endswith(".")


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in ("row-order", "distance-linking")])
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_does_not_matter(name, seed):
    straight = ATTACKS[name]().run(target(np.arange(40), seed))
    shuffled = ATTACKS[name]().run(target(np.random.default_rng(seed).permutation(40), seed))
    assert [f.success for f in straight] == pytest.approx([f.success for f in shuffled])
    assert [f.baseline for f in straight] == pytest.approx([f.baseline for f in shuffled])


def test_every_attack_says_what_it_lacks_on_a_bare_table():
    bare = naive.target_of([{"zip": "1"}], ["zip"], [])
    found, lacking, idle = run_attacks(bare)
    assert (found, idle) == ([], {})
    assert set(lacking) == set(ATTACKS)


def test_an_unknown_attack_is_named():
    with pytest.raises(InputError, match="there is no attack 'hypnosis'"):
        run_attacks(target(np.arange(4)), ["hypnosis"])


def test_findings_of_one_attack_are_told_apart_by_their_labels():
    found = run_attacks(target(np.arange(40))).found
    labels = [finding.label for finding in found]
    assert len(set(labels)) == len(labels)
    assert "background-knowledge, ill, 2 ruled out" in labels
