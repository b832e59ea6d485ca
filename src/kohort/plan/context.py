"""What [context] says of a release, and what it may not."""

from __future__ import annotations

import msgspec

from kohort.errors import InputError
from kohort.plan.sections import ContextPlan

SAID = tuple(f.name for f in msgspec.structs.fields(ContextPlan) if f.name != "public")


def said(context: ContextPlan) -> dict[str, str]:
    """Return what the holder says of a release, by field."""
    return {name: str(told) for name in SAID if (told := getattr(context, name)) is not None}


def check_context(context: ContextPlan) -> None:
    """Refuse fields that say nothing, and to publish what is not said."""
    told = said(context)
    for name, words in told.items():
        if not words.strip():
            raise _refusal(name, "it is blank; say it, or leave it out")
    for name in context.public:
        if name not in told:
            known = ", ".join(told) or "nothing"
            raise _refusal("public", f"it names {name!r}, which [context] does not say; it says: {known}")


def _refusal(option: str, why: str) -> InputError:
    return InputError(f"[context] {option}: {why}", code="plan.wrong-value", section="context", option=option)
