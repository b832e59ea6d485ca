"""No module but an item's own and its registry names a registered item: the syntax trees are walked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.thinned import many

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.attacks import ATTACKS
from kohort.engines import ENGINES
from kohort.hierarchy import BUILDERS
from kohort.metrics import METRICS
from kohort.models import MODELS
from kohort.plan.rules import SHAPES, rules_of

SOURCE = Path(kohort.__file__).parent
REGISTRIES = {
    "algorithms/__init__.py",
    "attacks/__init__.py",
    "algorithms/taxonomy.py",  # the default algorithm of every model of recoding
    "hierarchy/build.py",
    "metrics/__init__.py",
    "models/__init__.py",
    "verification/judges/definitions/registry.py",  # of the verifier's own definitions
    "__init__.py",  # the public names
}
# Words that mean something else in most places: there only a comparison, or a list of kinds, counts as naming.
WORDS = {
    "columns",  # a section of the plan, a key of the facts
    "file",  # what lies in a folder
    "order",  # of values, of rows
    "dates",
    "intervals",
    "loss",  # a key of the facts
    "optimal",  # whether a solution is proved
    "entropy",  # a variant of l-diversity
    "suppress",  # a key of the plan
    "memory",  # how much of it
    "duckdb",  # the package
}
ALLOWED = {
    **{
        ("hierarchy/weight.py", kind): "what the labels of a kind take is reckoned before any is built"
        for kind in ("File", "Intervals", "Mask", "Prefix")
    },
    ("report/safe_harbor.py", "dates"): "the law speaks of dates, and asks how coarse they are",
    ("report/safe_harbor.py", "ip"): "the law speaks of IP addresses",
    ("report/safe_harbor.py", "Dates"): "their levels where a plan names none",
    ("proposals/age_units.py", "intervals"): "a draft writes plans",
    ("plan/sections.py", "loss"): "the default objective of a plan",
    ("recode/problem.py", "Loss"): "the default objective of a problem",
    (
        "algorithms/cells/levels_and_cells.py",
        "Optimal",
    ): "its search begins at the best levels, found by that search",
    ("algorithms/buckets/dealing.py", "anatomy"): "a part of anatomy",
    ("algorithms/microaggregation/grid.py", "dp-mdav"): "a part of dp-mdav",
    ("algorithms/microaggregation/univariate.py", "mdav"): "its message: the same for several columns",
    ("algorithms/cuts/alphabet.py", "dates"): "the word",
    ("algorithms/partition/mondrian.py", "order"): "an option of its own",
    ("models/l_diversity.py", "entropy"): "a variant of its own",
    ("verification/judges/definitions/l_diversity.py", "entropy"): "a variant of its own",
    ("plan/text.py", "columns"): "the section of a plan",
    ("cli/anonymize.py", "memory"): "a wrong engine is told before anything is loaded",
    ("cli/anonymize.py", "duckdb"): "a wrong engine is told before anything is loaded",
    ("cli/engines.py", "spark"): "whose flags say where it runs",
    ("table/cluster/java.py", "spark"): "how cells lie and are read there",
    ("table/cluster/addresses.py", "spark"): "what it says is about that engine",
    ("table/cluster/far_files.py", "spark"): "what it says is about that engine",
    ("table/cluster/starting.py", "spark"): "what it says is about that engine",
    ("table/cluster/pieces.py", "spark"): "how cells lie and are read there",
    ("table/cluster/served.py", "spark"): "how cells lie and are read there",
    ("table/cluster/session.py", "spark"): "how cells lie and are read there",
    ("table/cluster/source.py", "spark"): "how cells lie and are read there",
    ("table/cluster/writing.py", "spark"): "how cells lie and are read there",
    ("verification/judges/cells_in_cluster.py", "spark"): "how cells lie and are read there",
    ("evidence/release.py", "duckdb"): "a package whose version is told",
    ("attacks/advice.py", "k-anonymity"): "an advice writes plans",
    ("attacks/advice.py", "l-diversity"): "an advice writes plans",
    ("attacks/advice.py", "t-closeness"): "an advice writes plans",
    ("attacks/advice.py", "extended-p-sensitive"): "an advice writes plans",
    ("report/compliance.py", "linking"): "the opinion asks for linkability",
    ("report/compliance.py", "definetti"): "the opinion asks for inference",
    ("report/ledger.py", "composition"): "what the ledger is beside",
    ("tables/outcome.py", "optimal"): "a key of the facts",
    (
        "cli/audit.py",
        "k-anonymity",
    ): "a plan must promise something, and an audit looks at how the file is read alone",
    ("cli/frontier.py", "columns"): "a section of the plan",
    ("plan/plan.py", "columns"): "a section of the plan",
    ("release/opening.py", "file"): "what lies in a folder",
    ("verification/case.py", "file"): "what lies in a folder",
    ("verification/judges/folder.py", "file"): "what lies in a folder",
    ("proposals/fitting.py", "intervals"): "a proposal writes plans",
    ("proposals/fitting.py", "mask"): "a proposal writes plans",
    ("level_files/check.py", "File"): "its rows are what is checked",
    ("arx/translation.py", "file"): "hierarchies of ARX are level files",
    ("arx/criteria.py", "k-anonymity"): "the words of ARX in those of a plan",
    ("arx/criteria.py", "l-diversity"): "the words of ARX in those of a plan",
    ("arx/criteria.py", "t-closeness"): "the words of ARX in those of a plan",
    ("arx/criteria.py", "beta-likeness"): "the words of ARX in those of a plan",
    ("arx/criteria.py", "delta-disclosure"): "the words of ARX in those of a plan",
    ("arx/criteria.py", "average-risk"): "the words of ARX in those of a plan",
    ("arx/criteria.py", "discernibility"): "the words of ARX in those of a plan",
    ("arx/criteria.py", "ambiguity"): "the words of ARX in those of a plan",
    ("arx/criteria.py", "precision"): "the words of ARX in those of a plan",
    ("arx/criteria.py", "average-class-size"): "the words of ARX in those of a plan",
    ("proposals/fitting.py", "bands"): "why it is proposed",
    ("proposals/fitting.py", "prefix"): "why it is proposed",
    ("proposals/fitting.py", "icd10"): "why it is proposed",
    ("proposals/fitting.py", "ip"): "a proposal writes plans",
    ("proposals/number_fitting.py", "intervals"): "a proposal writes plans",
    ("proposals/number_fitting.py", "bands"): "a proposal writes plans",
    ("proposals/code_fitting.py", "prefix"): "a proposal writes plans",
    ("proposals/code_fitting.py", "Prefix"): "and reads codes as the plan that it writes will",
    ("proposals/code_fitting.py", "icd10"): "a proposal writes plans",
    ("proposals/fitting.py", "dates"): "a proposal writes plans",
}


def own_files() -> dict[str, set[str]]:
    """Return, by name and by class, the files in which an item may be named."""
    found: dict[str, set[str]] = {}
    for name, place in ALGORITHMS.items():
        module, kind = place.split(":")
        for said in (name, kind):
            found.setdefault(said, set()).add(f"algorithms/{module.replace('.', '/')}.py")
    for registry in (MODELS, METRICS, BUILDERS):
        for name, item in registry.items():
            for said in (name, item.__name__):
                module = item.__module__.removeprefix("kohort.").replace(".", "/")
                found.setdefault(said, set()).add(f"{module}.py")
    for shape in SHAPES:  # what only one shape has is known in its room
        rules = rules_of(shape)
        for name, kind in {**rules.promises, **rules.algorithms()}.items():
            room = SOURCE / kind.__module__.split(".")[1]
            for said in {name, kind.__name__} - set(found):
                found[said] = {place.relative_to(SOURCE).as_posix() for place in room.rglob("*.py")}
    for name, attack in ATTACKS.items():
        for said in (name, attack.__name__):
            found.setdefault(said, set()).add(
                f"{attack.__module__.removeprefix('kohort.').replace('.', '/')}.py"
            )
    for name in ENGINES:
        found[name] = {place.relative_to(SOURCE).as_posix() for place in (SOURCE / "engines").rglob("*.py")}
    return found


OWN = own_files()
PACKAGES = {"kohort.models", "kohort.metrics", "kohort.hierarchy"}  # which hand their items on
HOMES = {
    said: PACKAGES | {f"kohort.{place.removesuffix('.py').replace('/', '.')}" for place in places}
    for said, places in OWN.items()
    if said[0].isupper()
}
KINDS = {said for said in OWN if said[0].isupper()}
NAMES = set(OWN) - KINDS
PROPER = ("anatomy", "datafly", "incognito", "mdav", "mingen", "mondrian", "samarati", "univariate")
# In messages, names of algorithms that are no words of English.
SPOKEN = re.compile(
    r"(?<![\w-])("
    + "|".join(sorted((n for n in ALGORITHMS if "-" in n or n in PROPER), key=len)[::-1])
    + r")(?![\w-])"
    + r"|(?:choose|such as|use the algorithm) [`'\"]?(optimal|forest)"
)  # fmt: skip


def modules() -> Iterator[str]:
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        if place not in REGISTRIES and not place.startswith(("demo/", "testing/")):  # which write plans
            yield place


def named_in(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and item for every literal or identifier that names one."""
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    prose |= {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "guarantee"
    }
    naming = {id(node) for parent in ast.walk(tree) for node in compared(parent)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in KINDS and f"kohort.{node.value.id}" in PACKAGES:
                yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (
                (node.lineno, alias.name) for alias in node.names if node.module in HOMES.get(alias.name, ())
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            if node.value in NAMES and (node.value not in WORDS or id(node) in naming):
                yield node.lineno, node.value
            elif node.value not in NAMES:
                yield from ((node.lineno, one or other) for one, other in SPOKEN.findall(node.value))


def compared(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a node compares, matches, looks a registry up with, or lists as kinds of something."""
    if isinstance(node, ast.Compare):
        for side in (node.left, *node.comparators):
            yield from side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else (side,)
    elif isinstance(node, ast.MatchValue):
        yield node.value
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple | ast.List | ast.Set):
        yield from node.value.elts
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id.isupper():
        yield node.slice
    elif isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        yield from (value for key, value in pairs if isinstance(key, ast.Constant) and key.value == "kind")
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("algorithm", "card_of")
    ):
        yield from node.args


@many(place=list(modules()))
def test_no_module_names_an_item_of_another(place: str) -> None:
    tree = ast.parse((SOURCE / place).read_text(encoding="utf-8"))
    found = {
        (line, said)
        for line, said in named_in(tree)
        if place not in OWN.get(said, ()) and (place, said) not in ALLOWED
    }
    assert not found, f"ask its card, demand or form instead: {sorted(found)}"


def test_what_is_allowed_is_needed_or_goes() -> None:
    for place, said in ALLOWED:
        told = {name for _, name in named_in(ast.parse((SOURCE / place).read_text(encoding="utf-8")))}
        assert said in told or said in WORDS, f"{place} no longer names {said}: take it from ALLOWED"


@pytest.mark.parametrize(
    "text",
    [
        "if model.card.name == 'k-map': pass",
        "KINDS = ('intervals', 'other')",
        "spec = {'kind': 'suppress'}",
        "METRICS['loss']",
        "from kohort.models import KAnonymity",
        "isinstance(model, models.KAnonymity)",
        "raise ValueError('choose optimal')",
        "raise ValueError('anatomy: no')",
        "algorithm('columns')",
        "if name in ('forest', 'optimal'): pass",
    ],
)
def test_naming_is_seen(text: str) -> None:
    assert list(named_in(ast.parse(text)))


@pytest.mark.parametrize(
    "text", ["'''about k-map'''", "facts['columns']", "{'optimal': proved}", "x = 'loss'"]
)
def test_words_and_docstrings_are_let_be(text: str) -> None:
    assert not list(named_in(ast.parse(text)))
