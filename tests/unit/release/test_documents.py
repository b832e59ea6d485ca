"""Documents that somebody else may have written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reference.tampering import BROKEN

from kohort.errors import InputError
from kohort.release.documents import Audit, Manifest, load_json, understood
from kohort.release.opening import Opened

DIGEST = "0" * 64


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_what_is_no_manifest_is_refused(content: str | bytes, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError, match="manifest"):
        Opened(tmp_path, {}, {}, understood(load_json(path), Manifest, path), None).plan()


def test_a_document_is_read(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(f'{{"files": {{"table.csv": "{DIGEST}"}}, "asked": {{}}, "more": 1}}', encoding="utf-8")
    assert understood(load_json(path), Manifest, path) == Manifest({"table.csv": DIGEST}, {})


@pytest.mark.parametrize("digest", ["", "0" * 63, "g" * 64, DIGEST.upper() + "0", f"{DIGEST}\n"])
def test_a_digest_is_64_signs(digest: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="wrong type"):
        understood({"files": {"table.csv": digest}, "asked": {}}, Manifest, tmp_path)


def test_an_audit_of_an_earlier_version_is_refused_with_what_it_lacks(tmp_path: Path) -> None:
    facts = {"rows": 1, "released": 1, "verdicts": []}
    with pytest.raises(InputError, match="files"):
        understood({"plan": {}, "base": "", "reference": {}, "facts": facts}, Audit, tmp_path)


def test_a_document_beyond_all_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    with path.open("wb") as file:
        file.truncate(1 << 29)
    with pytest.raises(InputError, match="larger"):
        load_json(path)
