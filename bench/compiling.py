"""What a first run waits for: kernels compiled, and CPU seconds cold (no cache at all) and warm, per command.

    python bench/compiling.py [algorithm …] [--root ../other-checkout]

Each figure is one fresh process: `kohort anonymize` of a few hundred rows of Adult by an algorithm, then `audit`, `verify`
and `attack` of what came out. CPU seconds, because a busy machine stretches all others. With --root the sources of
another checkout are measured the same way, to set both side by side in the same minutes.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.adult import adult_directory

HERE = Path(__file__).parents[1]

COLUMNS = ("sex", "age", "race", "marital-status", "education")
ROWS = 600
NAMED = ("optimal", "mondrian", "k-member", "enhanced-pk", "k-optimize")  # those of issue 12
OBJECTIVES = dict.fromkeys(("k-optimize", "hill-climbing", "genetic", "annealing"), "discernibility")
DIVERSE = ("greedy-pk", "enhanced-pk")

CHILD = """
import json, sys, time
from numba.core.event import Listener, register
class Watch(Listener):
    def __init__(self):
        self.inside, self.seconds, self.kernels = 0, 0.0, []
    def on_start(self, event):
        self.inside += 1
        self.began = time.process_time() if self.inside == 1 else self.began
        function = event.data["dispatcher"].py_func
        if function.__module__.startswith("kohort."):
            self.kernels.append(f"{function.__module__}.{function.__name__}")
    def on_end(self, event):
        self.inside -= 1
        self.seconds += time.process_time() - self.began if self.inside == 0 else 0.0
watch = Watch()
register("numba:compile", watch)
from kohort.cli import main
sys.argv = ["kohort", *sys.argv[1:]]
code = 0
try:
    main()
except SystemExit as end:
    code = end.code or 0
several = sorted({k for k in watch.kernels if watch.kernels.count(k) > 1})
print(json.dumps({"code": code, "kernels": len(set(watch.kernels)), "several": several, "compiling": watch.seconds,
                  "seconds": time.process_time()}), file=open(3, "w"))
"""


def plan_text(table: Path, algorithm: str) -> str:
    directory = adult_directory().resolve()
    columns = "\n".join(
        f'{name} = {{ role = "quasi", hierarchy = {{ kind = "file", path = "{directory}/adult_hierarchy_{name}.csv" }} }}'
        for name in COLUMNS
    )
    objective = f'objective = "{OBJECTIVES[algorithm]}"\n' if algorithm in OBJECTIVES else ""
    diverse = '[[require]]\nmodel = "p-sensitive"\np = 2\ncolumn = "salary-class"\n' * (algorithm in DIVERSE)
    return (
        f'[input]\npath = "{table}"\n[columns]\n{columns}\nsalary-class = {{ role = "sensitive" }}\n'
        f'[[require]]\nmodel = "k-anonymity"\nk = 5\n{diverse}[recode]\nmax_suppression = 0.05\n'
        f'algorithm = "{algorithm}"\n{objective}'
    )


def small_table(place: Path) -> Path:
    with (adult_directory() / "adult.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter=";"))
    wanted = [rows[0].index(name) for name in (*COLUMNS, "salary-class")]
    table = place / "table.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([row[i] for i in wanted] for row in rows[: ROWS + 1])
    return table


def measured(root: Path, cache: Path, arguments: list[str]) -> dict[str, object]:
    """Run a command in a fresh process with a cache; return what it counted."""
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "NUMBA_CACHE_DIR": str(cache)}
    read, write = os.pipe()
    script = f"import os; os.dup2({write}, 3)\n{CHILD}"
    with subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        env=environment, pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        os.close(write)
        with os.fdopen(read) as told:
            found = told.read()
        error = child.stderr.read() if child.stderr else ""
    if not found or json.loads(found)["code"] not in (0, 4, 5):
        raise SystemExit(f"{' '.join(arguments)}: {error}")
    return dict(json.loads(found))


def report(root: Path, cache: Path, name: str, arguments: list[str]) -> None:
    cold, warm = (measured(root, cache, arguments) for _ in range(2))
    several = f"  compiled several times: {', '.join(cold['several'])}" if cold["several"] else ""  # type: ignore[arg-type]
    print(
        f"{name:>18} {cold['kernels']:>8} {cold['compiling']:>10.1f} {cold['seconds']:>8.1f} {warm['seconds']:>8.1f}{several}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("algorithms", nargs="*", default=NAMED)
    parser.add_argument("--root", type=Path, default=HERE)
    options = parser.parse_args()
    print(f"{'command':>18} {'kernels':>8} {'compiling':>10} {'cold':>8} {'warm':>8}   (CPU seconds)")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        table = small_table(place)
        plan, release = place / "plan.toml", place / "release"
        for algorithm in options.algorithms:
            plan.write_text(plan_text(table, algorithm), encoding="utf-8")
            with tempfile.TemporaryDirectory() as cache:
                command = ["anonymize", str(plan), "-o", str(release), "--json"]
                report(options.root, Path(cache), algorithm, command)
        others = {
            "audit": ["audit", str(table), "--quasi", ",".join(COLUMNS), "--json"],
            "verify": ["verify", str(release), "--json"],
            "attack": ["attack", str(release), "--json"],
        }
        for command, arguments in others.items():
            with tempfile.TemporaryDirectory() as cache:
                report(options.root, Path(cache), command, arguments)


if __name__ == "__main__":
    main()
