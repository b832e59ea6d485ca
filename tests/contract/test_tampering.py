"""A release folder that was tampered with is never found in order, whoever looks at it and with what in hand.

The holder has the private audit, a recipient may have the releaser's public key, anybody else has the folder alone.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.csv
import pytest
from tests.contract.test_algorithms import frame_for, plan_for
from tests.reference import release as outsider
from tests.reference.tampering import TAMPERINGS, at, leaves, other_than

import kohort
from kohort.algorithms import ALGORITHMS
from kohort.cli.verify import together
from kohort.errors import InputError, KohortError
from kohort.release.signing import new_key
from kohort.table.formats import WRITERS
from kohort.verification.case import SAME, WORD
from kohort.verification.judges import Verdict
from kohort.verification.judges.beside import BESIDE
from kohort.verification.judges.folder import FOLDER
from kohort.verification.judges.truth import PROMISE as TRUTH
from kohort.verification.verify import verify_directory

FORMATS = [suffix.removeprefix(".") for suffix in WRITERS]
# Every format, and every kind of release: whole columns, cells, perturbed, two tables.
SOME = [
    ("csv", "optimal"),
    ("csv", "anatomy"),
    ("tsv", "mondrian"),
    ("parquet", "anatomy"),
    ("duckdb", "mdav"),
    ("sqlite", "levels-and-cells"),
    ("xlsx", "optimal"),
    ("sav", "optimal"),
    ("dta", "k-member"),
]
# Of these one in so many tamperings is tried in haste; None: those of the format, which a process apart reads.
SLOW = {"duckdb": 20, "xlsx": None, "sav": None, "dta": None}
ALL = [(format, name) for format in FORMATS for name in ALGORITHMS if (format, name) not in SOME]

# What the cells do not show, and the file holds.
BESIDE_THE_TABLE = (
    "append_bytes_to_the_table",
    "add_metadata_to_parquet",
    "add_a_second_sheet",
    "add_a_comment_to_the_workbook",
    "add_a_table_to_the_database",
    "add_a_view_to_the_database",
    "add_an_index_to_the_database",
    "leave_deleted_rows_in_the_database",
    "put_a_mark_before_the_text",
    "end_lines_otherwise",
)

# What anybody sees, since manifest and report follow from the tables.
IN_THE_DOCUMENTS = (
    "write_into_the_report",
    "run_a_script_in_the_report",
    "raise_a_figure_of_the_report",
    "hide_a_remark_in_the_report",
    "empty_the_report",
    "take_the_report_of_another_release",
    "take_the_manifest_of_another_release",
    "exchange_report_and_manifest",
    "point_the_manifest_elsewhere",
    "add_a_key_to_the_manifest",
    "space_the_manifest_otherwise",
    "call_it_perturbed",
    "ask_for_another_algorithm",
    "ask_for_less",
    "call_a_quasi_identifier_harmless",
    "declare_another_column",
)

Shelf = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """Return a place with the original, a signed release of it and another release; each made once."""
    made: dict[tuple[str, str], Path] = {}

    def place(format: str, name: str) -> Path:
        if (format, name) not in made:
            made[format, name] = _made(tmp_path_factory.mktemp(f"{format}-{name}"), format, name)
        return made[format, name]

    yield place
    for folder in made.values():
        shutil.rmtree(folder)


def _made(folder: Path, format: str, name: str) -> Path:
    new_key(folder / "key.pem")
    frame, plan = frame_for(name), plan_for(name)
    pyarrow.csv.write_csv(frame, folder / "patients.csv", pyarrow.csv.WriteOptions(quoting_style="none"))
    kohort.anonymize(frame, plan).save(folder / "out", format, sign=folder / "key.pem")
    kohort.anonymize(frame.slice(frame.num_rows // 8), plan).save(
        folder / "other", format, sign=folder / "key.pem"
    )
    return folder


def copied(folder: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to)
    return to / "out"


def ended(out: Path, **known: Any) -> tuple[int, list[Verdict]]:
    """Return the exit code of `kohort verify`, and what it says; anything but a verdict or an error is a bug."""
    try:
        verdicts = verify_directory(out, **known)
    except KohortError as problem:
        return problem.exit_code, []
    return {True: 0, False: 4, None: 5}[together(verdicts)], verdicts


def tampered(folder: Path, to: Path, names: list[str]) -> Iterator[tuple[str, Path]]:
    """Yield the folder in every of these ways in which it can be tampered with."""
    for name in names:
        out = copied(folder, to)
        if TAMPERINGS[name](out) is not False:
            yield name, out


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_was_released_is_found_in_order(name: str, tmp_path: Path) -> None:
    formats = [format for format in FORMATS if format not in SLOW]
    in_order(name, [formats[[*ALGORITHMS].index(name) % len(formats)]], tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_was_released_is_found_in_order_in_every_format(name: str, tmp_path: Path) -> None:
    in_order(name, FORMATS, tmp_path)


def in_order(name: str, formats: list[str], tmp_path: Path) -> None:
    frame, plan = frame_for(name), plan_for(name)
    release = kohort.anonymize(frame, plan)
    for format in formats:
        out = release.save(tmp_path / format, format)
        assert ended(out) == (0, verify_directory(out))
        code, verdicts = ended(out, original=frame)
        assert code == 0, [v for v in verdicts if not v.holds]
        shutil.rmtree(tmp_path / f"{format}.private")
        code, verdicts = ended(out)
        assert code == 5, [v for v in verdicts if v.holds is False]
        assert {v.promise: v.holds for v in verdicts}[WORD] is None


@pytest.mark.parametrize(("format", "name"), SOME)
def test_nobody_takes_a_changed_folder_for_the_release(
    format: str, name: str, shelf: Shelf, tmp_path: Path
) -> None:
    step = SLOW.get(format, 6)
    names = [] if step is None else [*TAMPERINGS][SOME.index((format, name)) % step :: step]
    never_in_order(shelf(format, name), tmp_path, [*names, *(n for n in BESIDE_THE_TABLE if n not in names)])


@pytest.mark.long
@pytest.mark.parametrize(("format", "name"), SOME)
def test_nobody_takes_a_folder_changed_in_any_way_for_the_release(
    format: str, name: str, shelf: Shelf, tmp_path: Path
) -> None:
    never_in_order(shelf(format, name), tmp_path, [*TAMPERINGS])


@pytest.mark.long
@pytest.mark.parametrize(("format", "name"), ALL)
def test_nobody_takes_a_changed_folder_for_the_release_whatever_made_it(
    format: str, name: str, shelf: Shelf, tmp_path: Path
) -> None:
    """Each pair a tenth of the ways, another tenth for the next."""
    never_in_order(shelf(format, name), tmp_path, [*TAMPERINGS][ALL.index((format, name)) % 10 :: 10])


def never_in_order(folder: Path, tmp_path: Path, names: list[str]) -> None:
    key = folder / "key.pem.pub"
    assert ended(copied(folder, tmp_path / "copy"), signer=key)[0] == 0
    for name, out in tampered(folder, tmp_path / "copy", names):
        code, verdicts = ended(out, signer=key)
        assert code in (2, 4), name
        unsigned = [v.holds for v in verdicts if not v.promise.startswith("signed")]
        assert code == 2 or False in unsigned, name
        shutil.rmtree(out.parent / "out.private")
        assert ended(out, signer=key)[0] in (2, 4), name
        says_nothing_false(name, out)
        if forge_the_digests(out) and name != "space_the_manifest_otherwise":  # which is undone by it
            says_nothing_false(name, out)


def forge_the_digests(out: Path) -> bool:
    """Let the manifest list what stands there now, as whoever changed the table would."""
    manifest = out / "manifest.json"
    if not plain(manifest):
        return False
    try:
        told = json.loads(manifest.read_text(encoding="utf-8"))
        listed = {Path(name).name: out / Path(name).name for name in told["files"]}
        told["files"] = {n: hashlib.sha256(p.read_bytes()).hexdigest() for n, p in listed.items() if plain(p)}
    except (ValueError, OSError, TypeError, KeyError, AttributeError, RecursionError):
        return False
    manifest.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return True


def plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def says_nothing_false(name: str, out: Path) -> None:
    """What the folder alone can show is shown, and nothing is claimed beyond it."""
    code, verdicts = ended(out)
    assert code in (2, 4, 5), name
    held = {v.promise: v.holds for v in verdicts}
    if not held:
        return
    assert (held[SAME], held[WORD], held.get(TRUTH)) == (None, None, None), name
    if name in IN_THE_DOCUMENTS:
        assert code == 4, name
    if held[FOLDER]:
        stems = {"table", "sensitive"} if list(out.glob("sensitive.*")) else {"table"}
        tables = {path.name for path in out.iterdir() if path.stem in stems and path.suffix in WRITERS}
        found = {path.name for path in out.iterdir()}
        assert found - {"signature.json"} == {"manifest.json", "report.html"} | tables, name
        assert len(tables) == len(stems), name
        assert all(map(plain, out.iterdir())), name
    if name in BESIDE_THE_TABLE:
        assert not held.get(BESIDE), name
    if held[FOLDER] and held.get(BESIDE) and (out / "table.csv").exists() and held.get("3-anonymity"):
        asked = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["asked"]["columns"]
        quasi = [column for column, told in asked.items() if told["role"] == "quasi"]
        assert outsider.k_of(outsider.read_release(out / "table.csv"), quasi) >= 3, name


@pytest.mark.parametrize("name", ["optimal", "anatomy"])
def test_leaves_of_the_public_documents_count(name: str, shelf: Shelf, tmp_path: Path) -> None:
    every_leaf_counts(shelf("csv", name), tmp_path, step=23)


@pytest.mark.long
@pytest.mark.parametrize("name", ["optimal", "anatomy", "mdav"])
def test_every_leaf_of_the_public_documents_counts(name: str, shelf: Shelf, tmp_path: Path) -> None:
    every_leaf_counts(shelf("csv", name), tmp_path, step=1)


def every_leaf_counts(folder: Path, tmp_path: Path, step: int) -> None:
    out = copied(folder, tmp_path / "copy")
    private, aside = out.with_name("out.private"), out.with_name("aside")
    for document in ("signature.json", "manifest.json"):
        text = (out / document).read_text(encoding="utf-8")
        for path in [*leaves(json.loads(text))][:: step if document == "manifest.json" else 1]:
            for change in (lambda inner, key: inner.update({key: other_than(inner[key])}), _removed):
                told = json.loads(text)
                inner, key = at(told, path)
                if isinstance(inner, list):
                    inner[key] = other_than(inner[key])
                else:
                    change(inner, key)
                (out / document).write_text(
                    json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
                )
                assert ended(out)[0] in (2, 4), path
                private.rename(aside)
                assert ended(out, signer=out.parent / "key.pem.pub")[0] in (2, 4), path
                if document == "manifest.json" and path not in (
                    ("kohort",),
                    ("version",),
                ):  # of another version: not judged
                    assert ended(out)[0] in (2, 4), (
                        path
                    )  # anybody sees it: it does not follow from the tables
                aside.rename(private)
        (out / document).write_text(text, encoding="utf-8")
    assert ended(out)[0] == 0


def _removed(inner: dict[str, Any], key: str) -> None:
    del inner[key]


def test_a_malformed_audit_is_answered(shelf: Shelf, tmp_path: Path) -> None:
    audits_are_answered(shelf, tmp_path, step=13)


@pytest.mark.long
def test_a_malformed_audit_is_answered_leaf_by_leaf(shelf: Shelf, tmp_path: Path) -> None:
    audits_are_answered(shelf, tmp_path, step=1)


def audits_are_answered(shelf: Shelf, tmp_path: Path, step: int) -> None:
    """The audit is the holder's, so a changed one may say other things; it never ends in a traceback."""
    out = copied(shelf("csv", "optimal"), tmp_path / "copy")
    audit = out.with_name("out.private") / "audit.json"
    text = audit.read_text(encoding="utf-8")
    needed = ("plan", "base", "reference", "files", "facts")
    for path in [*leaves({key: json.loads(text)[key] for key in needed})][::step]:
        for wrong in ("x", -1, 1.5, 2**70, None, [], {}, True):
            told = json.loads(text)
            inner, key = at(told, path)
            inner[key] = wrong
            audit.write_text(json.dumps(told), encoding="utf-8")
            assert ended(out)[0] in (0, 2, 4, 5), (path, wrong)
    for key in needed:
        told = json.loads(text)
        del told[key]
        audit.write_text(json.dumps(told), encoding="utf-8")
        with pytest.raises(InputError, match=r"audit\.json"):
            verify_directory(out)


@pytest.mark.parametrize("name", ["optimal", "anatomy"])
def test_whatever_a_stranger_asks_in_the_manifest_is_answered(
    name: str, shelf: Shelf, tmp_path: Path
) -> None:
    out = copied(shelf("csv", name), tmp_path / "copy")
    shutil.rmtree(out.with_name("out.private"))
    text = (out / "manifest.json").read_text(encoding="utf-8")
    for path in leaves({"asked": json.loads(text)["asked"]}):
        for wrong in ("x", -1, 1.5, 2**70, None, [], {}, True):
            told = json.loads(text)
            inner, key = at(told, path)
            if inner[key] == wrong and type(inner[key]) is type(wrong):
                continue
            inner[key] = wrong
            (out / "manifest.json").write_text(json.dumps(told), encoding="utf-8")
            assert ended(out)[0] in (2, 4), (path, wrong)


def test_the_audit_or_plan_of_another_release_does_not_serve(shelf: Shelf, tmp_path: Path) -> None:
    out = copied(shelf("csv", "optimal"), tmp_path / "copy")
    assert ended(out, plan=plan_for("optimal"))[0] == 0
    for other in ("mondrian", "anatomy", "dp-mdav", "mdav"):
        assert ended(out, plan=plan_for(other))[0] in (2, 4)
    shutil.rmtree(out.with_name("out.private"))
    shutil.copytree(out.with_name("other.private"), out.with_name("out.private"))
    assert ended(out)[0] == 4


def test_without_the_audit_plan_original_and_signature_together_judge_everything(
    shelf: Shelf, tmp_path: Path
) -> None:
    out = copied(shelf("csv", "optimal"), tmp_path / "copy")
    shutil.rmtree(out.with_name("out.private"))
    known = {"plan": plan_for("optimal"), "original": frame_for("optimal")}
    assert ended(out, **known)[0] == 5  # whether it is the one that was released, nobody said
    assert ended(out, **known, signer=out.parent / "key.pem.pub")[0] == 0
    assert ended(out, original=frame_for("optimal"))[0] == 5  # what labels mean, the manifest does not say


def test_a_table_dropped_from_the_release_within_the_limit_is_not_passed_off_as_it(
    shelf: Shelf, tmp_path: Path
) -> None:
    """Rows may be left out; which were, only the audit knows: so without it nothing is claimed."""
    out = copied(shelf("csv", "optimal"), tmp_path / "copy")
    TAMPERINGS["drop_half_of_the_rows"](out)
    manifest = out / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["files"]["table.csv"] = hashlib.sha256((out / "table.csv").read_bytes()).hexdigest()
    manifest.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert ended(out)[0] == 4
    shutil.rmtree(out.with_name("out.private"))
    code, verdicts = ended(out, plan=plan_for("optimal"), original=frame_for("optimal"))
    assert code in (4, 5)
    assert {v.promise: v.holds for v in verdicts}[SAME] is None
