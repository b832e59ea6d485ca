"""What the made-up people are called, where they live and what they do."""

from __future__ import annotations

# Given names by decade of birth: up to 1959, 1960 to 1989, from 1990 on.
WOMEN = (
    ("Margaret", "Helga", "Ruth", "Ilse", "Dorothy", "Agnes", "Carmen", "Zofia", "Giulia", "Françoise"),
    ("Susan", "Petra", "Karen", "Anna", "Ingrid", "Claudia", "Małgorzata", "Inês", "Beatriz", "Mei"),
    ("Emma", "Mia", "Léa", "Aylin", "Chloé", "Sofía", "Zoë", "Hannah", "Noor", "Lucía"),
)
MEN = (
    ("Walter", "Heinz", "George", "Karl", "Ernest", "Václav", "José", "Bruno", "Søren", "Giovanni"),
    ("Thomas", "Andreas", "Michael", "Jürgen", "Piotr", "Luís", "Anders", "Kemal", "Wei", "Patrick"),
    ("Liam", "Leon", "Noah", "Jakub", "Mateo", "Emil", "Théo", "Yusuf", "Finn", "Oğuz"),
)
SURNAMES = (
    "Adler", "Almeida", "Andersson", "Bauer", "Becker", "Bianchi", "Brandt", "Çelik", "Clarke", "da Silva",
    "Dubois", "Dvořák", "Eriksen", "Fischer", "García", "Großmann", "Hansen", "Hughes", "Ivanov", "Janssen",
    "Jørgensen", "Keller", "Kowalski", "Lange", "Lefèvre", "Łukasik", "Martin", "Meyer", "Moreau", "Müller",
    "Nguyễn", "Novák", "O'Neill", "Öztürk", "Pereira", "Petrov", "Quinn", "Richter", "Rossi", "Schäfer",
    "Schmidt", "Smith", "Svensson", "Taylor", "van den Berg", "Vogel", "Weber", "Wójcik", "Young", "Zimmermann",
)  # fmt: skip

# Towns that do not exist: name, share of the patients, ZIP codes.
TOWNS: tuple[tuple[str, float, tuple[str, ...]], ...] = (
    ("Aldersund", 0.24, ("01067", "01069", "01097", "01099", "01127")),
    ("Brücken", 0.14, ("01454", "01458", "01465")),
    ("Carrow Bay", 0.06, ("01558", "01561")),
    ("Dorngau", 0.05, ("02625", "02627")),
    ("Eichental", 0.04, ("02708",)),
    ("Falkmouth", 0.17, ("14467", "14469", "14471", "14473")),
    ("Grünhafen", 0.09, ("14513", "14532")),
    ("Hollin", 0.05, ("14641",)),
    ("Île-du-Nord", 0.05, ("15230", "15232")),
    ("Jasenice", 0.05, ("15306",)),
    ("Kestrel Point", 0.035, ("27472", "27474")),
    ("Løvstad", 0.02, ("27498",)),
    ("Mirefield", 0.005, ("99998",)),  # far away: whoever comes from there stands out
)

# Occupation: field, wider field, share among people of working age, share of women in it.
OCCUPATIONS: dict[str, tuple[str, str, float, float]] = {
    "nurse": ("health", "services", 0.07, 0.85),
    "physician": ("health", "services", 0.025, 0.45),
    "carer": ("health", "services", 0.05, 0.8),
    "teacher": ("education and public service", "services", 0.06, 0.7),
    "police officer": ("education and public service", "services", 0.02, 0.25),
    "civil servant": ("education and public service", "services", 0.06, 0.5),
    "shop assistant": ("trade and hospitality", "services", 0.09, 0.7),
    "cook": ("trade and hospitality", "services", 0.04, 0.35),
    "hairdresser": ("trade and hospitality", "services", 0.02, 0.85),
    "clerk": ("office", "services", 0.11, 0.65),
    "accountant": ("office", "services", 0.04, 0.55),
    "lawyer": ("office", "services", 0.012, 0.4),
    "bishop": ("office", "services", 0.0003, 0.05),
    "engineer": ("technology", "industry", 0.06, 0.2),
    "programmer": ("technology", "industry", 0.05, 0.2),
    "technician": ("technology", "industry", 0.05, 0.25),
    "carpenter": ("crafts and building", "industry", 0.04, 0.05),
    "electrician": ("crafts and building", "industry", 0.04, 0.03),
    "bricklayer": ("crafts and building", "industry", 0.03, 0.02),
    "driver": ("transport and production", "industry", 0.05, 0.1),
    "machine operator": ("transport and production", "industry", 0.05, 0.2),
    "warehouse worker": ("transport and production", "industry", 0.05, 0.3),
    "farmer": ("land and forest", "industry", 0.015, 0.3),
    "forester": ("land and forest", "industry", 0.004, 0.15),
    "lighthouse keeper": ("land and forest", "industry", 0.0003, 0.2),
}
NOT_WORKING = {
    "pupil": "in education",
    "student": "in education",
    "retired": "retired or at home",
    "at home": "retired or at home",
}
EDUCATION = (
    "none yet", "primary school", "secondary school", "vocational training", "bachelor", "master", "doctorate",
)  # fmt: skip
