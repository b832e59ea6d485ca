"""How rows of one value agree in another column, as SQL counts it where the rows are; no value comes from there."""

from __future__ import annotations

from typing import Any

from kohort.proposals.agreeing import Agreement

ENOUGH = (
    1_000_000  # rows, beyond which those of some values of the first column are looked at, all rows of each
)


def agreement_in_sql(rows: str, first: str, second: str, told: str) -> str:
    """Return the query for an `Agreement` of two columns of some rows; `told` says of a row that it is looked at."""
    return (  # within, for a cluster tells its views before the query in the same way
        f"SELECT * FROM (WITH pairs AS (SELECT {first} AS a, {second} AS b, CAST(count(*) AS DOUBLE) AS r FROM {rows} WHERE {told} "
        f"GROUP BY {first}, {second}), "
        "by_first AS (SELECT sum(r) AS n, sum(r * (r - 1)) AS p FROM pairs GROUP BY a), "
        "by_second AS (SELECT sum(r) AS n FROM pairs GROUP BY b), "
        "of_firsts AS (SELECT count(*) AS different, sum(n) AS looked_at, sum(CASE WHEN n > 1 THEN n ELSE 0 END) AS repeating, "
        "sum(CASE WHEN n > 1 THEN 1 ELSE 0 END) AS several, avg(CASE WHEN n > 1 THEN p / (n * (n - 1)) END) AS alike "
        "FROM by_first), "
        "of_seconds AS (SELECT count(*) AS others, sum(n * n) AS squares FROM by_second) "
        "SELECT CAST(different AS BIGINT) AS different, CAST(others AS BIGINT) AS others, "
        "CAST(coalesce(looked_at, 0) AS BIGINT) AS looked_at, CAST(coalesce(repeating, 0) AS BIGINT) AS repeating, "
        "CAST(coalesce(several, 0) AS BIGINT) AS several, CAST(coalesce(alike, 0) AS DOUBLE) AS alike, "
        "CAST(coalesce(squares / (looked_at * looked_at), 0) AS DOUBLE) AS chance FROM of_firsts CROSS JOIN of_seconds) "
        "AS found"
    )


def agreement_told(found: Any) -> Agreement:
    """Return what the query found, a table of one row."""
    return Agreement(*(found.column(name)[0].as_py() for name in found.column_names))


def one_in(n_rows: int) -> int:
    """Return one in how many values of a column is looked at.

    >>> one_in(1_000_000), one_in(100_000_000)
    (1, 100)
    """
    return max(1, -(-n_rows // ENOUGH))
