from __future__ import annotations

from pathlib import Path

import pytest

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, build_hierarchy


def level_file(
    directory: Path, content: str | bytes, texts: list[str | None], name: str = "job", **options: object
) -> Hierarchy:
    raw = content.encode() if isinstance(content, str) else content
    (directory / "levels.csv").write_bytes(raw)
    spec = {"kind": "file", "path": "levels.csv", **options}
    return build_hierarchy(name, spec, texts, [4] * len(texts), directory)


def paths(hierarchy: Hierarchy) -> dict[str | None, tuple[str | None, ...]]:
    columns = [[level.labels[code] for code in level.of_ground] for level in hierarchy.levels]
    return {path[0]: path[1:] for path in zip(*columns, strict=True)}


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
def test_the_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    content = "\r\n".join(delimiter.join(row) for row in (["a", "A", "*"], ["b", "A", "*"])) + "\r\n"
    assert paths(level_file(tmp_path, content, ["a"])) == {"a": ("A", "*"), "b": ("A", "*")}


def test_another_delimiter_within_labels_does_not_mislead(tmp_path: Path) -> None:
    assert paths(level_file(tmp_path, "a;A, B;*\nb;A, B;*\nc;C;*", ["c"]))["a"] == ("A, B", "*")
    assert paths(level_file(tmp_path, 'a,"A; B",*\nb,"A; B",*\nc,C,*', ["c"]))["a"] == ("A; B", "*")


@pytest.mark.parametrize("header", ["value;group;all", "job;group;*", "\nvalue;group;all"])
def test_a_header_is_found(tmp_path: Path, header: str) -> None:
    assert paths(level_file(tmp_path, f"{header}\na;A;*\nb;A;*", ["a"])) == {"a": ("A", "*"), "b": ("A", "*")}


def test_no_header_is_found_where_there_is_none(tmp_path: Path) -> None:
    assert set(paths(level_file(tmp_path, "job;A;*\nb;A;*", ["job", "b"]))) == {"job", "b"}
    assert set(paths(level_file(tmp_path, "a;A;*\nb;A;*", ["b"]))) == {"a", "b"}


def test_whether_there_is_a_header_can_be_told(tmp_path: Path) -> None:
    assert set(paths(level_file(tmp_path, "a;A;*\nb;A;*", ["b"], header=True))) == {"b"}
    with pytest.raises(InputError, match="has 2 roots"):
        level_file(tmp_path, "value;group;all\nb;A;*", ["b"], header=False)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encoding_is_found(tmp_path: Path, encoding: str) -> None:
    assert paths(level_file(tmp_path, "Köln;é;*\nUlm;é;*".encode(encoding), ["Köln"]))["Köln"] == ("é", "*")


def test_an_encoding_that_is_told_is_used(tmp_path: Path) -> None:
    assert (
        "Łódź" in level_file(tmp_path, "Łódź;*\nUlm;*".encode("cp1250"), ["Łódź"], encoding="cp1250").ground
    )
    with pytest.raises(InputError, match=r"set hierarchy\.encoding"):
        level_file(tmp_path, "Łódź;*".encode("cp1250"), ["Łódź"], encoding="utf-8")


def test_missing_values_get_a_path_where_the_file_has_none(tmp_path: Path) -> None:
    assert paths(level_file(tmp_path, "a;A;*\nb;A;*", ["a", None]))[None] == (None, "*")
    assert None not in paths(level_file(tmp_path, "a;A;*\nb;A;*", ["a"]))


def test_a_row_that_starts_empty_is_the_path_of_missing_values(tmp_path: Path) -> None:
    assert paths(level_file(tmp_path, "a;A;*\n;unknown;*", ["a", None]))[None] == ("unknown", "*")
    assert paths(level_file(tmp_path, "a;A;*\n;unknown;*", ["a"]))[None] == ("unknown", "*")
    assert paths(level_file(tmp_path, "a;A;*\n \t;\u200b;*", ["a", None]))[None] == (None, "*")
    with pytest.raises(InputError, match="1 blank label at level 1 of its hierarchy"):
        level_file(tmp_path, "a; ;*\nb;B;*", ["a", None])


def test_only_the_zeros_that_end_a_fraction_are_overlooked(tmp_path: Path) -> None:
    hierarchy = level_file(tmp_path, "39;old;*\n7.5;young;*\n8;young;*", ["39.0", "7.50"])
    assert hierarchy.ground == ("7.50", "8", "39.0")
    assert paths(hierarchy)["39.0"] == ("old", "*")
    with pytest.raises(InputError, match="misses 1 of the 1 distinct values, in 4 rows"):
        level_file(tmp_path, "1234;A;*\n5;A;*", ["01234"])


def test_two_spellings_of_a_number_in_the_table_stand_beside_each_other(tmp_path: Path) -> None:
    hierarchy = level_file(tmp_path, "39;old;*\n7;young;*", ["39", "39.0"])
    assert paths(hierarchy) == {"39": ("old", "*"), "39.0": ("old", "*"), "7": ("young", "*")}
    assert hierarchy.numbers is not None
    assert hierarchy.numbers.tolist() == [7, 39, 39]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a;A;*\nb;B;+", "has 2 roots"),
        ("a;A;*\nb;A", "have 2 to 3 levels"),
        ("a;A;*\na;A;*", "1 ground value stands in its hierarchy more than once"),
        ("a;A;X;*\nb;A;Y;*", "1 label at level 1 has more than one parent at level 2"),
        ("a;A;*\nb;A;*", "misses 1 of the 2 distinct values, in 4 rows"),
        ("", "holds no row"),
    ],
)
def test_a_wrong_file_is_told_without_values(tmp_path: Path, content: str, words: str) -> None:
    with pytest.raises(InputError, match="column 'job'") as error:
        level_file(tmp_path, content, ["a", "secret"])
    assert words in str(error.value)
    assert "secret" not in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"column 'job'.*none\.csv cannot be read.*relative to the plan"):
        build_hierarchy("job", {"kind": "file", "path": "none.csv"}, ["a"], [1], tmp_path)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a table of text cells"):
        level_file(tmp_path, "a;" + "x" * 200_000 + ";*", ["a"])
    with pytest.raises(InputError, match=r"hierarchy\.delimiter must be one character"):
        level_file(tmp_path, "a;*", ["a"], delimiter=";;")


def test_a_number_that_stands_there_twice_is_told_as_any_value_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="1 ground value stands in its hierarchy more than once"):
        level_file(tmp_path, "1;a;*\n2;a;*\n2;a;*\n", ["1"])
