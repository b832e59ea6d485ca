"""Every sentence with a figure in report and terminal is computed anew, and no template goes without."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.words.claims import CLAIMS, ELSEWHERE
from tests.words.releases import KINDS, made

from kohort.plan import RecodePlan
from kohort.report.left_out import ALLOWED

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "kohort"
SPELLING = {
    "count", "percent", "number", "many", "span", "brief", "unbounded", "share_of", "at_most", "between",
}  # fmt: skip
OTHERS = {  # what other tests of words look at
    "remaining_risk.py": "tests/words/test_bounds.py",
    "audit.py": "tests/words/test_bounds.py",
    "audit_text.py": "tests/words/test_bounds.py",
    "in_classes.py": "tests/words/test_bounds.py",
    "in_groups.py": "tests/words/test_bounds.py",
    "company.py": "tests/words/test_bounds.py",
    "population.py": "tests/words/test_estimates.py",
    "singled_out.py": "tests/words/test_singling_out.py",
    "attacks.py": "tests/words/test_attacks.py",
    "comparison.py": "tests/cli/test_compare.py",
    "ledger.py": "tests/words/test_ledger_words.py",
    "why.py": "tests/contract/test_explaining.py",
    "explanation.py": "tests/contract/test_explaining.py",
}
SEEDS = range(2)
CASES = [(name, kind, seed) for name, told in CLAIMS.items() for kind in told.kinds for seed in SEEDS]


@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind in KINDS for seed in SEEDS])
def test_what_is_said_in_figures_is_so(kind: str, seed: int) -> None:
    release = made(kind, seed)
    wrong = [
        f"{name}: {claim.where}: {claim.said}"
        for name, told in CLAIMS.items()
        if kind in told.kinds
        for claim in told.of(release)
        if not claim.stands(release)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", CLAIMS)
def test_something_is_claimed_of_some_release(name: str) -> None:
    told = CLAIMS[name]
    assert sum(1 for kind in told.kinds for seed in SEEDS for _ in told.of(made(kind, seed)))


def test_no_template_with_a_figure_goes_without_a_test() -> None:
    named = {site for told in CLAIMS.values() for site in told.sites}
    found = set(templates())
    assert not sorted(found - named - set(ELSEWHERE)), "claim their figures in tests/words/claims.py"
    assert not sorted((named | set(ELSEWHERE)) - found), "there is no such template (any more)"
    assert not named & set(ELSEWHERE)


def test_the_tests_that_look_at_other_figures_exist() -> None:
    for told in ELSEWHERE.values():
        if told == "its doctest":
            continue
        path, _, name = told.partition("::")
        assert (ROOT / path).exists(), path
        assert not name or f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), told


def templates() -> Iterator[str]:
    """Yield every function that spells a figure, as `report/flow.py:_rows`."""
    files = [path for path in sorted((SOURCES / "report").glob("*.py")) if path.name not in OTHERS]
    for path in [*files, SOURCES / "tables" / "outcome.py"]:
        if path.name == "charts.py":
            continue  # coordinates
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef) and spells(function):
                yield f"{path.relative_to(SOURCES)}:{function.name}"


def spells(function: ast.FunctionDef) -> bool:
    """Tell whether a function calls one that spells a figure, or spells one in a text."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SPELLING:
            return True
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            return True
    return False


def test_templates_are_found() -> None:
    found = set(templates())
    assert {"report/flow.py:_rows", "report/detail_lost.py:_losses", "tables/outcome.py:_rows"} <= found
    assert len(found) > 30


def test_columns_are_counted_by_their_roles() -> None:
    release = made("levels", 0)
    roles = [str(column.role) for column in release.plan.columns.values()]
    for role, said in (("quasi", "quasi-identifying"), ("sensitive", "sensitive"), ("insensitive", "other")):
        assert f"{roles.count(role)} {said}" in release.private.text
    assert re.search(rf"original {len(roles)} columns", release.private.text)


def test_what_a_plan_allows_where_it_does_not_say_is_what_the_page_says() -> None:
    assert RecodePlan().max_suppression == ALLOWED
