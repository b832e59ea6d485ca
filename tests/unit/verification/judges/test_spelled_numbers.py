"""All spellings of one number, mixed in a column: none but those of one program for all of it pass."""

from itertools import product

import pytest

from kohort.hierarchy import Hierarchy
from kohort.hierarchy.reading import covered
from kohort.verification.judges.label_forms import label_forms
from kohort.verification.judges.same_values import codes_among
from kohort.verification.judges.told_words import in_words_told

NUMBERS = ["100000", "2500.5", "0.00001", "7", "-12", "30.25", "0"]
PLAIN = {
    "as they are": NUMBERS,
    "with a point": ["100000.0", "2500.5", "0.00001", "7.0", "-12.0", "30.25", "0.0"],
    "five decimals": ["100000.00000", "2500.50000", "0.00001", "7.00000", "-12.00000", "30.25000", "0.00000"],
    "six decimals": ["100000.000000", "2500.500000", "0.000010", "7.000000", "-12.000000", "30.250000", "0.000000"],
    "pandas": ["100000.0", "2500.5", "1e-05", "7.0", "-12.0", "30.25", "0.0"],
    "R": ["1e+05", "2500.5", "1e-05", "7", "-12", "30.25", "0"],
}  # fmt: skip
ENDS = ("", ".", ".0", ".00", "0", "e0", "e+00", "e00", "E+00", "E0", " ", "\u00a0", ",0", ".e+00", "0e-1")


def spellings(number: str) -> set[str]:
    """What somebody may write for a number, and some texts that are close to it."""
    fronts = ("", "0", "00", " ", "'", "+")
    texts = {front + number + end for front, end in product(fronts, ENDS)}
    texts |= {number.replace("0.", "."), f"{float(number):e}", f"{float(number):E}", f"{float(number):.1e}"}
    return texts | {column[NUMBERS.index(number)] for column in PLAIN.values()}


@pytest.mark.parametrize("way", PLAIN)
def test_a_column_in_one_way_is_the_originals(way: str) -> None:
    assert codes_among(PLAIN[way], NUMBERS).tolist() == list(range(len(NUMBERS)))
    assert codes_among(NUMBERS, PLAIN[way]).tolist() == list(range(len(NUMBERS)))
    pay = Hierarchy.from_rows("pay", [[number, "*"] for number in NUMBERS])
    told = in_words_told(pay, PLAIN[way])
    assert label_forms({"pay": PLAIN[way]}, [told]).wrong == ()
    assert told.encode(NUMBERS).tolist() == [told.levels[0].code_of[text] for text in PLAIN[way]]


def test_exponents_of_three_digits_are_read_as_they_are_written() -> None:
    plain = [f"0.{'0' * 99}1", f"1{'0' * 300}", "2.5"]
    assert codes_among(["1e-100", "1e+300", "2.5"], plain).tolist() == [0, 1, 2]
    assert -1 in codes_among(["1e-0100", "1e+300", "2.5"], plain)


@pytest.mark.parametrize("way", PLAIN)
def test_one_number_in_another_spelling_is_found(way: str) -> None:
    """A column is told in one way but for one number, which somebody else wrote: it is marked."""
    pay = Hierarchy.from_rows("pay", [[number, "*"] for number in NUMBERS])
    tried = 0
    for place, number in enumerate(NUMBERS):
        for text in spellings(number):
            told = [*PLAIN[way][:place], text, *PLAIN[way][place + 1 :]]
            if told in PLAIN.values():
                continue
            assert -1 in codes_among(told, NUMBERS) or told == NUMBERS, (way, text)
            assert -1 in codes_among([*PLAIN[way], text], NUMBERS) or text in PLAIN[way], (way, text)
            own = in_words_told(pay, told)
            means_nothing = any(covered(own, label) is None for label in told)
            assert label_forms({"pay": told}, [own]).wrong == ("pay",) or means_nothing, (way, text)
            tried += 1
    assert tried > 300
