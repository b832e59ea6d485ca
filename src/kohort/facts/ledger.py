"""What the ledger says of a release, for its holder."""

from __future__ import annotations

import msgspec

from kohort.facts.fact import Count, Fact


class LedgerFacts(Fact, frozen=True):
    """What a comparison with earlier releases came to; of people null where there was none to compare with."""

    compared: Count | None  # releases that were shared; null where it is in no ledger
    because: str | None = None  # why it is in none, or nobody is recognised in it
    release: Count | None = None  # its number
    releases: tuple[Count, ...] = ()  # those it was compared with
    drafts: tuple[Count, ...] = ()  # earlier ones that nobody marked as shared: not compared
    marked: bool = False  # as shared, when this was told
    marked_before: bool = False  # it was shared already, and was compared again
    book: str = ""  # in which ledger, by what tells its key from any other; empty in older audits
    not_compared: dict[int, str] = msgspec.field(default_factory=dict)  # by number, with the reason
    shared: Count | None = None  # people who stand in one of them too
    smallest: Count | None = None  # the smallest crowd of any of them
    below_k: Count | None = None  # people whose crowd is smaller than promised
    new_below_k: Count | None = None
    single_value: Count | None = None  # people with one sensitive value left
    new_single_value: Count | None = None
    below_l: Count | None = None  # people with fewer values left than promised
    new_below_l: Count | None = None
    uncombined: Count | None = None  # people with too many rows or tuples to combine: counted as if alone
    unsure: Count | None = (
        None  # people counted of whom it is not known which rows go together: the counts are bounds
    )
    by_column: tuple[Count, ...] = ()  # releases of which it is not known what rows carry: columns one by one
    unlike: Count | None = None  # columns in unlike forms, followed by exact values: the counts are bounds
    disagreeing: Count | None = None  # people of whom nothing that is told agrees in all columns
    unpaired: Count | None = None  # columns of the rows that may be called otherwise in another release
    unpaired_quasi: Count | None = None  # so of columns that one release calls quasi
    changing: str | None = None  # the column that by itself tells nothing that agrees of most of these
    changing_of: Count | None = None  # of how many
    laid_open: Count | None = (
        None  # people of this one only, given away to whoever knows what others call quasi
    )
    laid_open_before: Count | None = (
        None  # so people of others only, to whoever knows what this one calls quasi
    )
