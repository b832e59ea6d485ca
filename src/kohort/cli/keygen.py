"""`kohort keygen`: a pair of keys to sign releases with."""

from __future__ import annotations

import json
from pathlib import Path
from shlex import quote

from kohort.cli.terminal import say


def run(path: Path, as_json: bool) -> None:
    """Write the pair and tell what to do with it."""
    from kohort.release.signing import new_key

    name = new_key(path)
    if as_json:
        print(json.dumps({"private": str(path), "public": f"{path}.pub", "fingerprint": name}))  # noqa: T201
        return
    say(f"{path}: the private key; keep it, and sign with kohort anonymize PLAN --sign {quote(str(path))}")
    say(
        f"{path}.pub: the public key; give it to recipients for kohort verify DIR --signer {quote(f'{path}.pub')}"
    )
    say(f"its fingerprint, to be told over another way: {name}")
