"""What a column may be that waits for a decision: the roles between which a person decides, the proposed one first.

A proposal errs on the side of who could be recognised. What must not be learnt of a person is not protected by that: to
agree would be wrong of a column that is sensitive, so it is never proposed as if there were nothing to choose.
"""

from __future__ import annotations

from kohort.proposals.proposal import Proposal
from kohort.proposals.words import CONCEPTS
from kohort.table import Role

_OTHER = {Role.SENSITIVE: Role.QUASI, Role.IDENTIFIER: Role.QUASI, Role.INSENSITIVE: Role.QUASI}
_ROLES = {concept.name: concept.role for concept in CONCEPTS}


def choices(proposal: Proposal) -> tuple[Role, ...]:
    """Return the roles that a column may have; the one it has where that is decided."""
    if proposal.decided:
        return (proposal.role,)
    if proposal.role is not Role.QUASI:
        return proposal.role, _OTHER[proposal.role]
    hint = _ROLES.get(proposal.concept or "", Role.SENSITIVE)
    return proposal.role, hint if hint is not Role.QUASI else Role.SENSITIVE


def role_said(proposal: Proposal) -> str:
    """Return a role as it is told: `quasi`, and `quasi or sensitive` where that is to be decided."""
    return " or ".join(map(str, choices(proposal)))
