"""The engines that any test may start. A cluster takes a while: its tests are in `in_spark`, and start it once for all."""

from kohort.engines import ENGINES

CLUSTERS = ("spark",)
AT_HAND = {name: place for name, place in ENGINES.items() if name not in CLUSTERS}
