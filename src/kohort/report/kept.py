"""What detail was lost, and what the release still tells."""

from __future__ import annotations

from markupsafe import Markup

from kohort.facts import ReleaseFacts
from kohort.facts.kept import Marginal
from kohort.report.blocks import Block, chart, heading, row, table, text
from kohort.report.charts import HALF, Bar, bars
from kohort.report.columns import generalized
from kohort.report.words import number, percent

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

    columns, quality, bits = generalized(facts), facts.quality, facts.divergence.columns
    return [
        text(
            f"Completeness {percent(quality.completeness)}: the share of rows that is released. Accuracy "
            f"{percent(quality.accuracy)}: the share of generalization steps that was not taken. Divergence (Kullback–Leibler) "
            "tells how many bits per record somebody is misled who takes each released value as any of those it may stand for."
        ),
        chart(
            bars(
                "Detail lost by column",
                [Bar(name, column.loss, percent(column.loss)) for name, column in columns.items()],
                1.0,
            ),
            "Detail lost by column: 0 % is as exact as before, 100 % tells nothing",
        ),
        table(
            ("column", "detail lost", "bits of divergence"),
            [(name, percent(column.loss), number(bits.get(name))) for name, column in columns.items()],
            (1, 2),
            caption="Loss as a table, with the divergence of each column",
        ),
        table(
            ("metric", "value", "what it measures"),
            [
                (name, number(value), METRICS[name].card.summary if name in METRICS else "of another package")
                for name, value in facts.losses.items()
            ],
            (1,),
            caption="Every metric of loss (lower is better)",
        ),
    ]


def _marginals(facts: ReleaseFacts) -> list[Block]:
    if not facts.marginals:
        return []
    rows = [
        (told.name, label, f"{before} %", f"{after} %")
        for told in facts.marginals
        for label, before, after in zip(told.labels, told.before, told.after, strict=True)
    ]
    return [
        heading("Distributions before and after"),
        text(
            "Thin and grey: the original. Thick: the release. Rounded, and at the finest level that tells no more than the "
            "release does."
        ),
        row([(_marginal(told), _marginal_caption(told)) for told in facts.marginals]),
        table(("column", "value", "before", "after"), rows, (2, 3), caption="Distributions as a table"),
    ]


def _marginal(told: Marginal) -> Markup:
    entries = [
        Bar(label, after, f"{after} %", before, f"{before}")
        for label, before, after in zip(told.labels, told.before, told.after, strict=True)
    ]
    return bars(f"{told.name} before and after", entries, width=HALF)


def _marginal_caption(told: Marginal) -> str:
    moved = sum(abs(b - a) for b, a in zip(told.before, told.after, strict=True)) / 2
    return f"{told.name}: {'as before' if moved < 1 else f'{moved:.0f} of 100 records moved'}"


def _pairs(facts: ReleaseFacts) -> list[Block]:
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
            "A generalized number counts as the middle of its range. Rounded, so that no single record shows."
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
    share = (
        ""
        if told.kept is None
        else f" The release keeps {percent(max(told.kept, 0.0))} of what can be learnt."
    )
    return [
        heading(f"A task: predicting {told.target}"),
        text(
            f"The same {told.model} was trained on the original and on the release, and asked about "
            f"{told.tested_on:,} original rows.{share}"
        ),
        chart(bars(f"Right answers for {told.target}", entries, 1.0), "Right answers"),
        table(
            ("trained on", "right answers"),
            [(entry.label, entry.text) for entry in entries],
            (1,),
            caption="Right answers as a table",
        ),
    ]
