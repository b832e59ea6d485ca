"""The words of reports, terminal and documents: each means one thing everywhere."""

from __future__ import annotations

from kohort.report.blocks import Block, table

WORDS = "What the words mean"
TERMS: dict[str, str] = {
    "row, record": "one line of a table; both words mean the same",
    "respondent, people": "whom rows are about. Where the plan names a respondent column, a person may have several rows and "
    "promises count people; where it names none, every row is taken for a person of its own",
    "holder": "who has the original and makes the release",
    "intruder": "who has the release and wants to learn about a person; knows the person's quasi-identifiers exactly unless "
    "something else is said",
    "quasi-identifier": "a column by which a person may be recognised together with others",
    "sensitive": "a column that must not be learnt about a person",
    "tuple, combination": "the values of all quasi-identifiers of one row",
    "class": "all released rows with the same tuple (the papers' equivalence class)",
    "cohort, crowd": "the people whom an intruder cannot tell apart by what is known: those of a class or, over several releases, "
    "those who share every class",
    "group": "rows told together in another way than by a common tuple: by a table of their own (Anatomy), by a mean "
    "(microaggregation) or, where it is told who was left out, by a label that they share in the original. What an algorithm deals "
    "rows into is called so too (some searches count them as clusters, as their papers do), before it is told by a common tuple "
    "and is a class",
    "generalized": "told by a label that is true and less exact; the labels stand in a hierarchy of levels",
    "suppressed, left out": "a row of the original that is not in the release or, if the plan says blank, is there with * in every "
    "quasi-identifier",
    "perturbed": "released as another value, which need not be true of the person",
    "promise, verdict, achieved": "what the plan requires; whether it holds in the files that were written; how far it is kept, "
    "in the promise's own parameter. Where the promise compares with the original, what is told against the release's own "
    "distribution is another figure, and no verdict on it",
    "risk": "the chance that an intruder names the right record or person. The prosecutor knows that a person is in the table; the "
    "journalist does not, and faces the population; the marketer wants as many as possible",
    "unique": "alone in a class",
    "share": "in per cent, beside the count and the whole that it is a share of",
    "distinct l": "how many different values of a sensitive column the class with the fewest holds; where people have several "
    "rows, as many as are made sure of whichever of their values is taken for each person, so that there may be more",
    "entropy l": "e to the entropy of the values of a class: so many equally frequent values would be as uncertain",
    "recursive (c, l)": "the most frequent value of a class is rarer than c times all values from the l-th most frequent on",
    "p": "the fewest different values of any sensitive column that a class holds",
    "t": "how far the values of a class are distributed from those of the whole table: 0 alike, 1 as far as can be",
    "α": "the largest share of one value in a class",
    "β": "by how much the share of a value grows from the whole table to a class, as a multiple of its share in the table",
    "δ": "the largest logarithm, up or down, of a value's share in a class over its share in the table; ∞ where a class lacks "
    "a value",
    "detail lost": "how much of its domain a released value leaves open: 0 % as exact as before, 100 % nothing told",
    "loss, metric, objective, score": "a metric says how much a release lost, less being better; the objective is the one that was "
    "made small, the score its value",
    "optimal, bound, gap": "proved that no recoding of this kind scores lower; below what none can score; how far that lies "
    "below the score, as a share of the score",
    "total variation": "half the sum of the differences between two distributions' shares: 0 alike, 1 nothing in common",
    "baseline, control": "what an attack reaches without the release; what it reaches where nothing can be right by knowledge",
    "public, private": "computed from the released table and the public plan alone; for the holder",
}


def glossary() -> list[Block]:
    """Return the words, to be folded out."""
    return [table(("word", "meaning"), list(TERMS.items()), caption="Words")]
