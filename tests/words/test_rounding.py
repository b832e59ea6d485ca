"""What is told as "at most" is rounded up, wherever it is told."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec import to_builtins
from msgspec.structs import replace
from tests.unit.report import hand_made
from tests.unit.report.test_release_page import Page
from tests.words.attacked_worlds import PLANTED, voters

import kohort
from kohort.attacks import Finding, Target, run_attacks
from kohort.attacks.uncertainty import at_most as six_digits
from kohort.attacks.uncertainty import up
from kohort.cli.attack import _rates
from kohort.report import html
from kohort.report.words import at_most

SOURCE = Path(kohort.__file__).parent
BOUND = re.compile(r"(at most|no more than|more than|a chance of up to|is not above)\s*$")
ROUNDED = {
    "up",
    "at_most",
    "bounds",
    "worst",
    "_highest",
    "_limit",
    "ceil",
}  # what rounds up, or was rounded up
WHOLE = {  # whole numbers, and parameters as they were written
    "TINY", "MOST_SETS", "MOST_ROWS", "LARGEST", "LONGEST", "DEEPEST", "SAMPLE_BYTES", "people", "need", "space", "problem", "most",
    "self", "per_cent", "exact", "_MOST_BYTES", "MOST_GROUND", "_MOST_ROWS", "_MOST_ENTRIES", "_MOST", "2", "seconds",
}  # fmt: skip


def told_as_bounds() -> Iterator[tuple[str, str]]:
    """Every figure of Kohort's words that stands behind "at most" or the like: where, and what is put there."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            before = ""
            for part in node.values if isinstance(node, ast.JoinedStr) else ():
                if isinstance(part, ast.Constant):
                    before = str(part.value)
                elif isinstance(part, ast.FormattedValue):
                    if BOUND.search(before):
                        yield f"{path.relative_to(SOURCE)}:{part.lineno}", ast.unparse(part.value)
                    before = ""


def test_every_share_behind_at_most_is_rounded_up():
    found = list(told_as_bounds())
    assert len(found) > 25
    for where, told in found:
        first = re.split(r"[^\w]", told)[0]
        assert first in ROUNDED | WHOLE, f"{where}: {told} is told as a bound; round it up"


def awkward(bound: float) -> Finding:
    return Finding("linking", bound, 0.0, 0.0, None, 100, "", bound=True)


@pytest.mark.parametrize("name", ["linking", "definetti, ill"])
def test_no_page_and_no_terminal_tells_a_bound_lower_than_it_is(name):
    rng = np.random.default_rng(4)
    for bound in (*rng.random(12), 1 / 3, 2 / 3, 0.20049, 0.0004, 1e-7, 0.1 + 0.2, 0.9999):
        found = awkward(float(bound))
        assert found.facts().success >= bound - 1e-12
        told = [_rates(found)]
        page = html(hand_made.facts(attacks=[to_builtins(replace(found.facts(), attack=name))]))
        said = re.sub(r"\s+", " ", Page(page).text)
        told += [
            said[at.start() : at.start() + 120] for at in re.finditer(f"attack {name}:|{name} at most", said)
        ]
        assert len(told) >= 3, "terminal, table of attacks, and the answers to WP216"
        for text in told:
            shares = [float(x) / 100 for x in re.findall(r"at most (?:\[bold\])?([0-9.e-]+) %", text)]
            assert shares, text
            assert shares[0] >= bound - 1e-9, (text, bound)


def test_bounds_in_words_and_files_are_never_below_what_they_tell():
    rng = np.random.default_rng(8)
    for bound in (*rng.random(300), *(rng.random(50) / 1000), *(1 / k for k in range(2, 60))):
        assert float(up(bound).removesuffix("%")) / 100 >= bound - 1e-9
        assert float(at_most(bound).removesuffix(" %")) / 100 >= bound - 1e-9
        assert bound - 1e-12 <= six_digits(bound) <= bound + 1e-5
    assert [up(1 / k) for k in (2, 4, 5, 10)] == ["50.0%", "25.0%", "20.0%", "10.0%"]


def test_every_attack_that_tells_a_bound_rounds_its_words_and_details_up():
    seen = set()
    for name, world in PLANTED.items():
        target = world(2)
        outside = voters(target, 3) if target.original is not None and target.apart is None else None
        asked = Target(
            target.released, target.quasi, target.sensitive, target.hierarchies, outside, target.others,
            truthful=target.truthful,
        )  # fmt: skip
        for finding in run_attacks(asked, [name]).found if outside is not None else []:
            if not finding.bound:
                continue
            seen.add(name)
            figures = [
                float(x) / 100 for x in re.findall(r"(?:at most|more than) ([0-9.]+)%", finding.sentence)
            ]
            assert figures, finding.sentence
            assert max(figures) >= finding.success - 1e-9
            for key in ("at_most", "highest"):
                assert finding.details.get(key, 1) >= finding.success - 1e-12
    assert seen == {"linking", "distance-linking", "composition"}
