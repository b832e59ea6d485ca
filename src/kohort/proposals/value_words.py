"""What values mean whatever their column is called: sexes, months, countries, origins, faiths and the like.

Words are written without accents and capitals, blanks as `_`; a column is of a kind where nearly all its distinct values are.
"""

from __future__ import annotations

from dataclasses import dataclass

from kohort.table import Role


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of values."""

    name: str  # as it stands in a reason: "its values are …"
    role: Role
    words: str  # separated by blanks
    least: int = 2  # distinct values of it, below which nothing is said
    certain: bool = False  # where sensitive: nobody is known by such answers, whatever they are about


QUASI, SENSITIVE = Role.QUASI, Role.SENSITIVE

KINDS: tuple[Kind, ...] = (
    Kind("sexes", QUASI,
         "male female man woman boy girl men women masculine feminine mannlich weiblich mann frau divers herr homme femme "
         "masculin feminin hombre mujer masculino femenino varon hembra maschio femmina uomo donna maschile femminile "
         "homem mulher feminino vrouw mannelijk vrouwelijk mezczyzna kobieta muz zena kvinna kvinde kvinne mand mies "
         "nainen other nonbinary non-binary diverse unknown unbekannt inconnu x"),
    Kind("months", QUASI,
         "january february march april may june july august september october november december jan feb mar apr jun jul "
         "aug sep sept oct nov dec januar februar marz mai juni juli oktober dezember dez okt janvier fevrier mars avril "
         "juin juillet aout septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto "
         "septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre "
         "janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro januari februari maart mei augustus "
         "styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad grudzien", least=3),
    Kind("days of the week", QUASI,
         "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun montag dienstag mittwoch "
         "donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so lundi mardi mercredi jeudi vendredi samedi "
         "dimanche lunes martes miercoles jueves viernes sabado domingo lunedi martedi mercoledi giovedi "
         "venerdi domenica", least=3),
    Kind("marital states", QUASI,
         "married single divorced widowed separated never-married never_married unmarried cohabiting partnered widow "
         "widower verheiratet ledig geschieden verwitwet getrennt marie mariee celibataire divorcee veuf veuve pacse "
         "pacsee casado casada soltero soltera divorciado divorciada viudo viuda sposato sposata celibe nubile divorziato "
         "vedovo vedova gehuwd ongehuwd gescheiden zonaty zamezna wolny gift ugift skild married-civ-spouse "
         "married-spouse-absent married-af-spouse domestic_partner civil_partnership"),
    Kind("ethnic origins", QUASI,
         "white black asian hispanic latino latina caucasian african african_american african-american black_african "
         "indian chinese mixed arab native_american american_indian pacific_islander asian-pac-islander amer-indian-eskimo "
         "white_british roma indigenous maori european middle_eastern non-hispanic not_hispanic weiss schwarz blanc noir "
         "blanco negro mestizo branco preto pardo indigena bianco nero other unknown"),
    Kind("faiths", SENSITIVE,
         "christian catholic roman_catholic protestant muslim islam islamic jewish judaism hindu hinduism buddhist "
         "buddhism sikh orthodox atheist agnostic evangelical lutheran baptist methodist anglican mormon none no_religion "
         "christianity katholisch evangelisch rom.-kath. ev. konfessionslos muslimisch judisch christlich catholique "
         "protestante musulman juif catolico musulmano judio cattolico ebreo ateo katholiek protestants moslim katolik", least=3),
    Kind("levels of education", QUASI,
         "high_school highschool hs-grad college some-college bachelor bachelors master masters doctorate phd university "
         "graduate postgraduate undergraduate primary secondary tertiary elementary preschool prof-school assoc-acdm "
         "assoc-voc 1st-4th 5th-6th 7th-8th 9th 10th 11th 12th abitur hauptschule realschule gymnasium hochschule "
         "fachhochschule promotion ausbildung lehre licence bac brevet doctorat primaria secundaria universidad laurea "
         "diploma no_formal_education less_than_high_school"),
    Kind("blood groups", QUASI,
         "a b ab o a+ a- b+ b- ab+ ab- o+ o- 0+ 0- 0", least=4),
    Kind("languages", QUASI,
         "english german french spanish italian portuguese dutch polish turkish arabic russian chinese mandarin hindi "
         "deutsch englisch franzosisch turkisch arabisch polnisch russisch francais anglais allemand espagnol espanol "
         "ingles aleman frances italiano", least=3),
    Kind("countries", QUASI,
         "afghanistan albania algeria argentina australia austria bangladesh belgium bolivia brazil bulgaria cambodia "
         "cameroon canada chile china colombia congo croatia cuba cyprus czechia denmark ecuador egypt england estonia "
         "ethiopia finland france germany ghana greece guatemala haiti honduras hong hungary iceland india indonesia iran "
         "iraq ireland israel italy jamaica japan jordan kenya korea laos latvia lebanon libya lithuania luxembourg "
         "malaysia mali malta mexico morocco nepal netherlands nicaragua nigeria norway pakistan panama paraguay peru "
         "philippines poland portugal romania russia rwanda scotland senegal serbia singapore slovakia slovenia somalia "
         "spain sudan sweden switzerland syria taiwan tanzania thailand tunisia turkey uganda ukraine uruguay usa "
         "united-states united_states united_kingdom uk venezuela vietnam wales yugoslavia zambia zimbabwe deutschland "
         "osterreich schweiz frankreich italien spanien polen turkei griechenland niederlande belgien grossbritannien "
         "allemagne autriche suisse italie espagne pologne belgique pays-bas royaume-uni maroc algerie tunisie turquie "
         "alemania francia italia espana suiza polonia marruecos germania spagna svizzera marocco dominican-republic "
         "el-salvador puerto-rico south trinadad&tobago holand-netherlands outlying-us(guam-usvi-etc) albanien rumanien "
         "bulgarien kroatien serbien syrien russland irak", least=3),
    Kind("codes of countries or states", QUASI,
         "ad ae af ag ai al am ao ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cd cf cg "
         "ch ci ck cl cm cn co cr cu cv cy cz de dj dk dm do dz ec ee eg er es et fi fj fm fo fr ga gb gd ge gg gh gi gl "
         "gm gn gq gr gt gu gw gy hk hn hr ht hu id ie il im in iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz "
         "la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mr mt mu mv mw mx my mz na ne ng ni nl no np "
         "nr nz om pa pe pg ph pk pl pr ps pt pw py qa ro rs ru rw sa sb sc sd se sg si sk sl sm sn so sr ss st sv sy sz "
         "tc td tg th tj tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vn vu ws xk ye za zm zw ak ct dc fl hi ia "
         "ks mi ms nc nd nh nj nm nv ny oh ok or ri tx ut vt wa wi wv wy usa gbr deu fra ita esp prt nld bel che aut pol "
         "cze svk hun rou bgr grc tur rus ukr swe nor dnk fin irl can mex bra arg chl col per chn jpn kor ind pak bgd idn "
         "vnm tha phl mys sgp aus nzl zaf egy mar dza tun nga ken eth gha isr irn irq sau are syr afg srb hrv svn bih lux "
         "mlt cyp est lva ltu isl", least=4),
    Kind("answers of agreement", SENSITIVE,
         "strongly_agree agree somewhat_agree slightly_agree mostly_agree neutral neither neither_agree_nor_disagree "
         "undecided unsure slightly_disagree somewhat_disagree mostly_disagree disagree strongly_disagree dont_know "
         "don't_know do_not_know no_opinion favor favour oppose strongly_favor strongly_oppose support stimme_zu "
         "stimme_voll_zu stimme_eher_zu teils/teils teils_teils weder_noch stimme_eher_nicht_zu stimme_nicht_zu "
         "stimme_gar_nicht_zu trifft_zu trifft_eher_zu trifft_eher_nicht_zu trifft_nicht_zu weiss_nicht d'accord "
         "tout_a_fait_d'accord plutot_d'accord pas_d'accord plutot_pas_d'accord pas_du_tout_d'accord "
         "ni_d'accord_ni_pas_d'accord ne_sait_pas de_acuerdo muy_de_acuerdo totalmente_de_acuerdo en_desacuerdo "
         "muy_en_desacuerdo totalmente_en_desacuerdo no_sabe d'accordo molto_d'accordo per_niente_d'accordo in_disaccordo "
         "non_so eens helemaal_eens mee_eens oneens mee_oneens helemaal_oneens neutraal weet_niet", least=3, certain=True),
    Kind("answers of how often", SENSITIVE,
         "never rarely seldom hardly_ever almost_never occasionally sometimes often frequently usually regularly "
         "very_often almost_always always every_day daily weekly monthly yearly once_a_week once_a_month "
         "several_times_a_week nie selten gelegentlich manchmal haufig oft sehr_oft meistens regelmassig immer taglich "
         "wochentlich monatlich jamais rarement parfois quelquefois souvent regulierement toujours tous_les_jours nunca "
         "raramente a_veces a_menudo frecuentemente siempre diariamente mai a_volte qualche_volta spesso sempre "
         "ogni_giorno nooit zelden soms vaak meestal altijd dagelijks wekelijks", least=3, certain=True),
    Kind("judgements", SENSITIVE,
         "very_poor very_bad poor bad fair average okay satisfactory good very_good excellent very_happy happy "
         "pretty_happy not_too_happy unhappy very_unhappy very_satisfied satisfied somewhat_satisfied dissatisfied "
         "very_dissatisfied unsatisfied not_satisfied sehr_schlecht schlecht mittel mittelmassig befriedigend gut sehr_gut "
         "ausgezeichnet sehr_zufrieden zufrieden unzufrieden sehr_unzufrieden tres_mauvais mauvais moyen assez_bon bon "
         "tres_bon tres_satisfait satisfait insatisfait muy_malo malo regular bueno muy_bueno excelente satisfecho "
         "insatisfecho scarso sufficiente discreto buono ottimo eccellente soddisfatto insoddisfatto slecht matig redelijk "
         "goed zeer_goed uitstekend tevreden ontevreden",
         least=3, certain=True),
    Kind("findings", SENSITIVE,
         "positive negative inconclusive indeterminate equivocal invalid reactive nonreactive non-reactive detected not_detected "
         "normal abnormal benign malignant mild moderate severe very_severe asymptomatic symptomatic pos neg positiv negativ "
         "unauffallig auffallig gutartig bosartig leicht mittelschwer schwer positif negatif leger modere benin malin positivo "
         "negativo leve moderado benigno maligno normale anormale lieve moderato positief negatief goedaardig kwaadaardig ernstig",
         certain=True),
)  # fmt: skip

# Letters that stand for sexes where there are no others beside them than one of `EITHER`.
SEXES = ("mf", "mw", "hf", "hm", "vm", "mk", "mz", "mn")
EITHER = frozenset("xduo?9")
