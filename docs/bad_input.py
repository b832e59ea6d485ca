"""Writes docs/bad-input.md: what Kohort answers to bad input, from the tests that check it (`make docs`)."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "bad-input.md"
HEAD = """# Bad input, and what Kohort answers

Made by `make docs` from the tests that check every line. Nothing here ends in a traceback, and no message quotes a cell.
Exit code 2: the input or the plan is wrong; 3: no release keeps the promises. Beyond these classes, every key of a plan is
tried with {wrong} kinds of wrong values (`tests/contract/test_wrong_values.py`), and readers are fuzzed (`tests/trust/fuzz.py`).

"""


def text() -> str:
    """Return the page."""
    sys.path.insert(0, str(ROOT))
    from tests.cli.test_errors import PLANS, TABLES
    from tests.trust.bad_files import FILES
    from tests.trust.wrong_values import WRONG

    parts = [HEAD.format(wrong=len(WRONG))]
    parts += _part("Files", [(case, suffix, said) for case, (suffix, _, said) in FILES.items()])
    parts += _part("Tables", [(case, ".csv", said) for case, (_, said) in TABLES.items()])
    parts += _part("Plans", [(case, ".toml", said) for case, (_, _, said) in PLANS.items()])
    return "".join(parts)


def _part(title: str, rows: list[tuple[str, str, str]]) -> list[str]:
    lines = [f"## {title}\n\n| what | file | the answer says | exit code |\n|---|---|---|---|\n"]
    lines += [
        f"| {case} | `{suffix}` | {f'…{said}…' if said else 'what is wrong'} | 2 |\n"
        for case, suffix, said in rows
    ]
    return [*lines, "\n"]


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
