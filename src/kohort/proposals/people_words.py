"""Words that say a person: names that many people have, and what people are to each other or do for others.

Written without accents and capitals. Names that are as well months, places, faiths or common words are left out: what
counts is that many values of a column are names, not that one is.
"""

from __future__ import annotations

_GIVEN = (
    "anna anne maria mary eva emma julia laura sarah sara lisa lena lea hannah hanna katharina christina christine kristina "
    "susanne sabine petra monika ursula renate karin helga ingrid gisela andrea stefanie stephanie nicole sandra claudia "
    "barbara elisabeth elizabeth margarete margaret martha johanna sophie sofie charlotta caroline carolin nathalie "
    "isabelle monique jacqueline catherine francoise valerie veronique sylvie celine camille chloe manon ines lucia carmen "
    "dolores pilar ana isabel teresa elena paola giulia francesca chiara federica valentina silvia giovanna anja heike "
    "birgit ute antje silke tanja jennifer jessica amanda melissa michelle kimberly ashley linda patricia susan karen nancy "
    "betty helen carol ruth sharon deborah emily olivia isabella mia zofia agnieszka katarzyna malgorzata ewa joanna "
    "magdalena jana lenka katerina ingeborg astrid sigrid birgitta kerstin annika fatima aisha ayse fatma zeynep olga "
    "natalia tatiana irina svetlana ludmila peter paul hans johann johannes josef joseph karl carl franz fritz friedrich "
    "heinrich wilhelm georg george michael michel thomas andreas andrew stefan stephan stephen steven steve martin matthias "
    "markus marcus daniel david alexander alexandre sebastian tobias florian philipp philip philippe jens jorg jurgen "
    "dieter gunter gunther horst klaus uwe wolfgang werner manfred helmut gerhard walter rainer bernd ralf holger torsten "
    "thorsten sven lars nils erik eric olaf jean pierre jacques francois louis luc marc nicolas julien guillaume antoine "
    "laurent olivier pascal christophe herve jose juan antonio manuel francisco carlos miguel luis javier jesus pedro "
    "alejandro sergio fernando jorge giovanni giuseppe luca francesco mario luigi roberto stefano alessandro paolo john "
    "james robert william richard charles christopher matthew anthony donald kenneth kevin brian edward ronald timothy "
    "jason jeffrey ryan jacob gary jonathan larry scott benjamin samuel gregory patrick henry harry oliver lukas leon felix "
    "jonas elias noah finn piotr pawel krzysztof andrzej tomasz marcin jakub janusz petr pavel jiri tomas zdenek istvan "
    "laszlo gabor zoltan mehmet mustafa ahmet ali hasan huseyin mohammed muhammad mohamed ahmed omar yusuf ibrahim ivan "
    "sergei dmitri vladimir igor nikolai mikhail alexei"
)
_FAMILY = (
    "muller mueller schmidt schmitt schmitz schmid schneider fischer weber meyer meier maier mayer wagner becker schulz "
    "schulze hoffmann hofmann schafer schaefer bauer koch richter schroder schroeder neumann zimmermann kruger krueger "
    "hartmann werner lehmann walter kohler koehler herrmann peters scholz moller moeller hahn schubert friedrich keller "
    "gunther frank berger winkler roth beck lorenz baumann franke albrecht schuster simon ludwig bohm kraus krause kramer "
    "vogt jager otto seidel heinrich brandt haas schreiber graf dietrich ziegler kuhn pohl engel busch bergmann thomas "
    "voigt sauer arnold wolff pfeiffer huber gruber steiner moser hofer leitner egger brunner smith jones williams taylor "
    "davies davis wilson evans johnson roberts robinson thompson wright walker edwards hughes hall clarke clark jackson "
    "harris lewis morris miller anderson moore thomson garcia rodriguez martinez hernandez lopez gonzalez perez sanchez "
    "ramirez torres nguyen adams nelson baker campbell mitchell carter phillips turner parker collins murphy kelly obrien "
    "osullivan byrne ryan walsh macdonald stewart murray martin bernard dubois durand robert moreau laurent lefebvre "
    "lefevre leroy petit richard michel bertrand morel girard andre mercier dupont lambert bonnet francois fournier garnier "
    "faure rousseau guerin boyer chevalier fontaine vincent gauthier perrin rossi russo ferrari esposito bianchi romano "
    "colombo ricci marino greco bruno gallo conti mancini costa giordano rizzo lombardi moretti fernandez gomez diaz moreno "
    "munoz alvarez romero gutierrez ruiz alonso navarro dominguez vazquez ramos silva santos ferreira pereira oliveira "
    "rodrigues martins sousa fernandes goncalves gomes lopes marques almeida ribeiro jansen janssen devries vandenberg "
    "bakker visser smit meijer deboer mulder degroot bos vos peeters maes jacobs mertens willems claes goossens wouters "
    "nowak kowalski wisniewski wojcik kowalczyk kaminski lewandowski zielinski szymanski wozniak dabrowski novak novotny "
    "dvorak svoboda cerny prochazka kucera vesely horak nemec nagy kovacs toth szabo horvath varga kiss molnar nemeth "
    "farkas andersson johansson karlsson nilsson eriksson larsson olsson persson svensson gustafsson hansen johansen olsen "
    "larsen andersen pedersen nielsen jensen kristensen christensen rasmussen sorensen korhonen virtanen makinen nieminen "
    "yilmaz kaya demir celik sahin yildiz ozturk aydin ivanov ivanova petrov petrova smirnov kuznetsov popov popescu "
    "ionescu wang zhang chen singh kumar khan patel"
)
KNOWN_NAMES = frozenset((*_GIVEN.split(), *_FAMILY.split()))
# Names that are trades too, which say nothing of a column of occupations.
_TRADES = (
    "muller mueller schmidt schneider fischer weber becker bauer koch richter schafer schaefer zimmermann keller schuster "
    "kramer jager schreiber ziegler baker miller smith taylor clark clarke parker carter turner walker fournier mercier "
    "boyer kaiser konig graf kovacs"
)
TRADES = frozenset(_TRADES.split())
# In what has one of these words, a name is that of a house.
_HOUSES = (
    "st saint sankt sainte san santa hospital klinik klinikum krankenhaus clinic clinique hopital school schule ecole "
    "college university stift haus praxis gmbh ag inc ltd strasse str street road avenue rue platz"
)
HOUSES = frozenset(_HOUSES.split())
# What people are to others, or do for them: a column called so may hold their names.
_PEOPLE = (
    "doctor doctors physician surgeon nurse therapist therapeut therapeutin therapeute kinesitherapeute psychologist "
    "pathologist technician vaccinator counsellor counselor teacher manager lawyer judge officer agent operator attending "
    "consultant gp dealer earner insured tester examiner interviewer arzt arztin hausarzt hausarztin impfarzt medecin "
    "medico dottore huisarts arts behandler befunder operateur betreuer bearbeiter sachbearbeiter zuweiser einweiser lehrer "
    "verteidiger helfer beschuldigter tater opfer mother father mothers fathers parent guardian spouse wife husband partner "
    "child kin contact relative mutter vater kind ehepartner ehefrau ehemann ansprechpartner kontaktperson angehorige "
    "angehoriger vormund pere mere conjoint epoux epouse madre padre esposo esposa hijo marito moglie figlio moeder vader "
    "echtgenoot"
)
PEOPLE = frozenset(_PEOPLE.split())
_NAME_WORDS = (
    "name names nom noms nombre nombres nome naam namn navn nev nimi imie nazwisko jmeno prijmeni apellido apellidos "
    "cognome surname vorname nachname"
)
NAME_WORDS = frozenset(_NAME_WORDS.split())
NAME_ENDINGS = ("name", "naam", "namn", "navn")
