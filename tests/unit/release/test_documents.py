"""Documents that somebody else may have written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pytest
from tests.reference.tampering import BROKEN

import kohort
from kohort.errors import InputError
from kohort.facts import VERSION
from kohort.folders.release_folder import refuse_foreign
from kohort.release.documents import SeenAudit, SeenManifest, load_audit, load_json, understood
from kohort.release.opening import Opened

DIGEST = "0" * 64


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_what_is_no_manifest_is_refused(content: str | bytes, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError, match="manifest"):
        Opened(tmp_path, {}, {}, understood(load_json(path), SeenManifest, path), None).plan()


def test_a_document_is_read(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(f'{{"files": {{"table.csv": "{DIGEST}"}}, "asked": {{}}, "more": 1}}', encoding="utf-8")
    assert understood(load_json(path), SeenManifest, path) == SeenManifest({"table.csv": DIGEST}, {})


@pytest.mark.parametrize("digest", ["", "0" * 63, "g" * 64, DIGEST.upper() + "0", f"{DIGEST}\n"])
def test_a_digest_is_64_signs(digest: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="wrong type"):
        understood({"files": {"table.csv": digest}, "asked": {}}, SeenManifest, tmp_path)


def test_an_audit_of_an_earlier_version_is_refused_with_what_it_lacks(tmp_path: Path) -> None:
    facts = {"rows": 1, "released": 1, "verdicts": []}
    with pytest.raises(InputError, match="files"):
        understood({"plan": {}, "base": "", "reference": {}, "facts": facts}, SeenAudit, tmp_path)


def test_a_document_beyond_all_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    with path.open("wb") as file:
        file.truncate(1 << 29)
    with pytest.raises(InputError, match="larger"):
        load_json(path)


@pytest.mark.parametrize(
    "name",
    ["manifest.json", "report.html", "signature.json", "../out.private/audit.json", "../out.private/report.html",
     "../out.private/files.json"],
)  # fmt: skip
def test_no_document_of_a_release_is_read_beyond_all_size(name: str, tmp_path: Path) -> None:
    """Whoever truncates a file to 20 GB has spent nothing; reading it, or taking its digest, is busy for minutes."""
    plan = kohort.Plan(columns={"age": "quasi"}, require=[kohort.KAnonymity(2)], output={"ledger": ""})
    kohort.anonymize(pa.table({"age": [1, 1, 2, 2]}), plan).save(tmp_path / "out")
    with (tmp_path / "out" / name).resolve().open("ab") as file:
        file.truncate(1 << 29)
    with pytest.raises(InputError, match="larger than any document"):
        kohort.verify(tmp_path / "out")
    with pytest.raises(InputError, match="is not an earlier release"):
        refuse_foreign(tmp_path / "out")


# --- versions ------------------------------------------------------------------------------------------------

EARLIER = Path(__file__).parents[2] / "data"
VERSIONS = sorted(EARLIER.glob("version-*"))


@pytest.fixture(params=VERSIONS, ids=lambda place: place.name)
def release(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A release that Kohort wrote when documents had that version."""
    shutil.copytree(request.param / "release", tmp_path / "release")
    shutil.copytree(request.param / "private", tmp_path / "release.private")
    return tmp_path / "release"


def test_a_release_of_every_version_is_kept_here() -> None:
    assert [place.name for place in VERSIONS] == [f"version-{number}" for number in range(1, VERSION + 1)]


def test_a_release_of_an_earlier_version_is_verified_by_its_audit(release: Path) -> None:
    assert all(verdict.holds for verdict in kohort.verify(release))


def test_a_manifest_of_an_earlier_version_is_read_and_not_called_wrong(release: Path) -> None:
    """What follows from the tables is spelled otherwise today: that is not judged, and nothing is broken."""
    shutil.rmtree(release.with_name("release.private"))
    verdicts = {verdict.promise: verdict for verdict in kohort.verify(release)}
    told = verdicts.pop("manifest and report say what the tables say")
    assert (told.holds, "another version of Kohort" in told.note) == (None, True)
    assert verdicts["3-anonymity"].holds
    assert not [promise for promise, verdict in verdicts.items() if verdict.holds is False]


def test_an_audit_is_written_again_only_in_this_version(release: Path) -> None:
    path = release.with_name("release.private") / "audit.json"
    if release_version(path) == VERSION:
        assert load_audit(path).facts.rows == 12
        return
    with pytest.raises(
        InputError, match=rf"is of version {release_version(path)}, .* needs version {VERSION}"
    ):
        load_audit(path)


def release_version(path: Path) -> int:
    return int(json.loads(path.read_text(encoding="utf-8")).get("version", 1))


@pytest.mark.parametrize("version", [0, VERSION + 1, "2", None, [2]])
@pytest.mark.parametrize("name", ["release/manifest.json", "release.private/audit.json"])
def test_a_version_that_nobody_knows_is_refused_by_its_number(
    version: object, name: str, tmp_path: Path
) -> None:
    shutil.copytree(VERSIONS[-1] / "release", tmp_path / "release")
    if "private" in name:
        shutil.copytree(VERSIONS[-1] / "private", tmp_path / "release.private")
    path = tmp_path / name
    told = json.loads(path.read_text(encoding="utf-8")) | {"version": version}
    path.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(InputError, match="version"):
        kohort.verify(tmp_path / "release")
