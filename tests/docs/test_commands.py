"""What README and tutorial tell to type is typed, word by word and in that order; their Python has types."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from kohort import Plan, anonymize
from kohort.cli.main import main
from kohort.demo import write
from kohort.demo.patients import make_patients

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
DOCUMENTS = ("README.md", "docs/tutorial.md")
TYPED = ("README.md",)  # the documents whose Python is one program
SHORT, WHOLE = 600, 10_000  # patients of the made-up hospital


def blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def typed(document: str) -> list[list[str]]:
    """Return the commands of a document, each as its words."""
    lines = [line for block in blocks(document, "sh") for line in block.splitlines()]
    return [words for line in lines if (words := shlex.split(line, comments=True))]


def recipe(target: str) -> list[list[str]]:
    """Return what the Makefile runs for a target, as far as it is Kohort that is run."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", text, re.M)
    assert found, f"there is no `make {target}`"
    lines = [shlex.split(line.removeprefix("$(BIN)/")) for line in found[1].replace("\t", "").splitlines()]
    return [words for words in lines if words[0] == "kohort"]


def installs(words: list[str]) -> bool:
    """Say whether a command installs something, and demand that what it names of Kohort's exists."""
    if (
        words[0] not in ("pip", "pipx", "uv", "python", "py", ".", "source", "git", "cd")
        and "pip" not in words[0]
    ):
        return False
    for word in words:
        if word.startswith(("kohort", ".[")):
            named = Requirement(word if word[0] == "k" else f"kohort{word[1:]}")
            assert named.extras <= set(EXTRAS), word
    return True


class Typist:
    """Types commands in one directory; what was typed before and reads alike is not typed again."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.place, self.monkeypatch = place, monkeypatch
        self.done: list[list[str]] = []

    def type(self, words: list[str]) -> None:
        if words[0] == "make":
            for command in recipe(words[1]):
                self.type(command)
        elif not installs(words) and words not in self.done:
            assert words[0] == "kohort", f"nobody knows how to try {words}"
            self.done.append(words)
            self.run(words)

    def run(self, words: list[str]) -> None:
        self.monkeypatch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code in (0, None), " ".join(words)


def try_out(document: str, patients: int, place: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    monkeypatch.chdir(place)
    monkeypatch.setattr("kohort.demo.files.make_patients", lambda: make_patients(patients))
    typist = Typist(place, monkeypatch)
    for words in typed(document):
        typist.type(words)
        if (place / "demo" / "patients.csv").exists() and not (place / "patients.csv").exists():
            shutil.copy(place / "demo" / "patients.csv", place / "patients.csv")  # a table of one's own
    return typist.done


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_of_a_document_does_what_it_says(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = try_out(document, SHORT, tmp_path, monkeypatch)
    assert {"demo", "init", "anonymize", "verify", "audit", "frontier"} <= {words[1] for words in done}
    assert (tmp_path / "out" / "report.html").exists()


def test_the_tutorials_release_keeps_something_of_every_column(tmp_path: Path) -> None:
    """And the plan that it releases is the demo's, of which it says so."""
    assert ["kohort", "anonymize", "demo/plan.toml", "-o", "out"] in typed("docs/tutorial.md")
    plan = Plan.load(write(tmp_path / "demo"))
    release = anonymize(tmp_path / "demo" / "patients.csv", plan)
    lost = {column.name: column.generalized.loss for column in release.facts.columns if column.generalized}
    assert set(lost) == set(plan.quasi)
    assert max(lost.values()) < 0.5


@pytest.mark.long
@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_of_a_document_does_what_it_says_of_the_whole_demo(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert try_out(document, WHOLE, tmp_path, monkeypatch)


def test_commands_that_lead_nowhere_are_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typist = Typist(tmp_path, monkeypatch)
    with pytest.raises(AssertionError, match="no `make nonsense`"):
        typist.type(["make", "nonsense"])
    with pytest.raises(AssertionError, match="kohort audit nowhere"):
        typist.type(["kohort", "audit", "nowhere.csv", "--quasi", "a"])
    with pytest.raises(AssertionError, match="nonsense"):
        typist.type(["pip", "install", "kohort[nonsense]"])


def checked_by_mypy(program: str, place: Path) -> subprocess.CompletedProcess[str]:
    """Check a program with the project's own settings; what is known of Kohort's types is kept between runs."""
    path = place / "program.py"
    path.write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_python_of_a_document_has_types_that_mypy_accepts(tmp_path: Path) -> None:
    for document in TYPED:
        done = checked_by_mypy("\n".join(blocks(document, "python")), tmp_path)
        assert done.returncode == 0, done.stdout
    wrong = checked_by_mypy(
        "import kohort\nkohort.Plan(columns=3, require=[kohort.KAnonymity('2')])\n", tmp_path
    )
    assert wrong.stdout.count("error: Argument") == 2
