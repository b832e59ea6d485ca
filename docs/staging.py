"""Lays out what the site is built from in build/docs: the pages of docs/, and those that only the site has (`make docs`)."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import notebook

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
TARGET = ROOT / "build" / "docs"
CONTENTS = DOCS / "SUMMARY.md"
COPIED = (".png", ".svg", ".css", ".js", ".ipynb")
ABOVE = re.compile(
    r"(?m)^((?!\s|[-*|] |\d+\. ).+)\n(?=(?:[-*]|\d+\.) )"
)  # a paragraph's last line, and a list
BENCHMARKS = """# Benchmarks

What was measured, on which machine and how to measure it again. Times are those of two shared cores; scores do not depend on them.
"""
DECISIONS = """# Decisions

Why things are as they are: the question, what was decided, what was rejected, and what is not done.
"""


def moved(page: Path) -> str:
    """Return a page that stands beside docs/ as one within it."""
    return spaced(page.read_text(encoding="utf-8").replace("](docs/", "]("))


def spaced(text: str) -> str:
    """Return a page with a blank line above every list: without it, Python-Markdown goes on with the paragraph."""
    parts = re.split(r"(?ms)(^```.*?^```)", text)  # what stands in code is every other part
    parts[::2] = [ABOVE.sub(r"\1\n\n", part) for part in parts[::2]]
    return "".join(parts)


def listed(head: str, folder: Path) -> str:
    """Return a page that lists those of a folder by their titles."""
    pages = sorted(folder.glob("*.md"))
    return head + "\n" + "".join(f"- [{title(page)}]({page.name})\n" for page in pages)


def title(page: Path) -> str:
    """Return the title of a page, which is its first line."""
    return page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


# Pages that only the site has, and who writes them.
MADE: dict[str, Callable[[], str]] = {
    "notebook.md": notebook.text,
    "contributing.md": lambda: moved(ROOT / "CONTRIBUTING.md"),
    "changelog.md": lambda: moved(ROOT / "CHANGELOG.md"),
    "benchmarks/index.md": lambda: listed(BENCHMARKS, DOCS / "benchmarks"),
    "decisions/index.md": lambda: listed(DECISIONS, DOCS / "decisions"),
}


# How pages of docs/ spell what the site has elsewhere. In the contents a folder is all of its pages; in a page, the one that lists them.
ELSEWHERE = {
    "notebook.ipynb": "notebook.md",
    "../CONTRIBUTING.md": "contributing.md",
    "../CHANGELOG.md": "changelog.md",
    "benchmarks/": "benchmarks/index.md",
    "decisions/": "decisions/index.md",
}


def staged(page: Path) -> str:
    """Return a page of docs/ as the site has it."""
    text = page.read_text(encoding="utf-8")
    for spelled, target in ELSEWHERE.items():
        if page != CONTENTS or not spelled.endswith("/"):
            text = text.replace(f"]({spelled})", f"]({target})")
    return spaced(text)


def lay_out() -> None:
    """Write build/docs anew."""
    shutil.rmtree(TARGET, ignore_errors=True)
    for source in (path for path in DOCS.rglob("*") if path.suffix in (".md", *COPIED)):
        target = TARGET / source.relative_to(DOCS)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            target.write_text(staged(source), encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    for name, text in MADE.items():
        (TARGET / name).write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    lay_out()
