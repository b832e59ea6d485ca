"""What the ledger says of a release beside earlier ones, for its holder and for everybody."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from kohort.facts.ledger import LedgerFacts
from kohort.facts.promises import AttackFacts
from kohort.plurals import many
from kohort.report.blocks import Block, heading, text

COMPOSITION = "composition"
NOT_FOLLOWED = "what the values of some leave to others"


def beside_others(ledger: LedgerFacts | None, attacks: Sequence[AttackFacts] | None) -> list[Block]:
    """Return how a release goes together with earlier ones, and whether the composition attack says the same.

    No attacks: none looks at several releases of such a shape.
    """
    if ledger is None:
        return []
    told = [
        heading("Beside other releases of the same people"),
        text(". ".join(_capital(said) for said in (said_of(ledger), state_of(ledger)) if said) + "."),
    ]
    if attacks is None:
        return told
    composed = [one for one in attacks if one.attack.startswith(COMPOSITION)]
    return [*told, text(agreement(ledger, composed))]


def public_beside_others() -> list[Block]:
    """Return what everybody may know of other releases: the same of every release, for what was found is private."""
    return [
        text(
            "Nothing on this page speaks of other releases about the same people: laid over each other, releases can give away "
            "what none of them gives away alone. What the holder found by comparing this one with earlier ones, or why nothing "
            "was compared, stands in the private report."
        )
    ]


def said_of(told: LedgerFacts) -> str:
    """Return what a comparison with shared releases means; what was not compared is never called fine."""
    if told.compared is None:
        return f"ledger: not compared with earlier releases, because {told.because}"
    said = [_together(told, told.compared)] if told.compared else []
    said += [told.because] if told.because else []
    hindered: dict[str, list[str]] = {}
    for number, reason in told.not_compared.items():
        hindered.setdefault(reason, []).append(str(number))
    said += [
        f"not compared with release {_listed(numbers)}, because {reason}"
        for reason, numbers in hindered.items()
    ]
    said += _drafts(told)
    return "ledger: " + ("; ".join(said) or "no earlier release to compare with")


def state_of(told: LedgerFacts, place: str = "DIR") -> str:
    """Return whether a release counts for others, and what makes it count; nothing where it is in no ledger."""
    if told.release is None:
        return ""
    if told.marked:
        was = "was marked as shared before" if told.marked_before else "marked as shared"
        return (
            f"{was}: it counts as release {told.release} for all that follow; if nobody gets it after all, "
            f"`kohort history --withdraw {told.release}`"
        )
    return (
        f"this is a draft, number {told.release} of the ledger: it was compared as if it were shared, and counts for others once "
        f"it is; before anybody gets it, `kohort share {quote(place)}`"
    )


def _drafts(told: LedgerFacts) -> list[str]:
    """Return that there are drafts which nobody marked; where there are, nothing is called the first."""
    if not told.drafts:
        return []
    number = len(told.drafts)
    drafts, one = ("1 draft", "it") if number == 1 else (f"{number:,} drafts", "one of them")
    nothing = [] if told.compared or told.not_compared else ["no release is marked as shared"]
    return [
        *nothing,
        f"not compared with {drafts} that nobody marked as shared: if anybody has {one}, say so first "
        "(kohort history --shared ID)",
    ]


def gives_away(told: LedgerFacts) -> bool:
    """Whether somebody of this release was found to be given away by it together with earlier ones."""
    return bool(told.compared and (_given_away(told) or told.laid_open))


def gives_more_away(told: LedgerFacts) -> bool:
    """Whether somebody is given away whom the earlier releases without this one, or this one alone, do not."""
    return gives_away(told) and bool(
        told.new_below_k or told.new_single_value or told.new_below_l or told.laid_open
    )


def agreement(ledger: LedgerFacts, composed: Sequence[AttackFacts]) -> str:
    """Return whether the composition attack leaves as many people with one value as the ledger does, or why not."""
    by_column = [told for told in composed if "singletons" in told.details]
    if not by_column:
        return (
            "The composition attack, which looks people up in several releases by what their values mean, was not run beside "
            "another one: kohort attack RELEASE --all --second OTHER."
        )
    singles = [int(told.details["singletons"]) for told in by_column]
    found = " and ".join(
        f"{count:,} ({told.details['column']})" for told, count in zip(by_column, singles, strict=True)
    )
    said = f"The composition attack leaves one value for {_of(singles, found)} of those it looks up"
    if ledger.single_value is None:
        return f"{said}; the ledger compared nothing that this could agree with."
    if max(singles) <= ledger.single_value <= sum(singles) and not _other_people(ledger, by_column):
        return f"{said}: as many as the ledger counts."
    return f"{said}, the ledger counts {ledger.single_value:,}: {'; '.join(_differences(ledger, by_column))}."


def _of(singles: Sequence[int], found: str) -> str:
    return f"{singles[0]:,}" if len(singles) == 1 else found


def _other_people(ledger: LedgerFacts, composed: Sequence[AttackFacts]) -> bool:
    return any(told.n != ledger.shared for told in composed) or _other_releases(ledger, composed)


def _other_releases(ledger: LedgerFacts, composed: Sequence[AttackFacts]) -> bool:
    return any(int(told.details.get("releases", 0)) - 1 != ledger.compared for told in composed)


def _differences(ledger: LedgerFacts, composed: Sequence[AttackFacts]) -> list[str]:
    """Return what the two look at differently, of which the figures tell."""
    found = []
    if _other_releases(ledger, composed):
        given = int(composed[0].details.get("releases", 1)) - 1
        found.append(
            f"the attack was given {many(given, 'other release')}, and the ledger compared {ledger.compared or 0:,}"
        )
    if any(told.n != ledger.shared for told in composed):
        found.append(
            f"the attack looks for {composed[0].n:,} who fit two releases by what the values mean, rows that were left out "
            f"among them, and the ledger knows {many(ledger.shared or 0, 'person who stands', 'people who stand')} in two"
        )
    if any("followed" in told.details and told.details["followed"] is None for told in composed):
        found.append("the ledger follows rows by all columns they carry, which were too many for the attack")
    if ledger.unlike:
        found.append("the ledger follows columns that are told in unlike forms by their exact values")
    return found or [
        "the ledger knows in which class everybody stands; the attack sees what fits, which is more where labels overlap"
    ]


def _together(told: LedgerFacts, earlier: int) -> str:
    releases = "1 shared release" if earlier == 1 else f"{earlier:,} shared releases"
    found = _given_away(told)
    others = _others(told)
    if not told.shared and not told.laid_open:
        return f"compared with {releases}; nobody of this one is in them, by the respondent column{others}"
    if not found and not told.laid_open:
        return (
            f"compared with {releases}; by the classes they put people in and by what their rows carry, {_so_far(told)}together "
            f"they give nobody of this one away, also to whoever knows what any of them calls quasi{_apart(told)}{_unlike(told)}"
            f"{others}; what differences tell of people who are in only one of them, and {NOT_FOLLOWED}, is not looked at"
        )
    which, whose = _listed([str(number) for number in told.releases]), []
    if found:
        shared = many(told.shared or 0, "person", "people")
        whose.append(f"of the {shared} of this one who are in a shared one too, {' and '.join(found)}")
    if told.laid_open:
        whose.append(
            f"of those who are in this one only, {_people(told.laid_open, 'is', 'are', None)} left with fewer people to hide "
            "among, or fewer sensitive values, than promised"
        )
    return (
        f"together with release {which} (see `kohort history`), {', and '.join(whose)}, for whoever knows in which classes they "
        "stand and what any of the releases calls quasi, and follows rows by all columns that they carry, taking it that nothing "
        "was changed in between"
        f"{_followed(told)}{_apart(told)}{_unlike(told)}{others} ({NOT_FOLLOWED} is not looked at); {_advice(told)}"
    )


def _others(told: LedgerFacts) -> str:
    """Return whom of the earlier releases this one gives away by what it calls quasi, whether it is shared or not."""
    if not told.laid_open_before:
        return ""
    number = _people(told.laid_open_before, "who is", "who are", None)
    return (
        f"; to whoever knows what this one calls quasi, the earlier ones give away {number} in them only, whether this one is "
        "shared or not"
    )


def _so_far(told: LedgerFacts) -> str:
    """Return that an all-clear is none for what could not be compared, where there is such."""
    in_doubt = told.disagreeing or told.unpaired or told.unpaired_quasi
    return "as far as they could be compared, " if in_doubt else ""


def _advice(told: LedgerFacts) -> str:
    """Return what to do about people who are given away."""
    if gives_more_away(told):
        return "do not share it beside them. If nobody has one of them, withdraw it: kohort history --withdraw ID"
    return "all of that the others tell without this one already, or this one without them"


def _apart(told: LedgerFacts) -> str:
    """Return of which releases columns were looked at one by one."""
    if not told.by_column:
        return ""
    which = _listed([str(number) for number in told.by_column])
    return (
        f"; of release {which} each sensitive column counts by itself (it is told apart from the rows, or what rows carry was not "
        "recorded yet)"
    )


def _unlike(told: LedgerFacts) -> str:
    """Return what stands in the way of following rows: columns told in unlike forms, and values that do not agree."""
    said = ""
    if told.unlike:
        columns = many(told.unlike, "column is told", "columns are told")
        its = "its" if told.unlike == 1 else "their"
        said += (
            f"; {columns} in unlike forms (more coarsely, by classes only, or as missing in one of them), and rows are followed by "
            f"{its} exact values, as if everybody knew them"
        )
    if told.disagreeing:
        said += (
            f"; of {many(told.disagreeing, 'person', 'people')} rows that may go together tell nothing that agrees in all columns "
            "(values were changed in between or filled in later, are spelled otherwise, or are of another row), so that columns "
            "were left out, and more may be known than is counted"
        )
        if told.changing is not None:
            said += (
                f" (of {many(told.changing_of or 0, 'person', 'people')} nothing that {told.changing!r} tells is the same: leave "
                "it out of releases of the same people if it changes, spell it alike if it does not)"
            )
    if told.unpaired:
        columns = many(
            told.unpaired, "column of the rows has its name", "columns of the rows have their names"
        )
        said += (
            f"; {columns} in some of them only, where others have columns of other names: what was renamed is not recognised, and "
            "was not compared"
        )
    if told.unpaired_quasi:
        columns = many(told.unpaired_quasi, "column", "columns")
        was = "was" if told.unpaired_quasi == 1 else "were"
        said += f"; {columns} that one release calls quasi may be called otherwise in another, and {was} not compared there"
    return said


def _given_away(told: LedgerFacts) -> list[str]:
    """Return what was counted; as a bound where rows may go together otherwise, as what may be where values do not agree."""
    most = "up to " if told.unsure else None
    found = (
        [f"{_people(told.below_k, 'hides', 'hide', most)} among fewer than promised"] if told.below_k else []
    )
    if told.disagreeing:  # whoever takes what agrees by chance for the same row is wrong
        most = ""
    elif told.unlike:
        most = "up to "
    if told.single_value:
        new = told.new_single_value or 0
        found.append(
            f"{_people(told.single_value, 'is', 'are', most, 'be')} left with one sensitive value ({new:,} only by this release)"
        )
    if told.below_l:
        found.append(
            f"{_people(told.below_l, 'has', 'have', most)} fewer sensitive values left than promised"
        )
    return found


def _followed(told: LedgerFacts) -> str:
    """Return of how many of those counted it is not known which rows go together, and how many were given up."""
    said = ""
    if told.unsure:
        said += (
            ", and if a row that another of the releases lacks is taken for any row of the same person there: of "
            f"{told.unsure:,} of those counted it is not known which rows go together"
        )
    if told.uncombined:
        said += f"; {told.uncombined:,} of them have too many rows or tuples to be followed, and are counted as if they stood alone"
    return said


def _listed(numbers: list[str]) -> str:
    return numbers[0] if len(numbers) == 1 else f"{', '.join(numbers[:-1])} and {numbers[-1]}"


def _people(count: int, one: str, several: str, most: str | None, may: str = "") -> str:
    if most is not None:
        return f"{most}{count:,} {'person' if count == 1 else 'people'} may {may or several}"
    return f"1 person {one}" if count == 1 else f"{count:,} people {several}"


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]
