"""Values that say when, where, whom or which case, and values of something sensitive: each a list to draw from, none of real people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from tests.unit.proposals.messy.drawing import surname

ROWS = 400
_CHANCE = np.random.default_rng(3)
_DAYS = [
    (np.datetime64("2019-01-01", "s") + np.timedelta64(int(n), "D")).item()
    for n in _CHANCE.integers(0, 900, ROWS)
]
_CLOCK = [
    (int(h), int(m))
    for h, m in zip(_CHANCE.integers(0, 24, ROWS), _CHANCE.integers(0, 60, ROWS), strict=True)
]
_ORDER = [int(i) for i in _CHANCE.permutation(ROWS)]
_NAMES = [surname(7 * i) for i in range(25)]


def _dated(*forms: str) -> dict[str, list[Any]]:
    return {form: [day.strftime(form) for day in _DAYS] for form in forms}


def _each(form: Callable[[int], Any], each: int = 1) -> list[Any]:
    return [form(i // each) for i in _ORDER]


def _words(text: str) -> list[Any]:
    return [word.strip() for word in text.split(",")]


WHEN: dict[str, list[Any]] = {
    **_dated("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%y", "%Y%m%d", "%d %b %Y", "%d-%b-%Y", "%Y-%m-%dT10:11:12Z", "%d.%m.%Y 10:11"),
    **_dated("%Y-%m", "%m/%Y", "%b %Y", "%b-%y", "%G-W%V", "%d.%m."),
    "times": [f"{h:02}:{m:02}" for h, m in _CLOCK], "seconds": [f"{h:02}:{m:02}:07" for h, m in _CLOCK],
    "few times": _words("08:00,09:30,11:15,14:00"), "run together": [830, 915, 1030, 1430, 1545], "am": _words("9 am,10 am,3 pm"),
    "quarters": _words("2019Q1,2019Q2,2020Q1"), "Q": _words("Q1/2019,Q2/2019,Q3/2019"), "weeks": [f"KW {i}" for i in range(1, 50)],
    "fiscal": _words("FY2018,FY2019,FY2020"), "school years": _words("2018/19,2019/20,2020/21"), "decades": _words("1980s,1990s,2000s"),
    "terms": _words("SS19,WS19/20,SS20"), "years": [*range(2005, 2020)], "two years": [2018, 2019],
    "years or not": _words("2005,2006,2009,unknown"), "weekdays": _words("Monday,Tuesday,Friday"), "days": _words("Mo,Di,Mi,Do,Fr"),
    "dni": _words("poniedziałek,wtorek,środa,czwartek"), "dagen": _words("maandag,dinsdag,woensdag,vrijdag"),
    "dias": _words("segunda-feira,terça-feira,quarta-feira"), "months": _words("May,June,July,August"), "shifts": _words("morning,evening,night"),
    "serial": [43_000 + 3 * i for i in range(300)], "epoch": [1_546_300_800 + 86_413 * i for i in range(300)],
    "feasts": _words("Ostern 2020,Pfingsten 2020"),
}  # fmt: skip
WHERE: dict[str, list[Any]] = {
    "places": _words("Ylöjärvi,Szentgál,Gurk,Trzin,Odolena,Vlkov,Kuhmo,Ikast"), "many": [f"{surname(i)}heim" for i in range(60)],
    "de": [79100, 79102, 79104, 88212, 20095], "many de": [10115 + 3 * i for i in range(280)], "zeros": _words("01067,01069,04103"),
    "uk": _words("SW1A 1AA,LS1 4AB,M1 2WD,EH1 3QR"), "nl": _words("1011 AB,1012 XZ,3511 CD"), "pl": _words("00-950,31-005,31-510,80-831"),
    "pt": _words("1000-205,4000-322,3000-117"), "us": _words("10001-1234,94105-2211"), "countries": _words("Germany,France,Poland,Spain"),
    "iso": _words("DE,FR,PL,ES,IT"), "degrees": [round(48 + i * 0.00737, 5) for i in range(130)], "nuts": _words("DE21,DE11,FR10,ITC4"),
    "pairs": [f"{48 + i / 777:.4f},{11 + i / 555:.4f}" for i in range(99)], "wards": _words("Ward 3,Ward 4,Ward 7B"),
    "st": [f"ST{i:02}" for i in range(12)], "rooms": [101, 102, 204, 205, 310], "R": _words("R 101,R 102"), "floors": _words("1.OG,2.OG,EG"),
    "beds": [f"B{i}" for i in range(1, 40)], "wings": _words("Harbour,Mill,North Wing,Annex"), "depts": _words("Cardiology,Oncology,Surgery,Urology"),
    "houses": _words("St. Anna,Charité,Royal Free"), "ags": _words("09162000,05315000"), "streets": [f"{n} Road {i}" for i, n in enumerate(_NAMES)],
    "plus": _words("8FVC9G8F+6X,8FVC9G8F+5W"), "km": _words("<5 km,5-10 km,>10 km"), "w3w": _words("filled.count.soap,daring.lion.race"),
    "bays": _words("Bay 1,Bay 2"), "airports": _words("FRA,MUC,CDG,AMS"), "cantons": _words("ZH,BE,VD,GE"), "firms": _words("Bosch,Lidl,Renault"),
}  # fmt: skip
WHOM: dict[str, list[Any]] = {
    "many": [surname(i) for i in range(300)], "some": _NAMES, "few": _NAMES[:4], "small": [n.lower() for n in _NAMES],
    "large": [n.upper() for n in _NAMES], "comma": [f"{n}, {'ABCDEF'[i % 6]}." for i, n in enumerate(_NAMES)],
    "first": [f"{'ABCDEF'[i % 6]}. {n}" for i, n in enumerate(_NAMES)], "two": [f"{n} {surname(11 * i + 3)}" for i, n in enumerate(_NAMES)],
    "initials": [a + b for a in "ABKMT" for b in "HRSW"], "few initials": _words("KB,MR,TS"), "dots": _words("K.B.,M.R.,T.S."),
    "phones": _each(lambda i: f"0171 {1_000_000 + 7919 * i}"), "long": _each(lambda i: 150_000_000_000 + 7_919_333 * i),
    "mail": _each(lambda i: f"u{i}@x.org"), "users": [f"{n.lower()}{i % 10}" for i, n in enumerate(_NAMES)], "at": [f"@{n}" for n in _NAMES],
    "staff": [4000 + 37 * i for i in range(30)], "pc": [f"PC{4000 + 37 * i}" for i in range(30)], "dr": [f"Dr {n}" for n in _NAMES],
    "greek": _words("Παπαδόπουλος,Γεωργίου,Νικολάου,Ιωάννου"), "cyrillic": _words("Шевченко,Бондаренко,Ткаченко"), "zh": _words("王伟,李娜,张敏"),
    "particles": _words("van der Weijden,de Ruyter,ter Horst"), "letters": _words("W,B,H,A"), "codes": _words("tr,ar,pl,ru,en"),
}  # fmt: skip
WHICH: dict[str, list[Any]] = {
    "years": _each(lambda i: f"C-2019-{i:04}"), "long": _each(lambda i: 1_000_003 + 7919 * i), "slash": _each(lambda i: f"2019/{i}"),
    "filled": _each(lambda i: f"{i:07}"), "running": _each(lambda i: i + 1), "hex": _each(lambda i: f"{i * 2_654_435_761 % 2**32:08x}"),
    "two": _each(lambda i: f"K{i:05}", 2), "whole two": _each(lambda i: 70_000 + 3 * i, 2), "whole four": _each(lambda i: 70_000 + 3 * i, 4),
    "ten": _each(lambda i: f"K{i:05}", 10), "whole ten": _each(lambda i: 7003 + 13 * i, 10), "letters": _each(lambda i: f"A{i}"),
    "sparse": _each(lambda i: None if i % 4 else f"L{i}"), "ahv": _each(lambda i: f"756.{1000 + i}.{9000 - i}.{i % 90 + 10}"),
}  # fmt: skip
TELLING = {f"{kind} {name}": told for kind, all_of in (("when", WHEN), ("where", WHERE), ("whom", WHOM), ("which", WHICH))
           for name, told in all_of.items()}  # fmt: skip
# What nobody can tell from counts, scores and codes where the name is a bare sensitive word: a known limit.
UNTOLD: dict[str, list[Any]] = {
    "heights": [*range(150, 200)],
    "sexes": [1, 2],
    "departments": [75, 92, 13, 69],
}
# What columns may hold that are called so: in several languages, in terms, codes, doses, classes and amounts.
OF_THE_KIND: dict[str, list[list[Any]]] = {
    "diagnosis": [_words("asthma,flu,COPD,angina,sepsis,gout"), _words("heart failure,hypertension,type 2 diabetes,back pain,eczema"), ["I10", "E11.9"]],
    "Hauptdiagnose": [_words("Pneumonie,Appendizitis,Oberschenkelhalsbruch,Schlaganfall,Herzinsuffizienz")],
    "maladie": [_words("diabète,cancer du sein,bronchite,asthme,eczéma")], "enfermedad": [_words("gripe,diabetes,asma,hipertensión,cáncer")],
    "malattia": [_words("influenza,diabete,ipertensione,asma")], "ziekte": [_words("griep,suikerziekte,astma,kanker")],
    "choroba": [_words("grypa,astma,cukrzyca")], "doenca": [_words("gripe,diabetes,asma,hipertensão")],
    "treatment": [_words("surgery,chemotherapy,radiotherapy,none"), _words("drug A,drug B,placebo"), ["A", "B"], _words("10 mg,20 mg,40 mg")],
    "medication": [_words("Metformin,Ramipril,Bisoprolol,Atorvastatin,Sertraline"), _words("aspirin,ibuprofen,paracetamol,codeine")],
    "religion": [_words("Catholic,Protestant,Muslim,None"), _words("römisch-katholisch,evangelisch,islamisch,ohne")],
    "party": [_words("Labour,Conservative,LibDem"), _words("Democrat,Republican,Independent")],
    "offence": [_words("theft,assault,fraud,burglary,arson"), _words("Diebstahl,Betrug,Körperverletzung")],
    "salary": [_words("0-999,1000-1999,2000+"), [2300, 3100, 4550, 12000], _words("<=50K,>50K")],
    "income": [np.round(_CHANCE.lognormal(8, 0.5, 300), 2).tolist(), _CHANCE.lognormal(10, 0.6, 300).astype(int).tolist()],
    "smoker": [_words("yes,no"), _words("never,former,current"), _words("Nichtraucher,Raucher,Exraucher")],
    "cholesterol": [[*range(140, 320)], np.round(_CHANCE.normal(5, 1, 300), 1).tolist()], "exam": [_words("pass,fail"), [*"ABCDF"], [1, 2, 3, 4, 5]],
    "blood_pressure": [_words("120/80,130/85,140/90"), [*range(90, 190)]], "tumor_stage": [_words("I,II,III,IV"), _words("T1,T2,T3,T4")],
    "vote": [_words("yes,no,abstain"), [1, 2, 3, 4]], "happiness": [_words("very happy,pretty happy,not too happy"), [*range(11)]],
}  # fmt: skip
