"""Proposals for a plan: a role for every column with the reason, and a hierarchy for each quasi-identifier."""

from kohort.proposals.plan_draft import note_of, plan_text
from kohort.proposals.proposal import Proposal
from kohort.proposals.proposing import propose

__all__ = ["Proposal", "note_of", "plan_text", "propose"]
