"""Every kernel file keeps the convention, so that the cache sees all that is compiled into a kernel."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import kohort

ROOT = Path(kohort.__file__).parent
KERNELS = sorted(ROOT.rglob("*kernels.py"))
MOST_ARGUMENTS = 8


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def file_of(module: str) -> Path:
    place = ROOT.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def imported(path: Path) -> list[str]:
    """Return the modules of Kohort that a file imports, wherever in it."""
    found = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom):
            found.append(node.module or "")
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return [name for name in found if name.split(".")[0] == "kohort"]


def test_there_are_kernels() -> None:
    assert len(KERNELS) > 20


def test_no_two_kernel_files_have_the_same_name() -> None:
    assert {name: n for name, n in Counter(path.name for path in KERNELS).items() if n > 1} == {}


@pytest.mark.parametrize("path", KERNELS, ids=name_of)
def test_a_kernel_file_imports_kernels_and_types_only(path: Path) -> None:
    """A file among these that imported more of Kohort would tie kernels to what they do not depend on."""
    for module in imported(path):
        file = file_of(module)
        assert file.exists(), f"{module}: import from the module itself, so that the cache can follow it"
        leaf = file.name.endswith("kernels.py") or not [
            name for name in imported(file) if name != "kohort.arrays"
        ]
        assert leaf or module == "kohort.compiling", module


@pytest.mark.parametrize("path", KERNELS, ids=name_of)
def test_imports_of_a_kernel_file_stand_at_the_top(path: Path) -> None:
    at_top = [node for node in tree(path).body if isinstance(node, ast.Import | ast.ImportFrom)]
    anywhere = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert len(at_top) == len(anywhere)


@pytest.mark.parametrize("path", KERNELS, ids=name_of)
def test_kernels_are_declared_in_one_way_typed_and_short_of_arguments(path: Path) -> None:
    for function in (node for node in tree(path).body if isinstance(node, ast.FunctionDef)):
        assert [ast.unparse(d) for d in function.decorator_list] in (["kernel"], ["inner"]), function.name
        arguments = function.args.args
        assert len(arguments) <= MOST_ARGUMENTS, function.name
        assert all(a.annotation is not None for a in arguments), function.name
        assert function.returns is not None, function.name


def test_numba_is_asked_to_compile_in_one_place_only() -> None:
    for path in ROOT.rglob("*.py"):
        if path.parent.name != "compiling":
            names = {n.module for n in ast.walk(tree(path)) if isinstance(n, ast.ImportFrom)}
            assert not {"numba", "numba.extending"} & names, name_of(path)


@pytest.mark.parametrize("path", KERNELS, ids=name_of)
def test_kernels_do_without_what_takes_seconds_to_compile(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            slices = [s for t in targets for s in ast.walk(t) if isinstance(s, ast.Slice)]
            assert not slices, f"{path.name}:{node.lineno}: write a loop instead of assigning to a slice"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in ("sort", "argsort", "searchsorted", "flatnonzero", "unique"), (
                node.lineno
            )
