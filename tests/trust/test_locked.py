"""What is installed is what was tested: every requirement is pinned, with hashes, to a version the package allows."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINNED = re.compile(
    r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(.*?\\\n(?:    --hash=sha256:[0-9a-f]{64}.*\n?)+)?", re.M
)


def pins(name: str) -> dict[str, tuple[list[Version], bool]]:
    """Return the pinned versions of each package, and whether all of them have hashes."""
    found: dict[str, tuple[list[Version], bool]] = {}
    for package, version, hashes in PINNED.findall((ROOT / "requirements" / name).read_text()):
        versions, hashed = found.get(canonicalize_name(package), ([], True))
        found[canonicalize_name(package)] = ([*versions, Version(version)], hashed and bool(hashes))
    return found


def asked(extra: str | None) -> list[Requirement]:
    """Return the requirements of the package, or of an extra and of the extras that it names."""
    told = PROJECT["dependencies"] if extra is None else PROJECT["optional-dependencies"][extra]
    found = []
    for requirement in map(Requirement, told):
        own = canonicalize_name(requirement.name) == "kohort"
        found += [r for name in requirement.extras for r in asked(name)] if own else [requirement]
    return found


FILES = [
    ("core.txt", [None]),
    ("dev.txt", [None, "dev"]),
    ("docs.txt", [None, "docs"]),
    ("spark.txt", [None, "spark"]),
]


@pytest.mark.parametrize(("file", "extras"), FILES)
def test_every_requirement_is_locked_to_a_version_it_allows(file: str, extras: list[str | None]) -> None:
    locked = pins(file)
    for requirement in (r for extra in extras for r in asked(extra)):
        versions, _ = locked[canonicalize_name(requirement.name)]
        assert all(version in requirement.specifier for version in versions), requirement
    assert all(hashed for _, hashed in locked.values())


def test_what_is_locked_twice_is_locked_alike() -> None:
    dev = pins("dev.txt")
    for file in ("core.txt", "docs.txt", "spark.txt"):
        shared = {name: versions for name, versions in pins(file).items() if name in dev}
        assert shared == {name: dev[name] for name in shared}
        assert len(shared) > 5
