"""The engines that any test may start. A cluster takes a while: its tests run in a process of their own, which starts it once for all."""

import os

from kohort.engines import ENGINES

CLUSTERS = () if os.environ.get("KOHORT_SPARK") else ("spark",)
AT_HAND = {name: place for name, place in ENGINES.items() if name not in CLUSTERS}
