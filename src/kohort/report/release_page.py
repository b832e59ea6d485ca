"""The page about a release: the promise and the verdict first, then the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kohort.report.blocks import Block, Section, chart, code, row, table, text
from kohort.report.charts import Bar, bars
from kohort.report.compliance import compliance
from kohort.report.remaining_risk import remaining_risk
from kohort.report.words import count, number, percent

WHAT_HAPPENED = {
    "identifier": "dropped",
    "sensitive": "kept, watched by the promises above",
    "insensitive": "kept as it is",
}


def release_page(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the page as a dict: headline, verdicts, key figures, sections."""
    holds = all(verdict["holds"] for verdict in facts["verdicts"])
    promise = " and ".join(told["promise"] for told in facts["promises"])
    return {
        "title": f"Release report: {promise}",
        "kind": "Kohort release report",
        "headline": f"{promise}: {'holds' if holds else 'does not hold'}",
        "lead": _lead(facts),
        "verdicts": [_verdict(verdict) for verdict in facts["verdicts"]],
        "figures": _figures(facts),
        "sections": [section for section in _sections(facts) if section.blocks],
        "footer": f"Made by Kohort {facts['versions']['kohort']}. Every number on this page stands in manifest.json beside it.",
    }


def _sections(facts: Mapping[str, Any]) -> list[Section]:
    return [
        Section("columns", "What happened to each column", _columns(facts)),
        Section("classes", "In what company people are", _classes(facts)),
        Section("loss", "What detail was lost", _loss(facts)),
        Section("sensitive", "What classes tell about sensitive values", _sensitive(facts)),
        Section("risk", "What remains at risk", remaining_risk(facts)),
        Section("method", "How it was done", _method(facts)),
        Section("compliance", "For the file", compliance(facts)),
        Section("reproduce", "How to reproduce and check it", _reproduce(facts)),
    ]


def _lead(facts: Mapping[str, Any]) -> str:
    people = "people" if facts["asked"].get("input", {}).get("respondent") else "records"
    return (
        f"{count(facts['released'])} of {count(facts['rows'])} records are released, in {count(facts['classes'])} classes of "
        f"{people} that share their quasi-identifiers. The promises were checked on the bytes that were written, by code "
        "that has no part in making them."
    )


def _verdict(verdict: Mapping[str, Any]) -> dict[str, Any]:
    achieved = verdict.get("achieved")
    said = [] if achieved is None else [f"achieved {number(achieved)}"]
    return {
        "promise": verdict["promise"],
        "holds": verdict["holds"],
        "text": "; ".join([*said, *([verdict["note"]] if verdict.get("note") else [])]),
    }


def _figures(facts: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    risk = facts["risk"]["prosecutor"]
    suppressed = facts["suppressed"]
    share = percent(suppressed / facts["rows"]) if isinstance(suppressed, int) else "fewer than k"
    return [
        ("records released", count(facts["released"]), f"of {count(facts['rows'])}"),
        ("suppressed", count(suppressed), share),
        ("classes", count(facts["classes"]), "combinations of quasi-identifiers"),
        ("highest risk", percent(risk["highest"]), "of picking the right record"),
        ("average risk", percent(risk["average"]), "over all records"),
        (
            f"lost ({facts['objective']})",
            number(facts["score"]),
            "proved optimal" if facts["optimal"] else "not proved optimal",
        ),
    ]


def _columns(facts: Mapping[str, Any]) -> list[Block]:
    rows = []
    for column in facts["columns"]:
        if column["role"] != "quasi":
            rows.append((column["name"], column["role"], WHAT_HAPPENED[column["role"]], "", "", ""))
            continue
        level = (facts.get("levels") or {}).get(column["name"])
        done = "generalized" if level is None else f"level {level} of {column['height']}"
        if level == 0:
            done = "kept exact"
        elif level == column["height"]:
            done = "suppressed"
        rows.append(
            (
                column["name"],
                "quasi-identifier",
                done,
                f"{count(column['values'])} → {count(column['released_values'])}",
                column["example"] or "–",
                percent(column["loss"]),
            )
        )
    blocks = [
        table(
            ("column", "role", "what happened", "distinct values", "most common released", "detail lost"),
            rows,
            (3, 5),
        )
    ]
    if facts["undeclared"]:
        blocks.append(
            text(f"Not released, because the plan does not name them: {', '.join(facts['undeclared'])}.")
        )
    return blocks


def _classes(facts: Mapping[str, Any]) -> list[Block]:
    bins = facts["class_sizes"]
    total = max(sum(step["records"] for step in bins), 1)
    entries = [
        Bar(
            _span(step),
            step["records"] / total,
            f"{percent(step['records'] / total)} in {count(step['classes'])} classes",
        )
        for step in bins
    ]
    distribution = [
        (f"above {percent(line['above'])}", count(line["people"]), percent(line["share"]))
        for line in facts["risk"]["at_risk"]
    ]
    return [
        text(
            "A class is the group of respondents who share all released quasi-identifiers. Whoever knows somebody's "
            "quasi-identifiers cannot tell them from the others of their class."
        ),
        chart(
            bars("Records by size of their class", entries), "Share of records by the size of their class."
        ),
        table(
            ("class size", "classes", "records"),
            [(_span(step), count(step["classes"]), count(step["records"])) for step in bins],
            (1, 2),
            caption="Class sizes as a table",
        ),
        table(
            ("risk of re-identification", "people", "share"),
            distribution,
            (1, 2),
            caption="People by their risk (one over the size of the class)",
            open=True,
        ),
    ]


def _span(step: Mapping[str, int]) -> str:
    return (
        count(step["from"]) if step["from"] == step["to"] else f"{count(step['from'])} to {count(step['to'])}"
    )


def _loss(facts: Mapping[str, Any]) -> list[Block]:
    lost = [Bar(c["name"], c["loss"], percent(c["loss"])) for c in facts["columns"] if c["role"] == "quasi"]
    blocks = [
        chart(
            bars("Detail lost by column", lost, most=1.0),
            "Share of its detail that each quasi-identifier lost: 0 % is as exact as before, 100 % tells nothing.",
        ),
        table(
            ("metric", "value"),
            [(name, number(value)) for name, value in facts["losses"].items()],
            (1,),
            caption="Every metric of loss (lower is better)",
        ),
    ]
    pictures = [(_marginal(told), _marginal_caption(told)) for told in facts["marginals"]]
    if pictures:
        blocks.append(
            text(
                "Each column before (thin, grey) and after (thick), in whole per cent, at the finest level that tells no more "
                "than the release."
            )
        )
        blocks.append(row(pictures))
        rows = [
            (f"{told['name']}: {label}", f"{before} %", f"{after} %")
            for told in facts["marginals"]
            for label, before, after in zip(told["labels"], told["before"], told["after"], strict=True)
        ]
        blocks.append(table(("value", "before", "after"), rows, (1, 2), caption="Distributions as a table"))
    return blocks


def _marginal(told: Mapping[str, Any]) -> Any:
    entries = [
        Bar(label, after, f"{after} %", before, f"{before}")
        for label, before, after in zip(told["labels"], told["before"], told["after"], strict=True)
    ]
    return bars(f"{told['name']} before and after", entries, most=100.0, width=400)


def _marginal_caption(told: Mapping[str, Any]) -> str:
    moved = sum(abs(b - a) for b, a in zip(told["before"], told["after"], strict=True)) / 2
    return f"{told['name']}: {moved:.0f} of 100 records moved."


def _sensitive(facts: Mapping[str, Any]) -> list[Block]:
    if not facts["sensitive"]:
        return []
    rows = [
        (
            name,
            count(told["distinct_l"]),
            number(told["entropy_l"]),
            number(told["t"]["equal"]),
            percent(told["alpha"]),
            percent(told["homogeneous_share"]),
        )
        for name, told in facts["sensitive"].items()
    ]
    return [
        text(
            "k-anonymity alone does not hide a value that everybody in a class shares. These figures tell, for the worst "
            "class, how many different values it holds (plainly, and by entropy), how far its distribution is from the whole "
            "table's (t, from 0 to 1), the largest share of one value, and which share of all records sits in classes with a "
            "single value."
        ),
        table(
            ("column", "distinct l", "entropy l", "t", "largest share", "in one-valued classes"),
            rows,
            (1, 2, 3, 4, 5),
        ),
    ]


def _method(facts: Mapping[str, Any]) -> list[Block]:
    algorithm = facts["algorithm"]
    said = [f"The algorithm is {algorithm['name']} ({algorithm['paper']})."]
    if algorithm["taxonomy"]:
        said.append(f"It recodes by the model {algorithm['taxonomy']} of the taxonomy of Ciriani et al.")
    said.append(f"Its guarantee: {algorithm['guarantee'] or 'none'}.")
    if not algorithm["truthful"]:
        said.append("It perturbs: released values are not generalizations of the original ones.")
    search = {key: facts[key] for key in ("nodes", "checked", "bound", "gap", "visited") if key in facts}
    rows = [(key, number(value)) for key, value in search.items() if isinstance(value, int | float)]
    blocks = [
        text(" ".join(said)),
        table(
            ("promise", "what it guarantees", "paper"),
            [(told["promise"], told["guarantee"], told["paper"]) for told in facts["promises"]],
        ),
    ]
    if rows:
        blocks.append(table(("search", "figure"), rows, (1,), caption="The search in figures"))
    return blocks


def _reproduce(facts: Mapping[str, Any]) -> list[Block]:
    used = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    files = [(name, digest) for name, digest in facts.get("files", {}).items()]
    return [
        text("Anyone can check the promises again from the released files:"),
        code("kohort verify RELEASE            # the directory that holds this page"),
        text(
            "The holder of the original can make the release again from this plan, with the table's path added under [input]:"
        ),
        code(facts["plan_toml"]),
        text(f"Versions: {used}."),
        *([table(("file", "SHA-256"), files, caption="Files of the release")] if files else []),
    ]
