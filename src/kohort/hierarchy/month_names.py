"""Names of months, whole and cut short, in the languages of Europe's tables: `Mar`, `März`, `févr.`, `stycznia`."""

from __future__ import annotations

import unicodedata
from functools import cache

# In order of the year; without accents and capitals, and without the point behind a short form. None stands for two months.
_NAMES = (
    "jan january januar januari janner janvier janv enero ene janeiro gennaio gen styczen stycznia sty leden ledna",
    "feb february februar februari fevrier fevr fev febrero fevereiro febbraio luty lutego lut unor unora",
    "mar march marz mrz maerz mars marzo marco maart mrt marzec marca brezen brezna marts",
    "apr april avril avr abril abr aprile kwiecien kwietnia kwi duben dubna",
    "may mai mayo maio maggio mag mei maj maja kveten kvetna",
    "jun june juni juin junio junho giugno giu czerwiec czerwca cze cerven cervna",
    "jul july juli juillet juil julio julho luglio lug lipiec lipca lip cervenec cervence",
    "aug august aout agosto ago augustus augusti sierpien sierpnia sie srpen srpna",
    "sep sept september septembre septiembre setiembre setembro set settembre wrzesien wrzesnia wrz zari",
    "oct october okt oktober octobre octubre outubro out ottobre ott pazdziernik pazdziernika paz rijen rijna",
    "nov november novembre noviembre novembro listopad listopada listopadu lis",
    "dec december dez dezember decembre diciembre dic dezembro dicembre grudzien grudnia gru prosinec prosince",
)


def month_of(name: str) -> int:
    """Return the number of the month that a name stands for, 0 where it stands for none.

    >>> [month_of(name) for name in ("Mar", "MÄRZ", "févr.", "Dezember", "octubre", "Tuesday")]
    [3, 3, 2, 12, 10, 0]
    """
    return _months().get(_bare(name), 0)


@cache
def _months() -> dict[str, int]:
    return {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}


def _bare(name: str) -> str:
    apart = unicodedata.normalize("NFKD", name.casefold().removesuffix("."))
    return "".join(sign for sign in apart if not unicodedata.combining(sign)).replace("ł", "l")
