"""Kinds of values that Spark does not tell as they are, and the words that refuse them."""

import os

AT_SAIL = "KOHORT_SAIL" in os.environ  # a server of another making, with gaps of its own
REFUSED = {"nanoseconds": r"does not read: 'q'.* \(nanoseconds\)", "zones": "of the zone Europe/Berlin"}
if AT_SAIL:
    REFUSED["categories"] = r"does not read: 'q'.* \(categories\)"
    REFUSED["unsigned"] = r"would lose: 'q'.* \(uint64 as int64\)"
