"""The cost model of docs/scaling.md beside what is measured: where CPU seconds follow it, and where they do not.

`python bench/scaling_model.py` predicts the release of census-like tables on `duckdb` from 10^5 to 10^8 rows by the constants
below, and runs those of `--measured` (10^5 and 10^6 rows unless told) to print what they took beside it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.scale import released, table_of

ROWS = tuple(10**power for power in range(5, 9))
MEMORY = "2GB"


@dataclass(frozen=True)
class Costs:
    """CPU seconds: of a run whatever its rows are, of a million rows, and of a million rows at a node that is counted."""

    start: float
    rows: float
    node: float = 0.0

    def predicted(self, rows: int, nodes: int = 0) -> float:
        """Return the CPU seconds of a release."""
        return self.start + rows / 1e6 * (self.rows + self.node * nodes)


# Of few distinct tuples by runs of 10^5 to 10^7 rows; of nearly all distinct ones by one of 10^7 and its nodes.
COSTS = {"few": Costs(1.9, 1.7), "many": Costs(1.9, 2.8, 0.048)}
NODES = {
    "few": 0,
    "many": 57,
}  # counted where the rows are, with tuples that do not fit; where they fit, none


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--measured", type=float, nargs="*", default=[1e5, 1e6], help="rows to run beside")
    parser.add_argument("--folder", type=Path, help="where tables are kept between runs")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = told.folder or Path(scratch)
        folder.mkdir(exist_ok=True)
        _print(folder, frozenset(map(int, told.measured)))


def _print(folder: Path, measured: frozenset[int]) -> None:
    print("| table | rows | predicted, CPU s | measured | nodes counted |")
    print("|---|---|---|---|---|")
    for kind, costs in COSTS.items():
        for rows in sorted({*ROWS, *measured}):
            took, nodes = "–", NODES[kind]
            if rows in measured:
                run = released(folder, table_of(folder, kind, rows), "duckdb", MEMORY)
                took, nodes = f"{run['made'].cpu:.1f}", run.get("counted") or 0
            print(
                f"| {kind} | {rows:,} | {costs.predicted(rows, nodes):.1f} | {took} | {nodes} |", flush=True
            )


if __name__ == "__main__":
    main()
