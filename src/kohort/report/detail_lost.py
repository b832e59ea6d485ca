"""What detail was lost, and what the release still tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from kohort.facts import ReleaseFacts
from kohort.facts.utility import Marginal, TaskFacts
from kohort.plurals import many
from kohort.report.blocks import Block, chart, heading, row, table, text
from kohort.report.charts import HALF, Bar, bars
from kohort.report.columns import generalized
from kohort.report.scores import measures
from kohort.report.words import count, number, percent, share_of, unbounded

PAIRS = 12  # pairs of columns told, the least well preserved first


def kept(facts: ReleaseFacts) -> list[Block]:
    """Return the loss of every column and metric, distributions before and after, numbers, and the task."""
    return [
        *_losses(facts),
        *_marginals(facts),
        *_pairs(facts),
        *_numbers(facts),
        *_task(facts),
    ]


def _losses(facts: ReleaseFacts) -> list[Block]:
    from kohort.metrics import METRICS

    columns, quality = generalized(facts), facts.quality
    bits = facts.divergence.columns if facts.algorithm.truthful else {}
    return [
        text(
            f"Completeness {percent(quality.completeness)}: {count(facts.released)} of {count(facts.rows)} rows are released. "
            f"{_accuracy(facts)} {_diverges(facts)}"
        ),
        chart(
            bars(
                "Detail lost by column",
                [Bar(name, column.loss, percent(column.loss)) for name, column in columns.items()],
                1.0,
            ),
            f"Detail lost by column: 0 % is as exact as before, 100 % tells nothing{_of_groups(facts)}",
        ),
        table(
            ("column", "detail lost", "bits of divergence"),
            [(name, percent(column.loss), _bits(bits, name)) for name, column in columns.items()],
            (1, 2),
            caption="Loss as a table, with the divergence of each column (– not measured)",
        ),
        table(
            ("metric", "value", "what it measures"),
            [
                (name, number(value), METRICS[name].card.summary if name in METRICS else "of another package")
                for name, value in facts.losses.items()
                if measures(facts, name)
            ],
            (1,),
            caption="Every metric of loss (lower is better)"
            if facts.algorithm.truthful
            else "Metrics of loss (lower is better); those of generalization say nothing of perturbed values",
        ),
    ]


def _accuracy(facts: ReleaseFacts) -> str:
    """Return how exact released values are; perturbed ones took no step that could be counted."""
    if not facts.algorithm.truthful:
        return "Accuracy, which counts steps of generalization, is not told: values are perturbed, and no step was taken."
    return (
        f"Accuracy {percent(facts.quality.accuracy)}: the share of generalization steps that was not taken, on average over "
        "released rows."
    )


def _diverges(facts: ReleaseFacts) -> str:
    """Return what divergence is; perturbed values stand for none that could be taken instead of them."""
    if not facts.algorithm.truthful:
        return "Divergence, which spreads a released value over those it may stand for, is not told either."
    return (
        "Divergence (Kullback–Leibler): the bits per record by which the original differs from the release, where each released "
        "value is taken for any of those it may stand for, all equally likely, and a suppressed row for any at all."
    )


def _of_groups(facts: ReleaseFacts) -> str:
    """Return what detail means where values are perturbed, and what a suppressed row has lost."""
    if not facts.algorithm.truthful:
        return (
            "; of perturbed values, over how much of the domain, or of the range that occurs where none is declared, those of a "
            "group were spread on average (100 % where noise leaves that open), and not how far they lie from a person's"
        )
    return ", as of every suppressed row" if facts.suppressed else ""


def _bits(bits: Mapping[str, float | None], name: str) -> str:
    """Return a divergence: infinite where it is told as None, unknown where it is not told."""
    return unbounded(bits[name]) if name in bits else "–"


def _marginals(facts: ReleaseFacts) -> list[Block]:
    if not facts.marginals:
        return []
    rows = [row for told in facts.marginals for row in _counts(told, facts)]
    return [
        heading("Distributions before and after"),
        text(
            "Thin and grey: the original. Thick: the release. Each at the finest level of no more than a "
            "dozen labels that tells no more than the release does. The difference of two distributions is their total variation: "
            "half the sum of the differences between their shares."
        ),
        row([(_marginal(told, facts), _marginal_caption(told)) for told in facts.marginals]),
        table(("column", "value", "before", "after"), rows, (2, 3), caption="Distributions as a table"),
    ]


def _counts(told: Marginal, facts: ReleaseFacts) -> Iterator[tuple[str, str, str, str]]:
    """Yield the rows of each value before and after, then those of values that are not named."""
    for label, (before, after) in zip(told.labels, told.rows, strict=False):
        gone = "" if after else " (vanished)"
        yield told.name, label + gone, share_of(before, facts.rows), share_of(after, facts.released)
    if told.vanished:
        name = f"{many(told.vanished, 'value')} too rare to be named (vanished)"
        yield told.name, name, share_of(told.vanished_rows, facts.rows), share_of(0, facts.released)


def _marginal(told: Marginal, facts: ReleaseFacts) -> Markup:
    """Return the distribution drawn, with the shares of the table; audits of before rows were told have rounded ones."""
    rounded = [(before / 100, after / 100) for before, after in zip(told.before, told.after, strict=True)]
    exact = [(before / facts.rows, after / max(facts.released, 1)) for before, after in told.rows]
    entries = [
        Bar(label, after, percent(after), before, percent(before))
        for label, (before, after) in zip(told.labels, exact or rounded, strict=True)
    ]
    return bars(f"{told.name} before and after", entries, width=HALF)


def _marginal_caption(told: Marginal) -> str:
    """Return how far the shares have moved; `as before` only where they are the same to the last row."""
    if told.distance is None:
        return f"{told.name}: in per cent, rounded"
    if len(told.labels) == 1 and not told.vanished:
        return f"{told.name}: one label holds all rows, so that there are no shares to compare"
    moved = (
        "shares as before"
        if told.distance == 0
        else f"shares differ by {percent(told.distance)} (total variation)"
    )
    gone = sum(not after for _, after in told.rows) + told.vanished
    return f"{told.name}: {moved}" + (f", {many(gone, 'value')} vanished" if gone else "")


def _pairs(facts: ReleaseFacts) -> list[Block]:
    if not facts.algorithm.truthful:
        return []
    pairs = [(pair.columns, pair.bits) for pair in facts.divergence.pairs or () if pair.bits is not None]
    if not pairs:
        return []
    worst = sorted(pairs, key=lambda pair: -pair[1])[:PAIRS]
    return [
        table(
            ("columns", "bits of divergence"),
            [(" × ".join(columns), number(bits)) for columns, bits in worst],
            (1,),
            caption="Divergence of pairs of columns"
            + (f": the {PAIRS} least well preserved of {len(pairs)}" if len(pairs) > PAIRS else ""),
        )
    ]


def _numbers(facts: ReleaseFacts) -> list[Block]:
    if not facts.numbers:
        return []
    blocks = [
        heading("Numbers before and after"),
        text(
            "A generalized number counts as the mean of the values of its hierarchy that it may stand for; missing ones are left "
            "out. Four digits are told, and one number where both are the same."
        ),
        table(
            ("column", "mean", "median", "standard deviation"),
            [
                (told.name, _changed(told.mean), _changed(told.median), _changed(told.deviation))
                for told in facts.numbers
            ],
            (1, 2, 3),
        ),
    ]
    if facts.correlations:
        rows = [
            (" × ".join(told.columns), number(told.before), number(told.after)) for told in facts.correlations
        ]
        blocks.append(
            text("Correlations are those of all rows, or of 50,000 drawn at random where there are more.")
        )
        blocks.append(table(("correlation of", "before", "after"), rows, (1, 2)))
    return blocks


def _changed(pair: tuple[float | None, float | None]) -> str:
    before, after = map(number, pair)
    return before if before == after else f"{before} → {after}"


def _task(facts: ReleaseFacts) -> list[Block]:
    told = facts.task
    if told is None:
        return []
    entries = [
        Bar("trained on the original", told.original, percent(told.original)),
        Bar("trained on the release", told.release, percent(told.release)),
        Bar("most frequent value", told.baseline, percent(told.baseline)),
    ]
    return [
        heading(f"A task: predicting {told.target}"),
        text(
            f"The same {told.model} was trained on {many(told.trained_on[0], 'row')} of the original and on "
            f"{count(told.trained_on[1])} of the release, and asked about {many(told.tested_on, 'other row')} of "
            "the original (of which "
            f"the release may tell some, which favours it). {_learnt(told)}"
        ),
        chart(bars(f"Right answers for {told.target}", entries, 1.0), "Right answers"),
        table(
            ("trained on", "right answers"),
            [
                (entry.label, share_of(round(entry.value * told.tested_on), told.tested_on))
                for entry in entries
            ],
            (1,),
            caption="Right answers as a table",
        ),
    ]


def _learnt(told: TaskFacts) -> str:
    """Return what the release teaches of what the original does, beyond always saying the most frequent value."""
    if told.kept is None:
        return "The original teaches nothing beyond the most frequent value."
    if told.kept <= 0:
        return "Of what the original teaches beyond the most frequent value, the release teaches nothing."
    return f"Of what the original teaches beyond the most frequent value, the release teaches {percent(told.kept)}."
