"""Words that values of something sensitive are made of: pieces of medical terms, of names of medicines, of offences, of faiths.

Names of people, places and wards are words too, and nobody can list them. So a column of words is what its name says only where
some of the words are known for it. Medical terms are built from the same Greek and Latin pieces in most languages of Europe, and
names of medicines end as the World Health Organization has them end. Written without accents and capitals.

References: World Health Organization, The use of stems in the selection of International Nonproprietary Names, 2018.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from kohort.proposals.concepts import parts_of
from kohort.proposals.value_words import KINDS
from kohort.proposals.words import CONCEPTS, Concept
from kohort.table import Role

_KNOWN = 1 / 3  # of the distinct values
_LEAST, _WITHIN = 4, 6  # letters of a piece that is looked for at the beginning of words, and within them
_LETTERS = ("", *"ABCDEFGYNUJ")  # arms, groups and grades; yes, no and unknown
_PLACES = re.compile(
    r"\w*(?:olog|iatr|pad)(?:y|ie|ia|ii|ic|ics|ica|ique|isch|e)\b|\w*abteilung|\w*station|\w*klinik"
)
_DISEASE = (
    "itis itida itide ite iti osis oses ose osi oza omas oma ome emia aemia amie emie emi algia algie algi pathy pathie "
    "patia patie rrhea rrhoea rrhoe plegia plegie plegi phobia phobie fobia trophy trophie trofia sclerosis sklerose "
    "esclerosis sclerosi insuffizienz insufficiency insuffisance insuficiencia insufficienza embolie embolia embolism "
    "stenose stenosis thrombose trombosi trombosis carcinom karzinom"
)
_DISEASES = (
    "carcin karzin cancer krebs kanker cancro rakow tumor tumeur diabet cukrzyc asthm asma astma fract frakt fratt fraktur "
    "bruch zlaman infect infekt infez infecc zakazen syndrom sindrom insuff niewydoln hypert hypot ipert ipot hipert "
    "nadcisn cardi kardi herz infarct infarkt infart zawal stroke schlaganfall ictus udar influ grip gripp gryp cold cough "
    "migr migren depres schizo epilep padaczk arthr artr reuma rheum bronch bronq pneum polmon plucn gastr ulcer ulkus "
    "dermat ekzem eczem anem anam sepsis septic angin tonsil appendi append hernia hernie alzheim parkins demen autis adhd "
    "allerg alerg obes adipos otylos psycho psori hepat nephr nefr renal neur leuk lymph limfo melano sarcom myelo tubercul "
    "tuberkul hiv aids covid corona malaria measles masern burn wound gout gicht gotta gota jicht copd epoc bpco pochp "
    "dyslex disless legasthen dyscal discalc scolio skolio katarakt cataract glauc pregnan schwanger gravid grossesse "
    "embaraz addict sucht dipend abuse intoxic vergift trauma injur verletz lesion dolor douleur schmerz pain bol fiev "
    "fieber fever febbr fiebre gorack toux tosse husten kasze nausea healthy gesund sain sano zdrow gezond adeno squam "
    "smallcell small large ductal lobular invasiv benign malign metast pre post peri"
)
_MEDICINE = (
    "mab nib pril prilat sartan olol statin cillin mycin micin azole azol oxetine oxetin triptan azepam zepam zolam formin "
    "cycline cyclin prazole prazol tidine tidin vir caine cain dipine dipin gliptin gliflozin xaban gatran parin profen "
    "oxacin floxacin sone solon lukast terol tropium semide thiazide tiazid pine apine idone peridone prodone codone "
    "morphine olone ectomy ectomie ectomia ektomie plasty plastie plastik plastia scopy scopie skopie scopia stomy stomie "
    "tomy tomie tomia graphy graphie mycine cilline metacin traline tralin pram oprim amide amid ovir udine udin tamol amol "
    "azine azin"
)
_TREATMENTS = (
    "surg chirurg cirug operat operac operaz zabieg therap terap trapi radiat bestrahl radio chemo quimio dialys dialis "
    "transpl implant insulin aspirin ibupr parac metam heparin cortis kortis steroid antibio antidep vaccin impf vacun "
    "szczep comirn spikev placebo control kontroll standard usual none no keine aucun ningun nessun bypass stent catheter "
    "katheter physio fisio kine rehab psycho counsel massage drug combin mono dual triple hormon tamox letroz warfar "
    "lithium zidov didan zalcit conserv amput biops laparo inject infus transfus ventil intub monitor watch"
)
_OFFENCES = (
    "theft thief steal burgl robb assault fraud murder manslaught homicid rape arson drug traffic vandal forg kidnap harass "
    "stalk diebstahl raub betrug korperverl mord totschl brandst sachbesch erpress vol fraude meurtre agress escroqu robo "
    "hurto homicidio estafa furto rapina truffa omicid diefstal moord inbraak mishandel kradziez oszust zabojst violen "
    "property person sex public weapon waffe speeding dui guilty acquit convict none fine prison probation parole felony "
    "misdem dismiss"
)
_ORIENTATIONS = "hetero homo bi bisex gay lesb straight queer asex pan"
_FAITHS = (
    "christ kathol catol cathol catto evang protest luther muslim moslim musul islam jew jud juif ebre hindu budd sikh "
    "orthod atheis ateo agnost konfess none keine democ demok republ labour labor liberal conserv konserv green grun verte "
    "verde social sozial commun kommun left right link recht centre center mitte independ member mitglied yes union"
)
_OUTCOMES = (
    "alive dead died death deceas surviv cens event relaps remiss recur transf discharg lost withdr complet dropout cured "
    "heal stable progress respon recover verstorb lebend geheilt decede vivant vivo muert guar mort decedut zywy zgon leef "
    "overl"
)
_SCORES = (
    "pass fail merit distinct bestand nicht admis refus aprob reprob suspen promoss bocciat geslaag gezakt zdal excel good "
    "poor sehr gut"
)
_OPINIONS = (
    "agree disag approv happy satisf zufried content heureux feliz favor oppos support trust yes no likely import concern "
    "worr good bad"
)
_MONEY = (
    "low mid high small large none no minimum basic upper lower bas haut moyen niedrig mittel hoch bajo medio alto basso "
    "laag midden hoog nisk sredn wysok prime standard gold silver full part exempt"
)
_SMOKING = (
    "smok never former current ex non past occas daily heavy light social rauch nicht nie ehem fum jamais ancien nunca "
    "exfum mai gerookt roker palac nigdy alcohol beer wine spirit cannab heroin cocain opio tobacc none"
)
_OF: Mapping[str, str] = {
    "a sexual orientation": _ORIENTATIONS,
    "a diagnosis or disease": _DISEASES,
    "a treatment": _TREATMENTS,
    "smoking, drinking or drugs": _SMOKING,
    "an outcome or a time of follow-up": _OUTCOMES,
    "a medical finding": _DISEASES,
    "a result, status or event": _OUTCOMES,
    "money": _MONEY,
    "a belief or affiliation": _FAITHS,
    "an opinion or choice": _OPINIONS,
    "a crime or legal matter": _OFFENCES,
    "a test score": _SCORES,
}
_ENDINGS: Mapping[str, str] = {
    "a diagnosis or disease": _DISEASE,
    "a medical finding": _DISEASE,
    "a treatment": _MEDICINE,
}
_ANSWERS = (
    "yes no none unknown other never once always low medium middle high mild moderate severe normal positive negative ja "
    "nein keine unbekannt andere oui non aucun inconnu autre si ninguno desconocido otro nessuno altro sconosciuto nee geen "
    "onbekend tak nie brak inne sim nao nenhum outro missing na"
)


def are_terms(values: Sequence[str], concept: Concept) -> bool:
    """Tell whether some of these texts are known for what a concept says, or for answers; letters for groups are.

    >>> diagnosis, treatment = (next(c for c in CONCEPTS if c.name.endswith(n)) for n in ("diagnosis or disease", "a treatment"))
    >>> are_terms(["Arthrose", "Bronchitis", "Zöliakie"], diagnosis), are_terms(["Metformin", "Enalapril"], treatment)
    (True, True)
    >>> are_terms(["Harbour", "Mill", "Annex"], diagnosis), are_terms(["Cardiology", "Oncology"], diagnosis)
    (False, False)
    """
    signs = all(value.strip(" .+-").upper() in _LETTERS or _is_roman(value) for value in values)
    known = sum(1 for value in values if _is_term(value, concept))
    return signs or known > _KNOWN * len(values)


def _is_term(value: str, concept: Concept) -> bool:
    words = parts_of(value)
    if any(_PLACES.fullmatch(word) for word in words):
        return False
    return any(_is_known(word, concept) for word in words)


def _is_known(word: str, concept: Concept) -> bool:
    if word in _said(concept.name) or word in _answers():
        return True
    starts, ends = _starts(concept.name), _ends(concept.name)
    if any(word.startswith(start) or (len(start) >= _WITHIN and start in word) for start in starts):
        return True
    return len(word) > _LEAST + 1 and any(word.endswith(end) for end in ends)


def _is_roman(value: str) -> bool:
    return re.fullmatch(r"[IVX]+[a-cA-C]?", value.strip()) is not None


@cache
def _said(name: str) -> frozenset[str]:
    """Return the words that say something sensitive, and the short ones that stand for values of it."""
    told = (word for concept in CONCEPTS if concept.name == name for word in concept.words.split())
    return frozenset((*told, *_short(_OF.get(name, "").split())))


@cache
def _answers() -> frozenset[str]:
    sure = (kind.words for kind in KINDS if kind.role is Role.SENSITIVE and kind.certain)
    told = (word for words in sure for value in words.split() for word in value.split("_"))
    return frozenset((*_ANSWERS.split(), *told))


@cache
def _starts(name: str) -> tuple[str, ...]:
    return tuple(piece for piece in _OF.get(name, "").split() if len(piece) >= _LEAST)


@cache
def _ends(name: str) -> tuple[str, ...]:
    return tuple(_ENDINGS.get(name, "").split())


def _short(pieces: Iterable[str]) -> list[str]:
    return [piece for piece in pieces if len(piece) < _LEAST]
