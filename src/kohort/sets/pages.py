"""The pages about a release of sets: the promise and the verdict first, then what is told and what it cost."""

from __future__ import annotations

from collections.abc import Sequence

from kohort.facts.promises import Promise
from kohort.plurals import many
from kohort.report.blocks import Block, Figure, Section, chart, code, table, text
from kohort.report.charts import Bar, bars
from kohort.report.context import CONTEXT, context
from kohort.report.glossary import WORDS, glossary
from kohort.report.ledger import beside_others, public_beside_others
from kohort.report.method import ended_early
from kohort.report.page import Page, checked, release_report
from kohort.report.plain import in_plain_words
from kohort.report.words import brief, count, percent
from kohort.sets.facts import HeldLabel, SetFacts, SetManifest, SetMethod, SetSizes

SHOWN = 30  # labels that are drawn; the table below them lists more
LISTED = 1000
SIZES = 20
NOT_PROMISED = (
    "Promised is how many people fit for whoever knows up to m items of a person. Nothing is promised "
    "against who knows more items, "
    "what a person does not hold, or the whole set; rare large sets may be recognised by their size."
)


def public_page(public: SetManifest) -> Page:
    """Return the page about released sets, for everybody."""
    return release_report(
        public,
        zone="Public: computed from the released table and the plan alone",
        lead=f"{_lead(public)} What it cost is told in the holder's private report.",
        notices=[],
        figures=_figures(public),
        plain=in_plain_words(public),
        public=True,
        parts=[
            Section("labels", "Labels", "Which labels are released, and how often", _held(public)),
            Section("sizes", "Sizes", "How large the sets are", [*_sizes(public.sizes), text(NOT_PROMISED)]),
            Section("others", "Other releases", "Beside other releases", public_beside_others()),
            Section("method", "Method", "How it was done", _method(public.algorithm, public.promises)),
            Section("context", "Context", CONTEXT, context(public.asked)),
            Section("check", "Check", "How to check it", _check(public)),
            Section("words", "Words", WORDS, glossary()),
        ],
        footer=f"Made by Kohort {public.kohort}. Every number on this page stands in manifest.json beside it or follows from "
        "those that do, and whoever holds the table can compute both again.",
    )


def release_page(facts: SetFacts) -> Page:
    """Return the page about released sets and what they cost, for the holder of the original."""
    cost = ("NCP", brief(facts.losses["ncp"]), "0 as exact as before, 1 nothing told")
    how = _method(facts.algorithm, facts.promises, facts.stopped)
    return release_report(
        facts,
        zone="Private version, for the holder of the original: not for publication",
        lead=f"{_lead(facts)} {checked(facts)}",
        notices=[],
        figures=[*_figures(facts), cost],
        plain=in_plain_words(facts),
        parts=[
            Section("labels", "Labels", "By which labels items are told", _told(facts)),
            Section("others", "Other releases", "Beside other releases", beside_others(facts.ledger, None)),
            Section("method", "Method", "How it was done", how),
            Section("context", "Context", CONTEXT, context(facts.asked, every=True)),
            Section("reproduce", "Reproduce", "How to reproduce and check it", _reproduce(facts)),
            Section("words", "Words", WORDS, glossary()),
        ],
        footer=f"Made by Kohort {facts.versions['kohort']}. Every number on this page stands in audit.json beside it or follows "
        "from those that do.",
    )


def _lead(facts: SetManifest | SetFacts) -> str:
    return f"The sets of {many(facts.people, 'person', 'people')} are released, told by {many(len(facts.labels), 'label')}."


def _figures(facts: SetManifest | SetFacts) -> list[Figure]:
    least = [verdict.achieved for verdict in facts.verdicts if verdict.achieved is not None]
    return [
        ("people", count(facts.people), "one set each"),
        ("labels", count(len(facts.labels)), "by which items are told"),
        *(
            [
                (
                    "smallest crowd",
                    count(min(least)),
                    "fewest people who share a promised combination of labels",
                )
            ]
            if least
            else []
        ),
    ]


def _held(public: SetManifest) -> list[Block]:
    if not public.labels:
        return [text("Nobody holds anything.")]
    rows = [(one.label, count(one.people)) for one in public.labels[:LISTED]]
    more = len(public.labels) - len(rows)
    drawn = bars("People who hold each label", [_bar(one, public.people) for one in public.labels[:SHOWN]])
    return [
        chart(drawn, "People who hold each label, those that most hold first"),
        table(("label", "people"), rows, (1,), caption=f"All labels{f' but {count(more)}' if more else ''}"),
    ]


def _bar(one: HeldLabel, people: int) -> Bar:
    return Bar(one.label, one.people, f"{count(one.people)} ({percent(one.people / people)})")


def _sizes(sizes: Sequence[SetSizes]) -> list[Block]:
    shown = [Bar(many(one.labels, "label"), one.people, count(one.people)) for one in sizes[:SIZES]]
    rest = sum(one.people for one in sizes[SIZES:])
    said = f"; {count(rest)} have more" if rest else ""
    title = "People by the number of labels in their set"
    return [chart(bars(title, shown), f"{title}{said}")] if shown else []


def _told(facts: SetFacts) -> list[Block]:
    rows = [(one.label, count(one.items), count(one.people)) for one in facts.labels[:LISTED]]
    said = (
        f"{many(facts.items, 'item')} occur in the original, of {count(facts.known)} that the hierarchy knows; "
        f"{count(facts.holding)} of {count(facts.people)} people hold any."
    )
    return [text(said), table(("label", "items under it", "people"), rows, (1, 2)), text(NOT_PROMISED)]


def _method(told: SetMethod, promises: Sequence[Promise], stopped: str | None = None) -> list[Block]:
    rows = [
        ("algorithm", told.name),
        ("what it does", told.summary),
        ("guarantee", told.guarantee),
        ("released values", "true: exact or generalized, every item by one label, the same in all sets"),
        ("paper", told.paper),
        *([] if stopped is None else [("ended early", ended_early(stopped))]),
    ]
    promised = [(one.promise, one.guarantee, one.paper) for one in promises]
    return [table(("", ""), rows), table(("promise", "what it guarantees", "paper"), promised)]


def _check(public: SetManifest) -> list[Block]:
    return [
        text("Whoever has the released files can check again what they show:"),
        code("kohort verify RELEASE            # the directory that holds this page"),
        text(
            f"This page and manifest.json follow from the released table and this plan: Kohort {public.kohort} makes them "
            "again, byte for byte. Paths, the seed and columns that are not released do not stand in it."
        ),
        code(public.plan_toml),
        table(("file", "SHA-256"), list(public.files.items()), caption="Files of the release"),
    ]


def _reproduce(facts: SetFacts) -> list[Block]:
    used = ", ".join(f"{name} {number}" for name, number in facts.versions.items())
    return [
        text("Such a release can be made again from this plan; the order of the rows is new each time:"),
        code(facts.plan_toml),
        text(f"Versions: {used}."),
    ]
