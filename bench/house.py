"""What the code says of itself: the numbers by which the house's seams are measured (`python bench/house.py [SRC]`)."""

from __future__ import annotations

import ast
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
SOURCE = Path(__file__).parents[1] / "src" / "kohort"


def is_kernel(path: Path) -> bool:
    """Say whether a file holds kernels."""
    return path.stem.endswith("kernels")


def functions(tree: ast.AST) -> Iterator[Function]:
    """Yield every function below a node."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def calls_of(name: str, tree: ast.AST) -> int:
    """Count the calls of a plain name."""
    found = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return sum(isinstance(called, ast.Name) and called.id == name for called in found)


def arguments(function: Function) -> int:
    """Count a function's parameters, `self` and `cls` aside."""
    told = function.args
    names = [argument.arg for argument in (*told.posonlyargs, *told.args, *told.kwonlyargs)]
    return sum(name not in ("self", "cls") for name in names)


def late_imports(tree: ast.AST) -> int:
    """Count the imports that stand inside functions."""
    late = {
        node for f in functions(tree) for node in ast.walk(f) if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return len(late)


def length(function: Function) -> int:
    """Count a function's lines."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def numbers(source: Path) -> dict[str, float]:
    """Return the numbers of a source tree."""
    files = {path: path.read_text(encoding="utf-8") for path in sorted(source.rglob("*.py"))}
    trees = {path: ast.parse(text) for path, text in files.items()}
    plain = {path: tree for path, tree in trees.items() if not is_kernel(path)}
    lines = [line for text in files.values() for line in text.splitlines()]
    all_functions = [f for tree in trees.values() for f in functions(tree)]
    return {
        "files": len(files),
        "lines": len(lines),
        "median lines of a file": statistics.median(text.count("\n") for text in files.values()),
        "median lines of a function": statistics.median(map(length, all_functions)),
        "isinstance outside kernels": sum(calls_of("isinstance", tree) for tree in plain.values()),
        "lines with Any": sum("Any" in line.replace("Anyone", "").replace("Anything", "") for line in lines),
        "type: ignore outside kernels": sum(files[path].count("type: ignore") for path in plain),
        "imports inside functions": sum(map(late_imports, trees.values())),
        "functions with more than 10 arguments": sum(arguments(f) > 10 for f in all_functions),
        'lines with facts["…"]': sum('facts["' in line for line in lines),
        "basenames that occur more than once": _repeated(files),
    }


def _repeated(files: dict[Path, str]) -> int:
    names = [path.name for path in files if path.name not in ("__init__.py", "__main__.py")]
    return len({name for name in names if names.count(name) > 1})


if __name__ == "__main__":
    for what, number in numbers(Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE).items():
        sys.stdout.write(f"{what:40} {number:>8,g}\n")
