"""Whether so many columns can be judged as a file has, known before it is read."""

from __future__ import annotations

from kohort.engines.wanted import Wanted
from kohort.table.scratch import Scratch
from kohort.table.streaming import TableStream
from kohort.table.text_room import TextRoom
from kohort.table.typed_source import TypedSource, UntypedError


def check_columns_of_file(scratch: Scratch, stream: TableStream, wanted: Wanted, texts: TextRoom) -> None:
    """Refuse a Parquet file with more columns of very many values than can be judged; one column is looked at after the other.

    Of other files, and what DuckDB does not read, it is known once they were read.
    """
    otherwise = {*wanted.counted, *wanted.coarse}
    carried = [name for name in wanted.columns if name in wanted.carried and name not in otherwise]
    if len(carried) <= texts.most_columns(scratch.threads):
        return
    try:
        source = TypedSource(scratch, stream, carried)
        many = sum(not source.has_few(name) for name in carried)
    except UntypedError:
        return
    texts.check_columns(many, scratch.threads)
