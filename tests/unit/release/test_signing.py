"""Keys and signatures: who released a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kohort.errors import InputError
from kohort.release.signing import Known, Signer, new_key, statement, write_signature

DIGESTS = {"table.csv": "a" * 64, "manifest.json": "b" * 64}


@pytest.fixture
def key(tmp_path: Path) -> Path:
    new_key(tmp_path / "key.pem")
    return tmp_path / "key.pem"


def known(key: Path) -> Known:
    return Known.load(key.with_name(f"{key.name}.pub"))


def test_a_pair_signs_and_is_recognised(key: Path, tmp_path: Path) -> None:
    write_signature(tmp_path, Signer.load(key), DIGESTS)
    digests = DIGESTS | {"signature.json": "c" * 64}
    assert known(key).fault(tmp_path, digests) == ""
    told = json.loads((tmp_path / "signature.json").read_text(encoding="utf-8"))
    assert told["signer"] == known(key).fingerprint
    assert set(told) == {"form", "signer", "signature"}


def test_what_is_signed_are_names_and_digests_by_name() -> None:
    lines = statement(DIGESTS | {"signature.json": "c" * 64}).decode().splitlines()
    assert lines == ["kohort signature 1", f'{"b" * 64} "manifest.json"', f'{"a" * 64} "table.csv"']
    assert statement({"a\nb": "0" * 64}).count(b"\n") == 2  # a name cannot look like two


@pytest.mark.parametrize(
    "digests",
    [
        DIGESTS | {"table.csv": "c" * 64},
        DIGESTS | {"raw.csv": "c" * 64},
        {"table.csv": "a" * 64},
        {"table.csv": "b" * 64, "manifest.json": "a" * 64},
    ],
)
def test_other_files_are_not_signed(digests: dict[str, str], key: Path, tmp_path: Path) -> None:
    write_signature(tmp_path, Signer.load(key), DIGESTS)
    assert "not that of these files" in known(key).fault(tmp_path, digests | {"signature.json": "c" * 64})


def test_another_key_and_no_signature_are_told_apart(key: Path, tmp_path: Path) -> None:
    new_key(tmp_path / "other.pem")
    write_signature(tmp_path, Signer.load(tmp_path / "other.pem"), DIGESTS)
    assert "another key" in known(key).fault(tmp_path, DIGESTS | {"signature.json": "c" * 64})
    assert "no signature.json" in known(key).fault(tmp_path, DIGESTS)


@pytest.mark.parametrize(
    "change",
    [{"form": "kohort signature 2"}, {"signature": 5}, {"signature": "x"}, {"signature": None}, {"more": 1}],
)
def test_a_malformed_signature_is_a_fault(change: dict[str, object], key: Path, tmp_path: Path) -> None:
    write_signature(tmp_path, Signer.load(key), DIGESTS)
    path = tmp_path / "signature.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")
    assert known(key).fault(tmp_path, DIGESTS | {"signature.json": "c" * 64})


def test_a_signature_is_spelled_in_one_way(key: Path, tmp_path: Path) -> None:
    write_signature(tmp_path, Signer.load(key), DIGESTS)
    path = tmp_path / "signature.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    told["signature"] = told["signature"].upper()
    path.write_text(json.dumps(told), encoding="utf-8")
    assert known(key).fault(tmp_path, DIGESTS | {"signature.json": "c" * 64})


@pytest.mark.parametrize("more", [" ", "\n", "\t", "\r", "0", ",", "\ufeff"])
def test_nothing_can_be_put_beside_a_signature(more: str, key: Path, tmp_path: Path) -> None:
    """It is over all files but its own, which so can hold nothing else."""
    write_signature(tmp_path, Signer.load(key), DIGESTS)
    path = tmp_path / "signature.json"
    text = path.read_text(encoding="utf-8")
    for place in range(0, len(text) + 1, 3):
        path.write_text(text[:place] + more + text[place:], encoding="utf-8", newline="")
        assert known(key).fault(tmp_path, DIGESTS | {"signature.json": "c" * 64}), place


def test_the_private_key_is_readable_by_its_owner_only(key: Path) -> None:
    assert key.stat().st_mode & 0o777 == 0o600
    key.chmod(0o640)
    with pytest.raises(InputError, match="chmod 600"):
        Signer.load(key)


def test_keys_are_not_replaced(key: Path) -> None:
    before = key.read_bytes()
    with pytest.raises(InputError, match="not replaced"):
        new_key(key)
    key.with_name("fresh.pub").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="not replaced"):
        new_key(key.with_name("fresh"))
    assert key.read_bytes() == before
    assert not key.with_name("fresh").exists()


def test_what_is_no_such_key_is_refused_by_name(key: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    with pytest.raises(InputError, match="cannot be read"):
        Known.load(other)
    with pytest.raises(InputError, match="private key"):
        Known.load(key)
    other.write_bytes(b"nonsense")
    other.chmod(0o600)
    for load in (Known.load, Signer.load):
        with pytest.raises(InputError, match="PEM"):
            load(other)
    with pytest.raises(InputError, match="PEM"):
        Signer.load(_private(key.with_name("key.pem.pub")))


def _private(path: Path) -> Path:
    path.chmod(0o600)
    return path


def test_keys_of_other_kinds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    large = rsa.generate_private_key(65537, 2048)
    path.write_bytes(large.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()))
    path.chmod(0o600)
    with pytest.raises(InputError, match="Ed25519"):
        Signer.load(path)
    locked = form.BestAvailableEncryption(b"secret")
    sealed = Ed25519PrivateKey.generate().private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, locked)
    path.write_bytes(sealed)
    with pytest.raises(InputError, match="passphrase"):
        Signer.load(path)
