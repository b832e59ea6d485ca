"""A proposal for every column of a table."""

from __future__ import annotations

from collections.abc import Mapping

from kohort.proposals.coarsening import fitting_coarseness
from kohort.proposals.concepts import concept_of, parts_of
from kohort.proposals.evidence import ICD, Evidence
from kohort.proposals.fitting import fitting_hierarchy, instead_of, why_hierarchy
from kohort.proposals.follow_up import Beside, is_indicator
from kohort.proposals.following import with_followers
from kohort.proposals.guarding import with_guards
from kohort.proposals.likely_role import judged
from kohort.proposals.linking import without_links
from kohort.proposals.occasions import with_occasions
from kohort.proposals.proposal import Proposal
from kohort.proposals.respondent import with_respondent
from kohort.proposals.row_numbers import without_row_numbers
from kohort.proposals.spoken_of import says_names_of_people, says_number
from kohort.proposals.survey_weights import as_survey_weight
from kohort.proposals.words import CONCEPTS, OUTCOME, PERSONS_NAME, POSTAL_CODE, RECORD, RESULT, Concept
from kohort.table import Role, Table

_FEW_EACH = 5  # rows of a code on average, where it is one of cases
_PHRASE = 5  # words of a label that may be taken for a name
_RESULTS, _YES_OR_NO = 10, 3  # distinct values of an outcome, and of one that only a time beside it tells


def propose(table: Table, labels: Mapping[str, str] | None = None, guard: bool = False) -> list[Proposal]:
    """Return a proposal for every column of the table, in order.

    A role follows from what the column's name says in one of many languages, or its label where the file has one, what its
    values are, what they look like and how far they tell rows apart. Where these do not agree, or say little, the
    proposal errs on the side that protects people, or is undecided, as is what nothing is known of; by `guard` somebody
    decided to treat this as known to others where the table bears it. At most one column is proposed as the respondent.
    """
    evidence = [Evidence(column) for column in table]
    beside = Beside([one.column.name for one in evidence], evidence)
    found = [_proposal(one, (labels or {}).get(one.column.name, ""), beside) for one in evidence]
    found = with_respondent(table, with_followers(found, evidence), evidence)
    found = without_links(table, with_occasions(table, without_row_numbers(table, found)))
    return with_guards(table, found) if guard else found


def _proposal(evidence: Evidence, label: str, beside: Beside) -> Proposal:
    column = evidence.column
    concept, said = _concept(column.name, label)
    if _is_outcome(evidence, concept, beside):
        concept = next(other for other in CONCEPTS if other.name == OUTCOME)
    concept = _spoken_of(evidence, concept, label if said == "label" else column.name)
    if (weighs := as_survey_weight(evidence, concept)) is not concept:
        concept, said = weighs, "name with its values"
    judgement = judged(evidence, concept, said, label if said == "label" else column.name)
    named = concept.name if concept else None
    hierarchy, doubt = None, ""
    if judgement.role is Role.QUASI:
        hierarchy, doubt = fitting_hierarchy(evidence, named)
    reason = judgement.reason
    if hierarchy is not None and (why := why_hierarchy(hierarchy)):
        reason = f"{reason}; {why}"
    sure = judgement.confidence == "sure"
    return Proposal(
        column=column.name,
        role=judgement.role,
        reason=f"{reason}, but {doubt}" if doubt else reason,
        confidence="unsure" if sure and doubt else judgement.confidence,
        concept=named or (evidence.kind.name if evidence.kind else None),
        hierarchy=hierarchy,
        rows=evidence.rows,
        distinct=evidence.distinct,
        distinction=evidence.distinction,
        separation=evidence.separation,
        common=float(evidence.counts.max(initial=0)) / max(evidence.rows, 1),
        instead=instead_of(evidence) if judgement.role is Role.IDENTIFIER else {},
        coarse=fitting_coarseness(evidence) if judgement.role is Role.SENSITIVE else {},
    )


def _spoken_of(evidence: Evidence, concept: Concept | None, text: str) -> Concept | None:
    """Return what a column holds that is called after something and says a number of it, or the name of a person."""
    if evidence.date_format is not None:
        return concept
    written = not evidence.is_number and evidence.kind is None and not evidence.is_code
    if written and says_names_of_people(text, concept):
        return next(other for other in CONCEPTS if other.name == PERSONS_NAME)
    counted = evidence.is_counted or evidence.is_measured or evidence.shape == ICD
    if concept is None or concept.role is Role.IDENTIFIER or counted or evidence.kind is not None:
        return concept
    alone = evidence.distinct > evidence.rows / _FEW_EACH
    sensitive = concept.role is Role.SENSITIVE
    if not sensitive and (not alone or concept.name == POSTAL_CODE):
        return concept  # schools have numbers, which many share
    number = says_number(text, codes=alone and sensitive)
    return next(other for other in CONCEPTS if other.name == RECORD) if number else concept


def _is_outcome(evidence: Evidence, concept: Concept | None, beside: Beside) -> bool:
    """Tell whether a column says what became of people, or when, by what stands beside it."""
    name = evidence.column.name
    if concept is not None and concept.name != RESULT:
        return False
    if beside.are_timed_by(evidence):
        return True
    if concept is None:
        few = evidence.distinct <= _YES_OR_NO and evidence.kind is None
        return few and (beside.has_time_of(name) or is_indicator(evidence, beside))
    return evidence.distinct <= _RESULTS and beside.follows(name)


def _concept(name: str, label: str) -> tuple[Concept | None, str]:
    """Return what a column's name says, else its label.

    A short label says more than an uncertain name; so does one that has the name's words among others, unless by it the column
    would have another role.
    """
    named = concept_of(name)
    told = concept_of(label) if label else None
    if named is not None and named.certain:
        spelt_out = told is not None and told.role is named.role and {*parts_of(name)} < {*parts_of(label)}
        return (told, "label") if spelt_out and told is not named else (named, "name")
    if told is None or (named is not None and len(parts_of(label)) > _PHRASE):
        return named, "name"
    return told, "label"
