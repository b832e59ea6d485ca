"""What is collected where Spark is at hand."""

from tests.engines.in_spark.one_session import AFAR

# Of the process that has Spark at hand: a Connect server has none of its own.
collect_ignore = ["test_at_connect.py", "test_lost_driver.py"] if AFAR else []
