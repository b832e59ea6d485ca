"""Words that stand beside others in names and leave what these say as it is: units, amounts, kinds, times, parts of the body.

Written without accents, blanks and capitals.
"""

from __future__ import annotations

_UNITS = (
    "kg mg mcg ug ml dl mmol mol iu mmhg mm cm km bpm eur euro euros usd gbp chf pln czk sek nok dkk huf dollar dollars "
    "cent cents tsd mio thousand million kcal"
)
_AMOUNTS = (
    "amount total sum count number num times gross net mean average avg median min max minimum maximum std value values "
    "percent pct share rate ratio index scale score scores level levels rank quantile quartile quintile decile tercile "
    "range band bands bracket limit change difference length low mid middle high good bad poor loss gain log sq squared "
    "capped hourly daily freq frequency often how much weekly monthly quarterly annual annually yearly overtime base basic "
    "extra additional wert werte hohe hoehe summe gesamt anzahl betrag mittelwert stufe rang skala punkte stundlich taglich "
    "wochentlich monatlich jahrlich brutto netto valeur montant somme totale niveau degre echelle brut brute nette mensuel "
    "mensuelle annuel annuelle horaire valor importe suma nivel grado escala bruto neto mensual anual valore importo somma "
    "livello scala lordo netta lorda mensile annuo annua annuale totaal waarde bedrag hoogte schaal per maandelijks "
    "jaarlijks liquido mensal kwota wartosc poziom miesieczne miesieczny roczne roczny castka hodnota celkem uroven hruba "
    "cista mesicni rocni belopp varde summa niva manadsvis arlig belop verdi maara taso kuukausi"
)
_KINDS = (
    "type types kind category categories cat class classes group groups grp code codes status state result results answer "
    "text desc description label main primary secondary tertiary other others any all first second third last final initial "
    "new old current actual reported self own known suspected confirmed measured estimated imputed recoded rec raw flag yn "
    "yes bool ind dummy dum indicator history hx family hereditary reason cause purpose membership affiliation preference "
    "left right side off acute mild severe moderate benign malignant positive negative normal invasive art typ klasse gruppe "
    "kategorie haupt neben erste zweite letzte aktuell grund ja nein mitgliedschaft classe groupe categorie genre principal "
    "principale secondaire premier premiere dernier derniere motif actuel tipo clase grupo categoria primero ultimo motivo "
    "gruppo primo attuale soort groep hoofd eerste laatste huidige reden rodzaj grupa klasa kategoria glowna glowne glowny "
    "druh skupina trida hlavni klass grupp huvud kategori tyyppi ryhma luokka"
)
_TIMES = (
    "year years yr yrs month months mth mths week weeks wk wks day days hour hours hr hrs minute minutes date time before "
    "after pre post prior past previous prev baseline bl followup fu base end start stop ever never now today lifetime life "
    "wave visit admission discharge onset jahr jahre jahren monat monate monaten woche wochen tag tage tagen datum vor nach "
    "bisher annee annees mois semaine jour jours avant apres ano anos mes meses dia dias antes despues anno anni mese mesi "
    "giorno giorni prima dopo jaar jaren maand maanden dag dagen voor rok lat miesiac dni przed po mesic ar manad fore "
    "efter for"
)
_BODY = (
    "blood serum plasma urine heart cardiac lung breast liver kidney renal skin brain colon rectal prostate stomach bone "
    "joint knee back neck eye ear throat tooth dental thyroid bladder bowel ovarian cervical pancreas spinal nerve vascular "
    "coronary cerebral pulmonary hepatic physical medical clinical general public private social lab laboratory blut herz "
    "lunge leber niere haut hirn magen darm brust schilddruse coeur poumon foie rein peau sein sang corazon pulmon higado "
    "rinon piel mama sangre cuore polmone fegato rene pelle seno sangue hart long lever nier huid borst bloed"
)
_SUBJECTS = "math maths reading writing science verbal quant essay oral written mathe deutsch lecture ecrit lectura lettura"
_JOINING = (
    "of the a an in at to for and or with on from as der die das des dem den und im am zu zur zum mit pro fur fuer bei de "
    "du la le les et en au aux avec pour sur el los las del y o con para di della dello dei delle degli il lo gli e per su "
    "het een op met te w z i na do ve v se och med til og"
)
QUALIFIERS = frozenset(" ".join((_UNITS, _AMOUNTS, _KINDS, _TIMES, _BODY, _SUBJECTS)).split())
# Whose or where would follow: at the end of a name they say that something is missing.
JOINING = frozenset(_JOINING.split())
