"""Kernels are kept where their owner alone can write, or not at all."""

from __future__ import annotations

import grp
import logging
import os
import pwd
import stat
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from kohort.compiling import folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
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


ROOT, ME, THEM = 0, 1000, 1001
MY_GROUP, A_GROUP = 1000, 100
MODES = [
    kind | bits
    for kind, bits in product((0o0000, 0o1000, 0o2000), (0o700, 0o755, 0o770, 0o775, 0o707, 0o777))
]


def user(name: str, uid: int, gid: int) -> pwd.struct_passwd:
    return pwd.struct_passwd((name, "x", uid, gid, "", "/", "/bin/sh"))


def group(name: str, gid: int, *members: str) -> grp.struct_group:
    return grp.struct_group((name, "x", gid, list(members)))


class Machine:
    """Who owns what, where everything else is as it should be: closed, and of whoever is asking."""

    def __init__(self) -> None:
        self.owned: dict[Path, tuple[int, int, int]] = {}
        self.users = [user("root", ROOT, 0), user("me", ME, MY_GROUP), user("them", THEM, A_GROUP)]
        self.groups = [group("root", 0), group("me", MY_GROUP), group("users", A_GROUP)]

    def lstat(self, place: Path) -> os.stat_result:
        found = list(os.lstat(place))
        mode, uid, gid = self.owned.get(place, (0o755, ME, MY_GROUP))
        found[0], found[4], found[5] = stat.S_IFMT(found[0]) | mode, uid, gid
        return os.stat_result(found)

    def getpwuid(self, uid: int) -> pwd.struct_passwd:
        return {each.pw_uid: each for each in self.users}[uid]

    def getgrgid(self, gid: int) -> grp.struct_group:
        return {each.gr_gid: each for each in self.groups}[gid]


@pytest.fixture
def machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine on which this process is not root, whoever runs the tests."""
    made = Machine()
    monkeypatch.setattr(folder.os, "geteuid", lambda: ME)
    monkeypatch.setattr(folder.Path, "lstat", lambda place: made.lstat(place))
    monkeypatch.setattr(folder.pwd, "getpwuid", made.getpwuid)
    monkeypatch.setattr(folder.pwd, "getpwall", lambda: made.users)
    monkeypatch.setattr(folder.grp, "getgrgid", made.getgrgid)
    return made


def kept() -> bool:
    folder.kernel_folder.cache_clear()
    return folder.kernel_folder() is not None


@pytest.mark.parametrize("named", [False, True])
def test_every_folder_above_is_of_root_or_ours_and_closed_to_all_others_or_sticky(
    named: bool, home: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder.config, "CACHE_DIR", str(home / "xdg") if named else "")
    assert kept()
    for above in (home / "xdg", *(home / "xdg").parents):
        for mode, uid, gid in product(MODES, (ROOT, ME, THEM), (0, MY_GROUP, A_GROUP)):
            machine.owned = {above: (mode, uid, gid)}
            by_others = mode & 0o002 or (mode & 0o020 and gid != MY_GROUP)
            safe = uid != THEM and (mode & 0o1000 or not by_others)
            assert kept() == bool(safe), (above, oct(mode), uid, gid)


@pytest.mark.parametrize("named", [False, True])
def test_the_folder_itself_is_ours_and_written_to_by_nobody_else_sticky_or_not(
    named: bool, home: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder.config, "CACHE_DIR", str(home / "xdg") if named else "")
    found = folder.kernel_folder()
    assert found is not None
    for place in (found, found.parent):
        for mode, uid, gid in product(MODES, (ROOT, ME, THEM), (MY_GROUP, A_GROUP)):
            machine.owned = {place: (mode, uid, gid)}
            assert kept() == (uid == ME and not mode & 0o022), (place, oct(mode), uid, gid)


def a_member(machine: Machine) -> None:
    machine.groups[1] = group("me", MY_GROUP, "me", "them")


def primary_of_two(machine: Machine) -> None:
    machine.users[2] = user("them", THEM, MY_GROUP)


def of_another_name(machine: Machine) -> None:
    machine.groups[1] = group("staff", MY_GROUP)


def not_my_primary(machine: Machine) -> None:
    machine.users[1] = user("me", ME, A_GROUP)


def of_no_name(machine: Machine) -> None:
    del machine.groups[1]


def i_have_no_name(machine: Machine) -> None:
    del machine.users[1]


@pytest.mark.parametrize(
    "share", [a_member, primary_of_two, of_another_name, not_my_primary, of_no_name, i_have_no_name]
)
def test_a_group_that_may_hold_somebody_else_is_not_private(share, home: Path, machine: Machine) -> None:
    machine.owned = {home: (0o775, ME, MY_GROUP)}
    assert kept()
    share(machine)
    assert not kept()


def test_nothing_is_made_below_a_folder_that_is_refused(home: Path, machine: Machine) -> None:
    machine.owned = {home: (0o777, ME, MY_GROUP)}
    assert not kept()
    assert not list(home.iterdir())


def test_a_link_above_that_leads_elsewhere_later_is_not_followed_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("mine", "theirs"):
        (home / name).mkdir()
    (home / "link").symlink_to(home / "mine")
    monkeypatch.setattr(folder.config, "CACHE_DIR", str(home / "link"))
    found = folder.kernel_folder()
    (home / "link").unlink()
    (home / "link").symlink_to(home / "theirs")
    assert found is not None
    assert found.resolve().is_relative_to(home / "mine")


def test_links_in_a_circle_are_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "one").symlink_to(home / "two")
    (home / "two").symlink_to(home / "one")
    monkeypatch.setattr(folder.config, "CACHE_DIR", str(home / "one"))
    assert folder.kernel_folder() is None
