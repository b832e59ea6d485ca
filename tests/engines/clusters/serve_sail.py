"""Serves Spark Connect by Sail, at a port that the system chooses and a file tells, until it is ended.

Started by `processes.py`: python serve_sail.py FILE
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from pysail.spark import SparkConnectServer


def main(told: Path) -> None:
    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    beside = told.with_suffix(".new")
    beside.write_text(str(server.listening_address[1]))
    beside.rename(told)  # whole, or not there
    signal.pause()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
