"""What every model, metric, algorithm and hierarchy must keep, as checks: Kohort's own pass them, and so should yours.

    from kohort.testing import check_model
    def test_my_model():
        check_model(MyModel(2, "ill"))

Each check raises `ContractError`, an AssertionError that says what was broken, or returns nothing.
"""

from kohort.testing.algorithms import check_algorithm
from kohort.testing.contract import ContractError
from kohort.testing.documented import check_documented
from kohort.testing.hierarchies import check_hierarchy
from kohort.testing.metrics import check_metric
from kohort.testing.models import check_model

__all__ = [
    "ContractError",
    "check_algorithm",
    "check_documented",
    "check_hierarchy",
    "check_metric",
    "check_model",
]
