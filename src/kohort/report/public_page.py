"""The public page about a release: what its tables show, and nothing that they do not."""

from __future__ import annotations

from kohort.facts import Manifest
from kohort.plurals import many
from kohort.report.blocks import Block, Figure, Section, notice, text
from kohort.report.classes import class_sizes
from kohort.report.company import company
from kohort.report.compliance import public_compliance
from kohort.report.context import CONTEXT, context
from kohort.report.glossary import WORDS, glossary
from kohort.report.ledger import public_beside_others
from kohort.report.left_out import may_be_left_out, may_leave_out, stands_blank
from kohort.report.method import check, method
from kohort.report.notices import notices
from kohort.report.page import Page, release_report
from kohort.report.plain import COUNTED, in_plain_words
from kohort.report.released_values import distributions, released_columns
from kohort.report.remaining_risk import measured_risk
from kohort.report.sensitive import sensitive_values
from kohort.report.words import count

PRIVATE = "How much was suppressed, lost or searched is told in the holder's private report."
BESIDE_BLANK = (
    "Suppressed rows, if there are any, are among them, with * in every quasi-identifier. How much was lost or searched is told in "
    "the holder's private report."
)
REGULATORS = "For the file: GDPR, HIPAA, EMA and Health Canada"


def public_page(public: Manifest) -> Page:
    """Return the page about the tables of a release, for everybody."""
    return release_report(
        public,
        zone="Public: computed from the released table and the plan alone",
        lead=f"{many(public.rows, 'row is', 'rows are')} released, {company(public).where(public)} {_untold(public)}",
        notices=[*notices(public), *_people(public)],
        figures=_figures(public),
        plain=in_plain_words(public, company(public).plainly(public), COUNTED[public.counted]),
        public=True,
        parts=_parts(public),
        footer=f"Made by Kohort {public.kohort}. Every number on this page stands in manifest.json beside it or follows from "
        "those that do, and whoever holds the table can compute both again.",
    )


def _parts(public: Manifest) -> list[Section]:
    names = company(public).names
    told = f"What {names} tell about sensitive values"
    return [
        Section("values", "Values", "Which values are released, and how often", distributions(public)),
        Section("columns", "Columns", "What is released of each column", released_columns(public)),
        Section("classes", names.capitalize(), f"How large the {names} are", class_sizes(public)),
        Section("left-out", "Left out", "Who may have been left out", may_be_left_out(public)),
        Section("sensitive", "Sensitive values", told, _sensitive(public)),
        Section("risk", "Remaining risk", "What remains at risk", _risk(public)),
        Section("method", "Method", "How it was done", method(public)),
        Section("compliance", "Regulators", REGULATORS, public_compliance(public)),
        Section("context", "Context", CONTEXT, context(public.asked)),
        Section("check", "Check", "How to check it", check(public)),
        Section("words", "Words", WORDS, glossary()),
    ]


def _untold(public: Manifest) -> str:
    """Return what the private report tells beside; of blank rows how many there are is seen."""
    return BESIDE_BLANK if may_leave_out(public) and stands_blank(public.asked) else PRIVATE


def _people(public: Manifest) -> list[Block]:
    if public.counted != "rows":
        return []
    return [
        notice(
            "One person may have several rows",
            "The promises count people. The release does not show which rows are one person's, so the figures on this page count "
            "rows, and risks, which are people's, are not among them.",
        )
    ]


def _figures(public: Manifest) -> list[Figure]:
    told = company(public)
    return [
        ("rows released", count(public.rows), "in the table"),
        *told.protection(public),
        *told.smallest(public),
        *([] if public.risk is None else told.picked_out(public.risk, public.counted)),
    ]


def _sensitive(public: Manifest) -> list[Block]:
    blocks = sensitive_values(public)
    if not blocks:
        return []
    said = (
        "The whole table of t, β and δ is here the released one; promises of these compare with the original, which is "
        "private."
    )
    return [*blocks, text(said)]


def _risk(public: Manifest) -> list[Block]:
    said = (
        "The holder can run the attacks of the literature on the release and the original (kohort attack); what they came to "
        "is in the private report."
    )
    return [*measured_risk(public), *public_beside_others(), text(said)]
