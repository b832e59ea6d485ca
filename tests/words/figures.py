"""Writes docs/figures.md: how many figures of reports and terminal were computed anew, and how many agree.

python -m tests.words.figures [seeds]
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from tests.words.claims import CLAIMS
from tests.words.releases import KINDS, made

TARGET = Path(__file__).parents[2] / "docs" / "figures.md"
HEAD = """# Figures recomputed

Made by `python -m tests.words.figures`; do not edit. Random releases of {kinds} kinds, {seeds} of each, were made; what public report, private
report and terminal say of them in figures was computed anew from the original and the released file by code of the tests that shares nothing with
Kohort (`tests/words/recount.py`, `claims.py`), and looked for word for word. Risks, attacks and guarantees have tests of their own in
`tests/words/`.

| what is said | templates | figures | agree | disagree |
|---|---|---|---|---|
"""


def main(seeds: int = 3) -> str:
    """Return the page."""
    lines, total = [], Counter[str]()
    for name, told in CLAIMS.items():
        found = Counter[str]()
        for kind in told.kinds:
            for seed in range(seeds):
                release = made(kind, seed)
                for claim in told.of(release):
                    found["agree" if claim.stands(release) else "disagree"] += claim.figures
        figures = found["agree"] + found["disagree"]
        lines.append(
            _row(name.replace("_", " "), len(told.sites), figures, found["agree"], found["disagree"])
        )
        total += Counter({"sites": len(told.sites), "figures": figures}) + found
    lines.append(_row("**all**", total["sites"], total["figures"], total["agree"], total["disagree"]))
    return HEAD.format(kinds=len(KINDS), seeds=seeds) + "\n".join(lines) + "\n"


def _row(name: str, *figures: int) -> str:
    return f"| {name} | " + " | ".join(f"{figure:,}" for figure in figures) + " |"


if __name__ == "__main__":
    TARGET.write_text(main(*map(int, sys.argv[1:])), encoding="utf-8")
