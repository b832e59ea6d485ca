"""A server that is not there is told at once, without what only it should know."""

from __future__ import annotations

import socket

import pytest

from kohort.errors import InputError
from kohort.table.cluster import session


def test_nobody_answers_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in session._PROXIES:
        monkeypatch.delenv(name, raising=False)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]  # nobody listens there
        with pytest.raises(InputError, match=f"nobody answers at sc://127.0.0.1:{port}") as refused:
            session._demand_answer(f"sc://127.0.0.1:{port}/;token=secret")
        assert "secret" not in str(refused.value)
        taken.listen()
        session._demand_answer(f"sc://127.0.0.1:{port}/;token=secret")
    session._demand_answer("local[2]")
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    session._demand_answer(f"sc://127.0.0.1:{port}")
