"""The Python process of an executor, between two tasks.

Spark has every process that it uses again look for cycles among all objects, whenever a task ends. What is imported by then is
hundreds of thousands of objects, none of which goes away: a tenth of a second for each task, more than many tasks take.
"""

from __future__ import annotations

import gc
import os
from functools import cache

_USED_AGAIN = "SPARK_REUSE_WORKER"  # Spark's word to processes that do more than one task


@cache
def settle() -> None:
    """Let what a process of Spark has imported be looked at no more; others are left as they are.

    Once in a process: what is made later is looked at as ever, and what nobody refers to is gone as soon as that is so.
    """
    if os.environ.get(_USED_AGAIN):
        gc.freeze()
