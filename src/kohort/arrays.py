"""Names for the array types that travel between the rooms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.signedinteger[Any]]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
BitArray = NDArray[np.unsignedinteger[Any]]  # many bits to a number
