from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kohort.errors import InputError
from kohort.hierarchy import Hierarchy, build_hierarchy
from kohort.hierarchy.calendar import date_pattern

ALL = ["day", "month", "quarter", "year", "5-years", "decade", "20-years", "century"]


def dates(texts: list[str | None], **options: object) -> Hierarchy:
    return build_hierarchy("born", {"kind": "dates", **options}, texts, [3] * len(texts))


def paths(hierarchy: Hierarchy) -> dict[str | None, tuple[str | None, ...]]:
    columns = [[level.labels[code] for code in level.of_ground] for level in hierarchy.levels]
    return {path[0]: path[1:] for path in zip(*columns, strict=True)}


def test_every_period_is_labelled_by_its_own_name() -> None:
    assert paths(dates(["1984-05-17", "2003-12-31"], levels=ALL)) == {
        "1984-05-17": (
            "1984-05-17",
            "1984-05",
            "1984-Q2",
            "1984",
            "1980-1984",
            "1980-1989",
            "1980-1999",
            "1900-1999",
            "*",
        ),
        "2003-12-31": (
            "2003-12-31",
            "2003-12",
            "2003-Q4",
            "2003",
            "2000-2004",
            "2000-2009",
            "2000-2019",
            "2000-2099",
            "*",
        ),
    }


def test_a_timestamp_loses_its_time_first() -> None:
    found = paths(
        dates(["2020-02-29 12:30:00", "2020-02-29T08:00:00Z", "2020-03-01 00:00:00"], levels=["day"])
    )
    assert {labels[0] for labels in found.values()} == {"2020-02-29", "2020-03-01"}


@pytest.mark.parametrize(
    ("pattern", "text", "day"),
    [
        ("%d.%m.%Y", "7.3.1999", "1999-03-07"),
        ("%m/%d/%Y", "03/07/1999", "1999-03-07"),
        ("%m/%d/%y", "03/07/68", "2068-03-07"),
        ("%m/%d/%y", "03/07/69", "1969-03-07"),
        ("%Y%m%d", "19990307", "1999-03-07"),
        ("%d/%m/%Y %H:%M", "07/03/1999 23:10", "1999-03-07"),
        ("%m/%d/%Y %I:%M %p", "3/7/1999 11:10 PM", "1999-03-07"),
    ],
)
def test_a_format_tells_how_dates_are_written(pattern: str, text: str, day: str) -> None:
    assert paths(dates([text, None], levels=["day"], format=pattern))[text] == (day, "*")


@pytest.mark.parametrize(
    ("last_year", "day"), [(2026, "1945-03-07"), (2045, "2045-03-07"), (1944, "1845-03-07")]
)
def test_years_of_two_digits_are_those_up_to_the_last_one(last_year: int, day: str) -> None:
    told = dates(["07.03.45", None], levels=["day"], format="%d.%m.%y", last_year=last_year)
    assert paths(told)["07.03.45"] == (day, "*")


@pytest.mark.parametrize(
    ("written", "last_year"), [("%d.%m.%Y", 2026), (None, 2026), ("%d.%m.%y", 26), ("%d.%m.%y", 10_000)]
)
def test_a_last_year_that_says_nothing_is_refused(written: str | None, last_year: int) -> None:
    with pytest.raises(InputError, match=r"hierarchy\.last_year is"):
        dates(["07.03.45"], levels=["day"], format=written, last_year=last_year)


def test_ground_values_stand_in_the_order_of_time() -> None:
    texts = ["31.01.2020", "01.02.2019", None, "15.01.2020"]
    ordered = dates(texts, levels=["year"], format="%d.%m.%Y").ground
    assert ordered == ("01.02.2019", "15.01.2020", "31.01.2020", None)


def test_dates_written_as_digits_are_numbers_only_where_their_order_is_that_of_time() -> None:
    back = dates(["01022020", "31012020"], levels=["year"], format="%d%m%Y")
    assert back.numbers is None
    assert back.ground == ("31012020", "01022020")
    forth = dates(["20200201", "20200131"], levels=["year"], format="%Y%m%d")
    assert forth.numbers is not None
    assert forth.ground == ("20200131", "20200201")


@given(
    st.lists(
        st.datetimes(datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 3)),
        min_size=1,
        max_size=9,
        unique=True,
    )
)
def test_timestamps_of_one_day_stand_in_the_order_of_time(times: list[datetime.datetime]) -> None:
    texts = [time.isoformat(" ", "microseconds") for time in times]
    assert list(dates(texts, levels=["day"]).ground) == sorted(texts)
    assert list(dates([*texts, None]).ground) == [*sorted(texts), None]


def test_weeks_are_those_of_iso_8601() -> None:
    texts = ["2020-12-31", "2021-01-01", "2021-01-03", "2021-01-04", "2019-12-30", "1969-12-31"]
    found = {ground: labels[0] for ground, labels in paths(dates(texts, levels=["week"])).items()}
    expected = {t: datetime.date.fromisoformat(t).isocalendar() for t in texts}
    assert found == {text: f"{iso.year}-W{iso.week:02d}" for text, iso in expected.items()}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"levels": ["week", "month"]}, "no period can stand above 'week'"),
        ({"levels": ["year", "month"]}, "'month' comes after 'year'"),
        ({"levels": ["moon"]}, "there is no 'moon'; choose from hour, day, week"),
        ({"levels": []}, "choose from"),
        ({"levels": "year"}, "levels: expected a list, got text"),
        ({"format": "%d.%m"}, "does not tell a date"),
        ({"format": "%d.%m.%Y %Q"}, "does not tell a date"),
    ],
)
def test_wrong_options_are_told_with_the_column(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match="column 'born'") as error:
        dates(["2020-01-01"], **options)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "odd", ["2021-02-29", "2020-13-01", "yesterday", "2020-1-1", "20200101", "2020-01-00", "now"]
)
def test_what_is_no_date_is_counted_and_not_told(odd: str) -> None:
    with pytest.raises(InputError) as error:
        dates(["2020-01-01", odd])
    assert "1 of its 2 distinct values, in 3 rows" in str(error.value)
    assert odd not in str(error.value)


@given(st.lists(st.dates(datetime.date(1, 1, 1)), min_size=1, max_size=20, unique=True))
def test_every_date_lies_in_its_periods(days: list[datetime.date]) -> None:
    found = paths(dates([str(day) for day in days], levels=ALL))
    for day in days:
        labels = found[str(day)]
        assert labels[:2] == (str(day), str(day)[:7])
        assert labels[2] == f"{day.year:04d}-Q{(day.month + 2) // 3}"
        assert labels[3] == str(day)[:4]
        for label in labels[4:8]:
            first, last = map(int, label.split("-"))
            assert first <= day.year <= last


def test_an_hour_of_the_day_beside_one_of_its_halves_is_refused():
    """`02:30 PM` by `%H:%M %p` would be told as two in the morning."""
    for twice in ("%d.%m.%Y %H:%M %p", "%d.%m.%Y %H %I", "%p %H %d.%m.%Y"):
        assert date_pattern(twice) is None
    assert date_pattern("%d.%m.%Y %I:%M %p") is not None


NAMED = {
    "%d-%b-%y": ["07-Mar-54", "31-DEC-99", "01-feb-20"],
    "%d %B %Y": ["4 March 1954", "1 May 2020", "2nd June 2021"],
    "%d. %b %Y": ["3. März 1954", "24. Dez. 2020", "1. Jänner 2021"],
    "%d %b %Y": ["12 févr. 1954", "1er août 2020", "3 kwietnia 2021"],
    "%d%b%Y": ["07MAR1954", "01JAN2020", "05OCT2021"],
    "%d de %B de %Y": ["3 de marzo de 1954", "4 de dezembro de 2020", "5 de octubre de 2021"],
    "%d %b %Y %H:%M": ["07 Mar 1954 10:15", "01 okt 2020 09:00", "05 ottobre 2021 23:59"],
}


@pytest.mark.parametrize("date_format", NAMED)
def test_months_may_have_names_in_many_languages(date_format: str) -> None:
    told = paths(
        dates(list(NAMED[date_format]), format=date_format, levels=["month", "year"], **_last(date_format))
    )
    first = told[NAMED[date_format][0]]
    assert first[1] == "1954"
    assert all(path[0] is not None and len(path[0]) == len("1954-03") for path in told.values())


def _last(date_format: str) -> dict[str, int]:
    return {"last_year": 2026} if "%y" in date_format else {}


@given(
    st.dates(datetime.date(1900, 1, 1), datetime.date(2099, 12, 31)),
    st.sampled_from(["%d-%b-%Y", "%B %d, %Y", "%d%b%Y"]),
)
def test_a_date_with_a_name_of_a_month_is_read_as_python_writes_it(
    day: datetime.date, date_format: str
) -> None:
    text = day.strftime(date_format)
    assert paths(dates([text], format=date_format, levels=["day"]))[text] == (day.isoformat(),)


@pytest.mark.parametrize(
    "text", ["31-Feb-2020", "07-Mer-2020", "7-3-2020", "07-Mar-20", "Mar-07-2020", "07-Marc-2020"]
)
def test_other_words_and_days_that_no_month_has_are_no_dates(text: str) -> None:
    with pytest.raises(InputError, match="is not a date like"):
        dates([text], format="%d-%b-%Y")


@pytest.mark.parametrize("date_format", ["%d-%b-%m-%Y", "%b %Y", "%b %B %d %Y", "%b-%d"])
def test_a_format_tells_the_month_once(date_format: str) -> None:
    assert date_pattern(date_format) is None
