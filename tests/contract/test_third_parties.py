"""A package that others wrote and that pip installed is found, listed, tested, released with and marked; a broken one is left out."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

import kohort

PLUGIN = Path(__file__).parents[1] / "plugin"
KINDS = {
    "models": "even-crowd",
    "metrics": "largest-class",
    "algorithms": "top-first",
    "hierarchies": "initials",
}
PLAN = """
[input]
path = "jobs.csv"
[columns]
job = { role = "quasi", hierarchy = { kind = "initials" } }
ill = { role = "sensitive" }
[[require]]
model = "even-crowd"
k = 2
[recode]
algorithm = "top-first"
objective = "largest-class"
max_suppression = 0.5
"""


def wheel(
    folder: Path, name: str, version: str, points: Mapping[str, Mapping[str, str]], files: Mapping[str, str]
) -> Path:
    """Build a wheel as its specification says: a zip with a folder of metadata; nothing else is needed for pure Python."""
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    groups = "\n".join(
        f"[{group}]\n" + "\n".join(f"{n} = {v}" for n, v in named.items()) for group, named in points.items()
    )
    held = dict(files) | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": groups + "\n",
    }
    lines = []
    for place, text in held.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        lines.append(f"{place},sha256={digest},{len(text.encode())}")
    path = folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as made:
        for place, text in held.items():
            made.writestr(place, text)
        made.writestr(f"{info}/RECORD", "\n".join([*lines, f"{info}/RECORD,,", ""]))
    return path


def install(wheel: Path, site: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--no-build-isolation",
    ]
    subprocess.run(
        [*command, "--disable-pip-version-check", "--target", str(site), str(wheel)], check=True, timeout=300
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of tests/plugin, and three that are broken, each in its own way."""
    folder, site = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    told = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = PLUGIN / "src"
    files = {
        p.relative_to(source).as_posix(): p.read_text(encoding="utf-8") for p in sorted(source.rglob("*.py"))
    }
    install(wheel(folder, told["name"], told["version"], told["entry-points"], files), site)
    broken: dict[str, tuple[Mapping[str, str], str]] = {
        "kohort-absent": ({"absent-model": "nowhere_to_be_found:Model"}, ""),
        "kohort-partial": ({"partial-model": "partial:Partial"}, "class Partial: pass\n"),
        "kohort-shadow": ({"k-anonymity": "shadow:Weak"}, "raise SystemError('never imported')\n"),
        "kohort-double": ({"even-crowd-too": "double:One"}, "One = None\n"),
        "kohort-double-again": ({"even-crowd-too": "double_again:One"}, "One = None\n"),
    }
    for name, (points, text) in broken.items():
        module = name.removeprefix("kohort-").replace("-", "_")
        install(wheel(folder, name, "0.1", {"kohort.models": points}, {f"{module}.py": text}), site)
    return site


def run(site: Path, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(site), str(Path(kohort.__file__).parents[1])])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=500,
    )  # fmt: skip


def command(site: Path, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run(site, "-m", "kohort", *arguments, cwd=cwd)


@pytest.mark.parametrize("kind", KINDS)
def test_items_are_listed_with_their_package_and_version(site: Path, kind: str) -> None:
    done = command(site, kind)
    assert done.returncode == 0
    after = done.stdout.split(f"{KINDS[kind]}\n" if kind != "algorithms" else KINDS[kind])[1]
    assert "of the package: kohort-toys 1.2" in " ".join(after.split())
    assert done.stdout.count("of the package") == 1
    listed = {entry["name"]: entry for entry in json.loads(command(site, kind, "--json").stdout)}
    assert listed[KINDS[kind]]["package"] == "kohort-toys 1.2"
    assert [name for name, entry in listed.items() if "package" in entry] == [KINDS[kind]]


def test_broken_packages_are_named_and_left_out(site: Path) -> None:
    done = command(site, "models", "--json")
    assert done.returncode == 0
    names = [entry["name"] for entry in json.loads(done.stdout)]
    assert not {"absent-model", "partial-model", "even-crowd-too"} & set(names)
    assert names.count("k-anonymity") == 1
    said = done.stderr.splitlines()
    for package, why in {
        "kohort-absent 0.1": "cannot be imported (ModuleNotFoundError",
        "kohort-partial 0.1": "lacks achieved, bind, card",
        "kohort-shadow 0.1": "'k-anonymity' as one of kohort.models, which is the name of Kohort's own",
        "kohort-double 0.1 and kohort-double-again 0.1": "neither is taken",
    }.items():
        assert [line for line in said if f"left out: {package}" in line and why in line], (package, said)
    assert len(said) == 4
    assert not command(site, "metrics").stderr


def test_the_battery_passes_them(site: Path, tmp_path: Path) -> None:
    done = run(
        site,
        "-W", "error", "-c",
        "from kohort.testing import check_algorithm, check_hierarchy, check_metric, check_model\n"
        "from kohort_toys.even_crowd import EvenCrowd\n"
        "from kohort_toys.initials import Initials\n"
        "from kohort_toys.largest_class import LargestClass\n"
        "from kohort_toys.top_first import TopFirst\n"
        "check_model(EvenCrowd(2), worlds=60)\n"
        "check_metric(LargestClass(), tables=2)\n"
        "check_algorithm(TopFirst, tables=1)\n"
        "check_hierarchy(Initials, ['cook', 'clown', 'nurse'], ['9th'], upper=False)\n",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        ("cook", "flu"),
        ("clown", "gout"),
        ("nurse", "cold"),
        ("notary", "flu"),
        ("nurse", "flu"),
        ("vet", "cold"),
    ]
    (tmp_path / "jobs.csv").write_text(
        "job,ill\n" + "".join(f"{job},{ill}\n" for job, ill in rows), encoding="utf-8"
    )
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path


def test_a_release_with_one_of_each_is_verified_and_says_who_judged_it(site: Path, folder: Path) -> None:
    done = command(site, "anonymize", "plan.toml", "-o", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    manifest = json.loads((folder / "out/manifest.json").read_text(encoding="utf-8"))
    promised = {verdict["promise"]: verdict for verdict in manifest["verdicts"]}
    assert promised["even crowds of at least 2"]["holds"] is True
    assert "judged by the package kohort-toys" in promised["even crowds of at least 2"]["note"]
    assert [v for v in manifest["verdicts"] if "kohort-toys" in v.get("note", "")] == [
        promised["even crowds of at least 2"]
    ]
    assert "judged by the package kohort-toys" in (folder / "out/report.html").read_text(encoding="utf-8")
    again = command(site, "verify", "out", cwd=folder)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "judged by the package kohort-toys" in again.stdout
    audit = json.loads((folder / "out.private/audit.json").read_text(encoding="utf-8"))
    assert "largest-class" in json.dumps(audit)
    assert [v for v in everything(audit) if isinstance(v, dict) and v.get("kohort-toys") == "1.2"], (
        "its version is noted"
    )
    said = [v["guarantee"] for v in everything(manifest) if isinstance(v, dict) and "guarantee" in v]
    assert len(said) == 2
    assert all(words.endswith("(as the package kohort-toys says)") for words in said)


def everything(told: object) -> list[object]:
    """All that a JSON document holds."""
    below = told.values() if isinstance(told, dict) else told if isinstance(told, list) else []
    return [told, *(deeper for part in below for deeper in everything(part))]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (
            '"even-crowd"',
            '"absent-model"',
            "kohort-absent 0.1 offers 'absent-model' as one of kohort.models, which cannot",
        ),
        (
            '"even-crowd"',
            '"partial-model"',
            "kohort-partial 0.1 offers 'partial-model' as one of kohort.models, which lacks",
        ),
        (
            '"even-crowd"',
            '"even-crowd-too"',
            "kohort-double 0.1 and kohort-double-again 0.1 offer 'even-crowd-too'",
        ),
        ('"top-first"', '"top-last"', "there is no 'top-last'; the algorithms are: "),
    ],
)
def test_a_plan_that_asks_for_what_is_broken_is_refused(
    site: Path, folder: Path, old: str, new: str, why: str
) -> None:
    (folder / "plan.toml").write_text(PLAN.replace(old, new), encoding="utf-8")
    done = command(site, "anonymize", "plan.toml", "-o", "out", cwd=folder)
    assert done.returncode == 2
    assert why in " ".join(done.stderr.split())
    assert not (folder / "out").exists()


def test_kohorts_own_is_never_replaced(site: Path, folder: Path) -> None:
    (folder / "plan.toml").write_text(PLAN.replace("even-crowd", "k-anonymity"), encoding="utf-8")
    assert command(site, "anonymize", "plan.toml", "-o", "out", cwd=folder).returncode == 0
    manifest = (folder / "out/manifest.json").read_text(encoding="utf-8")
    assert "2-anonymity" in manifest
    assert "judged by" not in manifest


def test_without_the_package_its_release_is_not_taken_for_verified(
    site: Path, folder: Path, tmp_path: Path
) -> None:
    assert command(site, "anonymize", "plan.toml", "-o", "out", cwd=folder).returncode == 0
    done = command(tmp_path / "empty", "verify", "out", cwd=folder)
    assert done.returncode == 2
    assert "there is no kind 'initials'" in " ".join(done.stderr.split())


def test_nothing_is_imported_of_a_package_that_nobody_asks_for(site: Path) -> None:
    told = "import sys, kohort, kohort.models, kohort.metrics, kohort.plan; kohort.Plan(columns={'a': 'quasi'}, require=[{'model': 'k-anonymity', 'k': 2}]); print(sorted({'kohort_toys', 'shadow', 'partial'} & set(sys.modules)))"
    assert run(site, "-c", told).stdout == "[]\n"
