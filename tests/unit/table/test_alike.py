import numpy as np
import pyarrow as pa
import pytest

from kohort.table.alike import alike, alike_warning, plain_form


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (["P1", "P2", "P3"], 0),
        (["P1", "p1"], 2),
        (["P1", " P1", "P1 ", "P 1"], 4),
        (["P1", "P\u00a01", "P2"], 2),  # a blank that does not break
        (["P1", "\uff30\uff11"], 2),  # full width
        (["P1", "P\u200b1"], 2),  # a blank without width
        (["Straße", "STRASSE", "strasse"], 3),
        (["É", "E\u0301"], 2),  # one letter or two
        (["1", "01", "1.0", "+1", "1e0", "10", "-1"], 5),
        (["0", "-0", "-0.0", "0.00", "."], 4),
        (["P1", "P\u00ad1", "P\ufe0f1", "P\u30641", "P\x071", "P\u20601"], 5),  # \u3064 is a letter
        (["1", "1,0", "1,00", "1,5"], 3),
        (["1000", "1,000", "1,000.0", "1,00"], 3),
        (["P-1", "P\u20111", "P\u22121", "P\u20131", "P1"], 4),  # dashes
        (["0.5", ".5", "0,5", "5"], 3),
        (["12", "\u0661\u0662", "\u0967\u0968"], 3),  # digits of other scripts
        (["1e100", "1e+100", "1e10"], 2),
        ([None, "P1"], 0),
        ([], 0),
    ],
)
def test_names_that_look_alike_are_counted(names, number):
    assert alike(pa.array(names, pa.string())) == number


def test_numbers_are_never_alike():
    assert alike(pa.array([1, 10])) == 0


def test_the_count_is_that_of_a_loop_over_all_pairs():
    rng = np.random.default_rng(2)
    for _ in range(50):
        drawn = {"".join(rng.choice(list("pP1 2"), 3)) for _ in range(12)}
        plain = [name.replace(" ", "").lower() for name in drawn]
        assert alike(pa.array(sorted(drawn))) == sum(plain.count(name) > 1 for name in plain)


def test_what_arrow_finds_alike_is_alike_in_its_plain_form():
    rng = np.random.default_rng(7)
    signs = [
        *"pPeE01.,+- \t",
        "\u2011",
        "\u0661",
        "ß",
        "ẞ",
        "s",
        "\u200b",
        "\u00a0",
        "Ｐ",
        "é",
        "e\u0301",
        "ﬁ",
        "İ",
        "ς",
    ]
    for _ in range(300):
        drawn = sorted({"".join(rng.choice(signs, rng.integers(1, 5))) for _ in range(12)})
        forms = [plain_form(text) for text in drawn]
        assert alike(pa.array(drawn)) == sum(forms.count(form) > 1 for form in forms), drawn


def test_a_plain_form_is_its_own():
    for text in ("P 1", "Straße", "İ", "ﬁ", "\u1e9e", "1e3", "-0.0", "Å", "ǰ", "\u0345x"):
        assert plain_form(plain_form(text)) == plain_form(text)


def test_nothing_is_said_of_none_and_no_name_is_quoted():
    assert alike_warning("who", 0) == []
    [said] = alike_warning("who", 2)
    assert "'who'" in said
    assert "2 names" in said
