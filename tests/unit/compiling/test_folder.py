"""Kernels are kept where their owner alone can write, or not at all."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

import pytest

from kohort.compiling import folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of a user, and nobody's choice of another."""
    monkeypatch.setattr(folder.config, "CACHE_DIR", "")
    monkeypatch.setattr(folder.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    folder.kernel_folder.cache_clear()
    yield tmp_path
    folder.kernel_folder.cache_clear()


def test_a_plain_command_keeps_kernels_in_the_users_cache_and_shows_them_to_nobody(home: Path) -> None:
    found = folder.kernel_folder()
    assert found is not None
    assert found.is_relative_to(home / "xdg" / "kohort")
    for place in (found, found.parent, home / "xdg"):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700


def test_who_names_a_folder_is_obeyed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder.config, "CACHE_DIR", str(home / "named"))
    found = folder.kernel_folder()
    assert found is not None
    assert found.is_relative_to(home / "named")


@pytest.mark.parametrize("named", ["", "relative/place"])
def test_a_cache_home_that_is_no_place_counts_as_none(
    named: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.setenv("HOME", str(home))
    assert folder.user_cache() == home / ".cache"


def open_to_all(home: Path) -> None:
    (home / "xdg" / "kohort").mkdir(parents=True)
    (home / "xdg" / "kohort").chmod(0o777)


def open_above(home: Path) -> None:
    (home / "xdg").mkdir()
    (home / "xdg").chmod(0o777)


def a_link(home: Path) -> None:
    (home / "elsewhere").mkdir()
    (home / "xdg").mkdir()
    (home / "xdg" / "kohort").symlink_to(home / "elsewhere")


def a_file(home: Path) -> None:
    (home / "xdg").write_text("")


@pytest.mark.parametrize("spoil", [open_to_all, open_above, a_link, a_file])
def test_a_place_that_others_could_write_to_is_refused_with_a_word(
    spoil, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spoil(home)
    with caplog.at_level(logging.WARNING, logger="kohort"):
        assert folder.kernel_folder() is None
        assert folder.kernel_folder() is None
    assert [record.message.count("NUMBA_CACHE_DIR") for record in caplog.records] == [1]


def test_a_folder_of_somebody_else_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = os.geteuid()
    monkeypatch.setattr(folder.os, "geteuid", lambda: mine + 1)
    assert folder.kernel_folder() is None


def test_a_sticky_folder_above_is_as_good_as_a_closed_one(home: Path) -> None:
    (home / "xdg").mkdir()
    (home / "xdg").chmod(0o1777)
    assert folder.kernel_folder() is not None
