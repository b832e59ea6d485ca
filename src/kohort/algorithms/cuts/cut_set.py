"""`CutSet`: which cuts are made."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CutSet = NDArray[np.uint8]  # per cut: 1 made, 0 not; as the status of a search node also 2, ruled out
