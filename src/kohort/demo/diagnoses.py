"""Diagnoses with codes in the manner of the ICD: who gets them, in which ward, at what cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One diagnosis and the people it befalls."""

    code: str
    group: str
    chapter: str
    ward: str
    share: float  # how common it is where it occurs at all
    ages: tuple[int, int]  # where it is at its most common
    women: float  # the share of women among those who have it
    cost: int  # of a typical stay


def _group(
    chapter: str, group: str, ward: str, *rows: tuple[str, float, tuple[int, int], float, int]
) -> list[Diagnosis]:
    return [Diagnosis(code, group, chapter, ward, *row) for code, *row in rows]  # type: ignore[arg-type]


DIAGNOSES: tuple[Diagnosis, ...] = (
    *_group("infections", "bowel infections", "medicine",
            ("A08", 5, (0, 12), 0.5, 1400), ("A09", 7, (0, 95), 0.5, 1600)),
    *_group("infections", "other infections", "medicine",
            ("A41", 2, (60, 95), 0.45, 9800), ("B20", 0.5, (25, 60), 0.25, 7200)),
    *_group("neoplasms", "breast and prostate", "oncology",
            ("C50", 5, (45, 85), 0.99, 8600), ("C61", 5, (58, 90), 0.0, 8200)),
    *_group("neoplasms", "other neoplasms", "oncology",
            ("C18", 3, (55, 90), 0.45, 11200), ("C34", 3, (50, 85), 0.4, 12400), ("C91", 0.7, (2, 25), 0.45, 24500)),
    *_group("metabolism", "diabetes", "medicine",
            ("E10", 2, (5, 45), 0.48, 2900), ("E11", 7, (45, 90), 0.47, 3300)),
    *_group("metabolism", "other metabolism", "medicine",
            ("E05", 2, (25, 70), 0.8, 2400), ("E66", 3, (20, 65), 0.6, 5100)),
    *_group("mind", "mood", "psychiatry",
            ("F32", 6, (18, 75), 0.64, 4800), ("F33", 4, (25, 75), 0.66, 5600)),
    *_group("mind", "addiction and psychosis", "psychiatry",
            ("F10", 5, (20, 70), 0.3, 3900), ("F20", 2, (18, 55), 0.42, 7400)),
    *_group("mind", "dementia", "geriatrics",
            ("F03", 4, (74, 99), 0.62, 5200), ("G30", 4, (72, 99), 0.64, 5000)),
    *_group("circulation", "ischaemic heart disease", "cardiology",
            ("I20", 5, (48, 90), 0.38, 3700), ("I21", 5, (50, 92), 0.34, 7900), ("I25", 5, (52, 90), 0.32, 5200)),
    *_group("circulation", "other heart disease", "cardiology",
            ("I48", 7, (58, 95), 0.47, 3500), ("I50", 9, (68, 99), 0.52, 4600)),
    *_group("circulation", "vessels", "medicine",
            ("I10", 6, (45, 95), 0.58, 2100), ("I63", 6, (60, 97), 0.49, 8300)),
    *_group("respiration", "lower airways", "medicine",
            ("J44", 5, (52, 92), 0.45, 4200), ("J45", 5, (3, 40), 0.52, 2300)),
    *_group("respiration", "infections of the airways", "medicine",
            ("J18", 8, (0, 99), 0.46, 4700), ("J35", 7, (2, 25), 0.5, 2200)),
    *_group("digestion", "appendix and hernia", "surgery",
            ("K35", 7, (6, 38), 0.45, 4400), ("K40", 6, (20, 80), 0.12, 3500)),
    *_group("digestion", "gallbladder and bowel", "surgery",
            ("K80", 7, (28, 85), 0.65, 4900), ("K57", 4, (48, 90), 0.56, 4300)),
    *_group("bones and injuries", "joints", "surgery",
            ("M16", 6, (55, 90), 0.57, 9100), ("M17", 7, (52, 88), 0.62, 9300), ("M51", 5, (28, 70), 0.48, 5700)),
    *_group("bones and injuries", "injuries", "surgery",
            ("S06", 7, (0, 99), 0.45, 2800), ("S52", 6, (5, 90), 0.56, 4500), ("S72", 6, (70, 99), 0.7, 9900)),
    *_group("kidneys and birth", "kidneys", "medicine",
            ("N18", 3, (50, 92), 0.45, 6100), ("N20", 5, (25, 70), 0.32, 2900), ("N40", 4, (58, 92), 0.0, 4100)),
    *_group("kidneys and birth", "birth", "obstetrics",
            ("O80", 26, (19, 41), 1.0, 2500), ("O82", 9, (22, 43), 1.0, 4700)),
)  # fmt: skip


def diagnosis_tree() -> dict[str, dict[str, list[str]]]:
    """Return chapter → group → codes."""
    tree: dict[str, dict[str, list[str]]] = {}
    for diagnosis in DIAGNOSES:
        tree.setdefault(diagnosis.chapter, {}).setdefault(diagnosis.group, []).append(diagnosis.code)
    return tree
