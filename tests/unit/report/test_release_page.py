"""The page about a release, from facts written by hand."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pyarrow as pa
import pytest
from tests.unit.report.hand_made import facts, quasi, sensitive, told, torn

from kohort import anonymize
from kohort.facts import ReleaseFacts
from kohort.facts.release import of_table
from kohort.report import html

VOID = {"meta", "br", "link", "img", "hr"}


class Page(HTMLParser):
    """What a page is made of: its tags, its text, whether every tag is closed."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.said: list[str] = []
        self.feed(source)
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.said.append(data.strip())

    @property
    def text(self) -> str:
        return " ".join(filter(None, self.said))


def page(**changes: Any) -> Page:
    return Page(html(facts(**changes)))


def test_the_promise_and_the_verdict_come_first() -> None:
    text = page().text
    assert (
        text.index("5-anonymity") < text.index("Kept, and verified") < text.index("960") < text.index("Rows")
    )


def test_a_broken_promise_is_the_first_thing_said() -> None:
    broken = page(
        verdicts=[{"promise": "5-anonymity", "achieved": 4, "holds": False, "note": "4 in a class"}]
    )
    assert "✗ Not kept" in broken.text
    assert "Kept, and verified" not in broken.text
    assert "4 in a class" in broken.text


@pytest.mark.parametrize("release", [facts(), torn()], ids=["levels", "anatomy"])
def test_every_section_is_there_and_every_link_leads_to_one(release: ReleaseFacts) -> None:
    found = Page(html(release))
    ids = [given["id"] for tag, given in found.tags if tag == "section" and "id" in given]
    links = [given["href"] for tag, given in found.tags if tag == "a"]
    assert links == [f"#{name}" for name in ids]
    assert {
        "flow",
        "columns",
        "classes",
        "sensitive",
        "kept",
        "risk",
        "method",
        "compliance",
        "reproduce",
    } <= set(ids)


def test_nothing_is_loaded_and_nothing_runs() -> None:
    for tag, given in page().tags:
        assert tag not in ("script", "link", "img", "iframe", "object", "form")
        assert not {"src", "onload", "onclick", "style"} & set(given)
        assert tag == "svg" or not [v for v in given.values() if v and "//" in v]


def test_every_picture_is_named_and_has_its_figures_in_a_table() -> None:
    found = page(frontier=[point(2, 0.1), point(5, 0.25)])
    pictures = [given for tag, given in found.tags if tag == "svg"]
    assert len(pictures) >= 7
    assert all(given["aria-label"] and given["role"] == "img" for given in pictures)
    tables = len([tag for tag, _ in found.tags if tag == "table"])
    assert tables >= len(pictures)
    for figure in ("24", "936", "43 %", "52 %", "55 %", "0.25"):
        assert figure in found.text


def point(k: int, score: float) -> dict[str, Any]:
    return {"parameter": "require.0.k", "value": k, "feasible": True, "objective": "loss", "score": score,
            "highest_risk": 1 / k, "average_risk": 0.01, "suppressed": 40}  # fmt: skip


def test_the_frontier_tells_what_has_no_solution() -> None:
    text = page(frontier=[point(5, 0.25), {"parameter": "require.0.k", "value": 99, "feasible": False}]).text
    assert "k = 99 no solution" in text
    assert "frontier" not in page().text.lower()


def test_the_released_level_is_marked_and_has_the_only_example() -> None:
    source = html(facts())
    marked = re.findall(r'<li class="released">(.*?)</li>', source)
    assert len(marked) == 2
    assert "20 wide" in marked[0]
    assert "such as 20-39" in marked[0]
    assert source.count("such as 20-39") == 1


def test_columns_without_one_level_are_told_by_what_was_released() -> None:
    columns = [
        quasi("age", None, ["exact", "any value"], "[20, 44]"),
        quasi("zip", None, ["exact", "any value"], None),
    ]
    text = page(columns=columns, levels=None).text
    assert "as values, ranges or sets of values; the most frequent, missing values apart, is [20, 44]" in text
    assert "as values, ranges or sets of values 40 → 2" in text


def test_perturbed_values_are_announced_at_the_top() -> None:
    algorithm = told()["algorithm"] | {"name": "mdav", "truthful": False}
    columns = [quasi("age", None, ["exact", "any value"], None, told_by="mean")]
    text = page(algorithm=algorithm, columns=columns).text
    assert text.index("Perturbed values") < text.index("Rows")
    assert "as the mean that stands for each group" in text
    assert "Perturbed values" not in page().text


def test_anatomy_warns_of_inference_and_claims_nothing_about_linking() -> None:
    text = Page(html(torn())).text
    assert "Nobody is hidden: people can be recognised in the first table" in text
    assert "how much better was not measured here" in text
    assert "can one person's records be isolated? not prevented" in text
    assert "groups" in text
    assert "A class is" not in text
    assert "not bounded by any promise, for quasi-identifiers are exact" in text
    assert not re.search(r"\bat most\b", text.split("Regulators")[-1])
    assert "finds no fewer than" not in text


def test_anatomy_tells_the_measured_success_of_inference() -> None:
    attack = {"attack": "deFinetti", "success": 0.52, "baseline": 0.3333, "control": None, "interval": [0.5, 0.54],
              "sentence": "Half of the guesses are right."}  # fmt: skip
    text = Page(html(torn(attacks=[attack]))).text
    assert "measured here, 52 % of guesses are right" in text
    assert "50 % to 54 % – 0 Half of the guesses are right." in text


def test_never_claims_to_be_anonymous() -> None:
    for release in (facts(), torn()):
        said = Page(html(release)).text.replace("whether the release is anonymous in the sense of a law", "")
        assert "anonymous" not in said


def test_labels_and_names_are_escaped_everywhere() -> None:
    evil = '<script>alert("x")</script>&\'<b onclick=1>'
    release = facts(
        columns=[quasi(evil, 1, [evil, evil], evil), {"name": evil, "role": "sensitive", "released": True}],
        undeclared=[evil],
        marginals=[{"name": evil, "labels": [evil], "before": [100], "after": [100]}],
        sensitive={evil: sensitive()},
        numbers=[{"name": evil, "mean": [1, 1], "median": [1, 1], "deviation": [1, 1]}],
        divergence={"columns": {evil: 1.0}, "pairs": [{"columns": [evil, evil], "bits": 1.0}]},
        plan_toml=evil,
        files={evil: "ab" * 32},
        promises=[{"promise": evil, "guarantee": evil, "paper": evil}],
        verdicts=[{"promise": evil, "achieved": 1, "holds": True, "note": evil}],
        attacks=[
            {
                "attack": evil,
                "success": 0.1,
                "baseline": 0.1,
                "control": 0.1,
                "interval": None,
                "sentence": evil,
            }
        ],
    )
    source = html(release)
    assert "<script" not in source
    assert "<b onclick" not in source
    assert "&lt;script&gt;" in source
    Page(source)


def test_a_table_without_sensitive_columns_says_so_and_nothing_else() -> None:
    text = page(sensitive={}, columns=told()["columns"][:3]).text
    assert "What classes tell" not in text
    assert "inference was not measured" in text


def test_nothing_generalized_reads_well() -> None:
    columns = [quasi("age", 0, ["exact", "any value"], "7", loss=0.0)]
    text = page(columns=columns, suppressed=0, released=1000, marginals=[], numbers=[]).text
    assert "rows suppressed" not in text
    assert "released: exact such as 7" in text


def test_the_task_is_told_with_its_baseline() -> None:
    task = {"target": "illness", "original": 0.8, "release": 0.75, "baseline": 0.5, "trained_on": [700, 960],
            "tested_on": 300, "kept": 0.8333, "features": ["age"], "model": "logistic regression"}  # fmt: skip
    text = page(task=task).text
    assert "trained on the original 80 %" in text
    assert "trained on the original 240 of 300 (80 %)" in text
    assert "the release teaches 83 %" in text
    assert "the release teaches nothing" in page(task=task | {"kept": -0.2}).text


def test_thirty_columns_and_long_labels_stay_below_a_megabyte() -> None:
    names = [f"column_{i}_" + "x" * 40 for i in range(30)]
    labels = ["label " + "y" * 300 + str(i) for i in range(12)]
    release = facts(
        columns=[quasi(n, 3, [f"level {i}" for i in range(9)], labels[0]) for n in names],
        marginals=[{"name": n, "labels": labels, "before": [8] * 12, "after": [8] * 12} for n in names],
        divergence={
            "columns": dict.fromkeys(names, 0.5),
            "pairs": [{"columns": [a, b], "bits": 1.0} for a in names for b in names if a < b],
        },
        sensitive={n: sensitive() for n in names},
        class_sizes=[
            {"from": 2**i, "to": 2 ** (i + 1) - 1, "classes": 9**6, "records": 9**7} for i in range(30)
        ],
    )
    assert len(html(release).encode()) < 1_000_000


def test_a_private_page_says_that_it_is_one() -> None:
    assert "Private version, for the holder of the original" in page().text


def test_the_greatest_gain_of_an_attack_stands_first() -> None:
    def attack(name: str, success: float, baseline: float) -> dict[str, Any]:
        return {
            "attack": name,
            "success": success,
            "baseline": baseline,
            "control": 0.0,
            "interval": None,
            "sentence": f"{name}.",
        }

    text = page(attacks=[attack("linking", 0.2, 0.2), attack("skewness", 0.5, 0.1)]).text
    assert text.index("skewness.") < text.index("linking.")
    assert "have not been run" not in text
    assert "have not been run" in page().text


def test_a_value_shared_by_a_whole_class_is_announced() -> None:
    text = page(sensitive={"illness": sensitive(homogeneous=50, homogeneous_share=0.0521)}).text
    assert "50 records (5.2 % of all) share their illness with everybody in their class" in text
    assert "Not every sensitive value" not in page().text


@pytest.mark.parametrize(("number", "long"), [(0, False), (1, False), (3, True)])
def test_a_headline_of_many_promises_is_set_smaller(number: int, long: bool) -> None:
    watched = ["diagnosis", "treatment", "pay"]
    table = pa.table({"zip": ["94138"] * 8} | {name: list("abababab") for name in watched})
    promises = [{"model": "l-diversity", "column": name, "l": 2} for name in watched[:number]]
    columns = {"zip": {"role": "quasi", "hierarchy": {"kind": "mask"}}} | dict.fromkeys(watched, "sensitive")
    release = anonymize(table, {"columns": columns, "require": [{"model": "k-anonymity", "k": 5}, *promises]})
    page = html(of_table(release.facts))
    assert ('<h1 class="long">' in page) == long
    assert page.count("h1.long{") == 1
    assert (", distinct 2-diversity of treatment and distinct 2-diversity of pay</h1>" in page) == long
