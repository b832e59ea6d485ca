"""What words in column names mean, in the languages of Europe's registers and in the short forms of studies.

Words are written without accents, blanks and capitals.
"""

from __future__ import annotations

from dataclasses import dataclass

from kohort.table import Role


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that tables tell about people."""

    name: str  # as it stands in a reason: "its name says …"
    role: Role
    words: str  # separated by blanks
    certain: bool = True  # False: the words are often used for other things
    within: str = ""  # short forms that are looked for within a name too


ID, QUASI, SENSITIVE = Role.IDENTIFIER, Role.QUASI, Role.SENSITIVE

# In order: where a name fits two, the first counts.
CONCEPTS: tuple[Concept, ...] = (
    Concept("an e-mail address", ID,
            "email mail emailadresse courriel correo correoelectronico epost eposta"),
    Concept("a telephone number", ID,
            "phone telephone tel mobile cellphone handy handynummer telefon telefono telefone telefoon telefoonnummer "
            "telefonnummer fax telemovel mobil mobilnummer komorka puhelin"),
    Concept("a national or tax number", ID,
            "ssn socialsecurity socialsecuritynumber nin nationalid nationalinsurance passport passportnumber idcard taxid "
            "reisepass personalausweis ausweisnummer svnr sozialversicherungsnummer steuernummer steuerid nir insee "
            "passeport numerosecu dni nie curp pasaporte codicefiscale passaporto cpf rg nif bsn burgerservicenummer "
            "rijksregisternummer paspoort pesel paszport nrdowodu rodnecislo personnummer fodselsnummer cprnummer "
            "henkilotunnus nhsnumber ahv ahvnummer"),
    Concept("an insurance, bank or card number", ID,
            "iban bankaccount accountnumber creditcard cardnumber kontonummer versichertennummer versicherungsnummer "
            "krankenversichertennummer policynumber insurancenumber numerocompte numerodecuenta contocorrente "
            "rekeningnummer numerkonta cisloucet cislouctu"),
    Concept("a licence or number plate", ID,
            "licenseplate licenceplate numberplate driverlicense drivinglicence fuhrerschein kennzeichen immatriculation "
            "matricula targa kenteken rejestracyjny vin"),
    Concept("an online identity", ID,
            "username userlogin login handle ipaddress ip url website macaddress imei deviceid benutzername utilisateur "
            "usuario utente gebruikersnaam"),
    Concept("a person's name", ID,
            "rufname nname vname madchenname "
            "fullname firstname lastname surname forename givenname middlename maidenname familyname patientname vorname "
            "nachname familienname geburtsname zuname nom prenom nomdefamille nombre nombres apellido apellidos nome "
            "cognome sobrenome apelido voornaam achternaam naam imie nazwisko jmeno prijmeni fornamn efternamn namn "
            "fornavn etternavn efternavn navn etunimi sukunimi"),
    Concept("a street address", ID,
            "address street streetaddress housenumber adresse anschrift strasse hausnummer rue direccion calle domicilio "
            "indirizzo endereco rua morada adres straat huisnummer ulica ulice adresa adress gata gatuadress str"),
    Concept("coordinates", ID,
            "latitude longitude gps geolocation coordinates coordinate koordinaten breitengrad langengrad geom"),
    Concept("a birth date", QUASI,
            "birthdate dateofbirth dob birthday birth born geburtsdatum geburtstag gebdatum gebdat datenaissance "
            "datedenaissance naissance fechanacimiento fechadenacimiento nacimiento datanascita nascita datadinascita "
            "datanascimento nascimento geboortedatum geboorte dataurodzenia urodzenia datumnarozeni narozeni fodelsedatum "
            "fodselsdato syntymaaika birthqrtr birthquarter qob quarterofbirth"),
    Concept("a birth year", QUASI,
            "birthyear yearofbirth yob geburtsjahr anneenaissance anonacimiento annonascita geboortejaar rokurodzenia "
            "roknarozeni fodelsear"),
    Concept("a death", QUASI,
            "death died dead deceased dod yod tod verstorben todestag todesjahr deces mort decede muerte fallecido morte "
            "decesso obito overlijden overleden zgon umrti doden dodsdato kuolema"),
    Concept("an age", QUASI,
            "age agegroup ageband agecat alter altersgruppe edad eta idade leeftijd wiek vek alder ika idage",
            within="ageat ageyears"),
    Concept("a sexual orientation", SENSITIVE,
            "sexualorientation orientation sexuality sexualitat orientacionsexual homosexual homo gay lesbian affair "
            "affairs sexpartners"),
    Concept("a sex", QUASI,
            "sex gender geschlecht sexe genre sexo genero sesso genere geslacht plec pohlavi kon kjonn sukupuoli male "
            "female males females man woman men women weiblich mannlich frau femme homme feminin masculin mujer hombre "
            "uomo donna maschio femmina"),
    Concept("a postal code", QUASI,
            "zip zipcode postcode postalcode postal plz postleitzahl codepostal cp codigopostal cap cep codicepostale "
            "kodpocztowy psc postnummer postnr postinumero"),
    Concept("a nationality or country", QUASI,
            "nationality citizenship country nativecountry birthplace placeofbirth countryofbirth staatsangehorigkeit "
            "nationalitat staatsburgerschaft herkunft herkunftsland geburtsort geburtsland land pays nationalite "
            "lieudenaissance nacionalidad pais lugardenacimiento nazionalita paese cittadinanza luogodinascita "
            "nacionalidade naturalidade nationaliteit geboorteplaats narodowosc obywatelstwo statniobcanstvi narodnost "
            "medborgarskap fodelseland kansalaisuus migration"),
    Concept("an ethnic origin", QUASI,
            "race ethnicity ethnic ethnicgroup ethnie etnia raza razza raca rasa etniciteit etnicita hautfarbe skincolor "
            "black white nonwhite hispanic hispan hisp latino asian minority indigenous afam foreign foreignborn immigrant "
            "migrant nativeborn blck hispanics caucasian ethn ancestry native abstammung origine origen origem afkomst"),
    Concept("a marital status", QUASI,
            "marital maritalstatus civilstatus civilstate familienstand zivilstand etatcivil situationfamiliale estadocivil "
            "statocivile burgerlijkestaat stancywilny rodinnystav civilstand sivilstatus relationship marriage married marry "
            "marr mar marst marstat marit divorced widowed spouse husband wife verheiratet ledig geschieden verwitwet marie "
            "celibataire divorce veuf casado soltero viudo sposato gehuwd gift single unmarried nevermarried nevmarr cohabit "
            "cohab cohabiting partner partnership widow widower separated celibe nubile vedovo weduwe alleinstehend "
            "lebenspartner concubin"),
    Concept("an occupation", QUASI,
            "occupation job jobtitle profession employer workclass beruf tatigkeit arbeitgeber metier emploi "
            "employeur profesion ocupacion empleo professione occupazione impiego profissao ocupacao beroep werkgever zawod "
            "povolani zamestnani yrke arbetsgivare ammatti occ occup empl employed wexp employment unemployed unemp retired "
            "selfemployed selfempl exper experience tenure seniority fulltime parttime hours workhours hoursperweek hrs inlf "
            "isco employ worker workers working works managerial manager management clerical professional "
            "craftsman laborer farmer farm teacher nurse military veteran veterans army "
            "bluecollar whitecollar bluecol whitecol blcollar supervisor selfemp selfe "
            "workstatus jobstatus jobtype jobclass contract retiree pensioner unempl laborforce labourforce lfp lfstatus wrk "
            "wrkstat work position department dept company firm firmsize betrieb angestellter arbeiter beamter "
            "erwerbstatig erwerbsstatus arbeitslos rentner selbststandig chomeur retraite salarie cadre ouvrier jubilado "
            "parado desempleado asalariado disoccupato pensionato dipendente impiegato werkloos gepensioneerd werknemer "
            "beroepsgroep poste anciennete antiguedad anzianita dienstjahre betriebszugehorigkeit betriebsgrosse firmengrosse"),
    Concept("a branch of industry", QUASI,
            "industry sector manuf manufacturing construction retail agriculture mining nace nacerev naics branche "
            "wirtschaftszweig wirtschaftsabschnitt branchedactivite secteuractivite ramodeactividad "
            "ramoatividade settoreattivita bedrijfstak sbi"),
    Concept("an education", QUASI,
            "education educationnum educ edu schooling college highschool hsgrad grad degree school bildung schulabschluss "
            "abschluss ausbildung etudes diplome formation educacion estudios escolaridad istruzione titolodistudio "
            "escolaridade opleiding onderwijs wyksztalcenie vzdelani utbildning utdanning koulutus hsch hschool graduate "
            "graduated phd bachelor master major faculty classroom campus grades schoolyears yrsschool schulbildung studium "
            "fachrichtung scolarite niveauetudes instruccion niveldeestudios studi opleidingsniveau studie",
            within="educ"),
    Concept("a place", QUASI,
            "city town municipality village county district province region state location residence hometown stadt ort "
            "wohnort gemeinde bundesland kreis landkreis ville commune departement localite ciudad municipio provincia "
            "localidad comunidad citta comune regione cidade concelho distrito stad gemeente woonplaats provincie miasto "
            "miejscowosc gmina powiat wojewodztwo mesto obec kraj okres kommun kommune lan kaupunki kunta urban rural metro "
            "metropolitan smsa msa south north east west northeast northcen midwest fips tract neighborhood neighbourhood "
            "ortsgrosse gemeindegrosse "
            "popul stratum strata strat psu area zone suburb suburban canton kanton arrondissement barrio quartier wijk "
            "bezirk borough parish distance entfernung"),
    Concept("an institution", QUASI,
            "krankenkasse kasse kostentrager creditunion costcenter costcentre costctr kostenstelle "
            "hospital institution inst site center centre practice provider krankenhaus praxis hopital etablissement "
            "clinica ziekenhuis szpital nemocnice sjukhus schule ecole escuela scuola university universitat trust prison "
            "jail court"),
    Concept("somebody who teaches, treats or advises", QUASI,
            "homeroomteacher classteacher formteacher klassenlehrer klassenlehrerin lehrer lehrerin lehrkraft hausarzt hausarztin "
            "doctor doctors physician surgeon arzt arztin medecin medico dottore huisarts medicocurante medecintraitant tutor "
            "caseworker sachbearbeiter sachbearbeiterin berater beraterin betreuer betreuerin"),
    Concept("a home", QUASI,
            "ownrent homeowner homeowned owner renter housing dwelling wohnung eigentum miete logement vivienda condo "
            "condominium apartment homeless tenant landlord wohneigentum mieter proprietaire locataire propietario "
            "inquilino casa affitto koopwoning huurwoning"),
    Concept("an admission, visit or other event", QUASI,
            "modedentree modeentree modedesortie "
            "admission admissiondate discharge dischargedate visitdate encounterdate deathdate dateofdeath aufnahme "
            "aufnahmedatum entlassung entlassungsdatum behandlungsdatum todesdatum sterbedatum dateadmission datesortie "
            "datedeces fechaingreso fechaalta fechamuerte dataricovero datadimissione dataadmissao dataalta opnamedatum "
            "ontslagdatum dataprzyjecia datawypisu datumprijeti inskrivningsdatum utskrivningsdatum hiredate "
            "eintrittsdatum"),
    Concept("a date", QUASI,
            "date datum fecha month mon monat mois mes mese miesiac mesic manad maned kuukausi year yr jahr annee ano anno "
            "rok ar weekday dayofweek wochentag week quarter quartal day tag jour dia giorno dag semester cohort season "
            "jahrgang saison timestamp"),
    Concept("a household or family", QUASI,
            "household householdsize children numberofchildren familysize haushalt haushaltsgrosse kinder kinderzahl menage "
            "enfants hogar hijos famiglia figli filhos agregado huishouden kinderen dzieci deti hushall barn dependents "
            "depend numdep hhsize famsize kids kid child nchild nkids babies preteen teens siblings sibs parity householdhead "
            "head kidslt kidsge yngkid youngkids oldkids mother father parents twin twins firstborn birthorder sibling "
            "householdmember householdmembers haushaltsmitglieder membresdumenage "
            "brothers sisters geschwister eltern fratrie hermanos fratelli broers pregnancies"),
    Concept("a sport or an exercise", QUASI,
            "sport sports athlete athletes athletic athletics exercise exercises fitness gym workout jogging swimming situps "
            "situp pushups pushup pullups pullup chins chinups jumps squats gripstrength sportler sportlerin sportart sportverein "
            "sportif sportive deporte deportes deportista allenamento palestra sporten"),
    Concept("a use of media", QUASI,
            "tv television news newspaper newspapers radio internet media socialmedia fernsehen zeitung zeitungen nachrichten "
            "journaux presse televisione giornali prensa periodicos televisie krant kranten"),
    Concept("a language", QUASI,
            "language mothertongue sprache muttersprache langue idioma lingua taal jezyk jazyk sprak lang speaks"),
    Concept("a weight of a survey", QUASI,
            "surveyweight surveyweights samplingweight samplingweights sampleweight sampleweights designweight poststratweight "
            "weighting weightingfactor weightfactor pweight pweights fweight aweight iweight finalweight finalwgt fnlwgt "
            "gewichtung gewichtungsfaktor designgewicht designgewichtung hochrechnungsfaktor hochrechnung "
            "poidsdesondage poidssondage poidsdenquete ponderation coefficientdeponderation coefponderation pesomuestral "
            "factordeexpansion factorexpansion factordeponderacion ponderacion pesocampionario coefficientediponderazione "
            "ponderazione wegingsfactor weegfactor weging steekproefgewicht"),
    Concept("a body measure", QUASI,
            "height weight wtkg bmi bodymassindex bodyheight bodyweight shoesize korpergrosse korpergewicht gewicht taille "
            "poids estatura peso altezza lengte wzrost vyska eyecolor haircolor birthweight bwght hand handed handedness "
            "lefthanded waist hip hips chest girth shoe eyes hair looks circumference handspan grosse "
            "bloodgroup bloodtype blutgruppe groupesanguin gruposanguineo grupposanguigno bloedgroep tiposanguineo grupakrwi "
            "krevniskupina blodgrupp veriryhma"),
    Concept("a diagnosis or disease", SENSITIVE,
            "diagnosis diagnoses diag dx icd icd9 icd10 icdcode disease illness condition comorbidity symptom disability "
            "behindert schwerbehindert "
            "krankheit diagnose erkrankung behinderung hauptdiagnose diagnostic maladie handicap diagnostico enfermedad "
            "diagnosi malattia doenca ziekte aandoening rozpoznanie choroba diagnoza nemoc sjukdom sykdom diagnoosi sairaus "
            "drg ghm cancer hiv aids covid tumor tumour tsize tgrade metastasis nodes stage histology celltype health gesundheit "
            "pnodes posnodes lymphnodes tstage nstage mstage "
            "sante salud salute zdrowie chronic karno karnofsky ecog menopause menopausal injury injured hemophilia "
            "haemophilia hemo allergy asthma diabetes stroke hypertension depression anxiety psychiatric pain painful cough "
            "fever nausea vomiting fatigue headache headaches migraine dyspnea dyspnoea angina infarction infarct chf cvd chd "
            "afib copd ckd epilepsy seizure seizures dementia alzheimer parkinson schizophrenia adhd autism arthritis obesity "
            "obese anemia anaemia infection infected sepsis pneumonia hepatitis tuberculosis malaria measles influenza flu "
            "complication complications toxicity adverse sideeffect sideeffects bleeding edema oedema ascites spiders lesion "
            "lesions biopsy fracture wound asa mallampati apgar nyha gcs phq gad bdi cesd mmse adl iadl severity disabled "
            "disable handicapped limitation limited mental suicide suicidal abuse abortion miscarriage stillbirth "
            "schmerz schmerzen husten fieber ubelkeit beschwerden komplikation komplikationen symptome schwere douleur toux "
            "fievre symptomes nausee gravite dolor tos fiebre sintomas sintoma gravedad dolore tosse febbre sintomi gravita "
            "pijn hoest koorts klachten symptomen",
            within="hlth disea karno menostat"),
    Concept("a treatment", SENSITIVE,
            "treatment therapy rx medication medicine drug prescription procedure surgery operation behandlung therapie "
            "medikament arznei eingriff traitement medicament intervention tratamiento medicamento cirugia terapia farmaco "
            "intervento tratamento behandeling medicijn leczenie leki zabieg lecba lecivo lakemedel behandling dose treat trt "
            "transplant arm arms randomized randomised chemo radiation hormone horth placebo vaccine vaccination impfung "
            "visits docvis mdvis ervis opvis hospvis mdvisits ervisits doctorvisits hospitalization hospitalizations "
            "hospitalisation "
            "hospitalisiert hospitalise hospitalisee hospitalizado hospitalizada ospedalizzato ospedalizzata gehospitaliseerd "
            "hospitalised hospitalized hospdays hospitaldays outpatient inpatient prescriptions prescrib "
            "nonprescrib medications medicines dosage regimen anesthesia anaesthesia ventilation icu rehab counseling "
            "counselling psychotherapy contraception contraceptive arztbesuche arztbesuch konsultation konsultationen "
            "dosis consultation consultations hospitalisations consultas visitas consulto visite bezoeken",
            within="therap trt"),
    Concept("smoking, drinking or drugs", SENSITIVE,
            "smoker smokers smoking smoke smokes smoked cigs cigarettes tobacco alcohol drink drinks drinking drugs marijuana "
            "addiction raucher rauchen raucht alkohol fumeur tabac tabagisme fumador fumatore fumo roker rokend palacz kurak "
            "rokare royker tupakointi cigarette packs packyears drinker beer wine liquor binge cannabis cocaine heroin opioid "
            "opioids opiate substance subst nicotine vaping trinken alkoholkonsum alcool alcol bebe beber fuma tabaco "
            "rauchstatus roken drinken",
            within="cigar rauch"),
    Concept("an outcome or a time of follow-up", SENSITIVE,
            "verweildauer "
            "survival surv survtime cens censor censored censoring followup futime relapse recurrence remission readmission "
            "los lengthofstay uberleben vitalstatus progression pfs dfs efs followuptime uberlebenszeit survie "
            "supervivencia sopravvivenza overleving rezidiv recidive recidiva"),
    Concept("a medical finding", SENSITIVE,
            "bloodpressure bp sysbp diasbp cholesterol ldl hdl glucose hba1c creatinine platelets "
            "platelet hemoglobin haemoglobin leukocytes cd4 cd8 heartrate testresult labresult befund laborwert blutdruck "
            "genotype mutation snp pregnancy pregnant receptor calories cal sugar insulin triglycerides tch pulse "
            "puls pouls pulso polso hartslag resprate spo saturation oxygen wbc rbc albumin bilirubin bili sodium "
            "potassium calcium chol trig sgot alkphos protime protein urea ferritin tsh crp inr hematocrit hct hgb "
            "lymphocytes neutrophils fev fvc psa gleason estrogen progesterone testosterone vitamin ecg ekg lvef egfr "
            "systolic diastolic sbp dbp bloodsugar blutzucker cholesterin glycemie tension glucosa presion "
            "glicemia pressione bloeddruk bloedsuiker antibody antibodies titer viral viralload serum plasma urine mri scan "
            "xray gene allele kappa lambda estrec progrec pgr esr her2 ki67 troponin bnp",
            within="cholest cd4 cd8"),
    Concept("a result, status or event", SENSITIVE,
            "result outcome status event observed time duration score symptoms ergebnis verlauf", certain=False),
    Concept("money", SENSITIVE,
            "salary income householdincome familyincome haushaltseinkommen wage wages earnings salaryclass compensation debt "
            "credit creditscore balance loan cost price amount gehalt einkommen lohn verdienst vermogen schulden kosten "
            "betrag salaire revenu dette cout salario sueldo ingresos deuda coste stipendio reddito debito costo renda "
            "rendimento divida custo salaris inkomen loon schuld wynagrodzenie dochod pensja zarobki dlug koszt plat mzda "
            "prijem naklady inkomst skuld lonn inntekt palkka tulot capitalgain capitalloss pay earn earns inc faminc hinc "
            "linc wealth assets savings pension mortgage expenditure expense expenses expend spending avgexp fee fees charge "
            "charges premium benefit benefits donation donations spende spenden poverty tax taxes coins coinsurance "
            "deductible copay insurance insured fin finaid financialaid medicaid medicare welfare foodstamps foodstamp afdc "
            "ssi uninsured subsidy scholarship stipend allowance bonus commission payment payments paid prices "
            "loans mortgages deny denied bankruptcy delinquency delinquent repayment interestrate salaries earned revenue "
            "profit spend spent cash fund funds stocks invest investment lottery owed deposit rente zuschuss pramie beitrag "
            "arbeitslosengeld sozialhilfe kindergeld wohngeld ausgaben umsatz allocation allocations depense depenses "
            "beca subsidio gasto gastos ingreso prestamo spesa spese pensione prestito uitkering toeslag pensioen uitgaven "
            "lening"),
    Concept("a belief or affiliation", SENSITIVE,
            "religion religious relig faith belief church confession denomination konfession glaube religionszugehorigkeit "
            "religione religiao religie geloof wyznanie religia nabozenstvi vyznani politics political party partei parti "
            "partido partito partij vote union ideology catholic gewerkschaft syndicat sindicato sindacato vakbond prot "
            "protestant muslim moslem jewish buddhist hindu christian atheist kirche kirchlich kirchgang kirchensteuer "
            "churchgoing eglise iglesia chiesa kerk mosque prayer pray bible spiritual democrat republican "
            "conservative liberal partyid leftright voted voting votes ballot turnout wahl wahlabsicht voto vota "
            "stem stemgedrag"),
    Concept("an opinion or choice", SENSITIVE,
            "opinion attitude choice preference happy happiness satisfaction satisfied approve approval agree zufriedenheit "
            "meinung opinione satisfacion attend attendance opinions attitudes favor favour oppose disagree "
            "concern concerned worry worried interested importance likelihood intention intent wellbeing lifesat loneliness "
            "lonely stress stressed mood feeling feelings selfesteem knowledge beliefs ideal gunlaw "
            "deathpenalty fear afraid trustworthy zufrieden lebenszufriedenheit vertrauen sorgen stimmung einsam einstellung "
            "confiance satisfait humeur bienetre confianza satisfaccion animo bienestar fiducia soddisfazione umore benessere "
            "vertrouwen tevredenheid welzijn"),
    Concept("a crime or legal matter", SENSITIVE,
            "crime offence offense conviction convicted criminal sentence arrest arrests parole paro probation felony prio "
            "priors straftat delikt vorstrafe delit condamnation delito condena reato condanna misdaad przestepstwo "
            "trestnycin brott felon arrested offenses offences victimization violence "
            "gang convictions sentenced bail recidivism recid lawsuit straftaten vorbestraft condamne "
            "condamnations antecedentes condenado precedenti condannato veroordeeld strafblad"),
    Concept("a ward or clinic, and so often a diagnosis", QUASI,
            "ward clinic station abteilung klinik fachabteilung reparto afdeling oddzial oddeleni avdelning", certain=False),
    Concept("a test score", SENSITIVE,
            "ielts afqt asvab tuce pisa timss pirls mcat naep wais wisc ppvt "
            "gpa sat iq kww toefl testscore testscores examscore punktzahl schulnote hsgpa cgpa lsat gmat gre actscore "
            "satscore mathscore readscore readingscore testscr exam exams prufung klausur examen esame tentamen "
            "quiz homework"),
    Concept("a remark in free text", ID,
            "comment comments remark remarks notes freetext bemerkung bemerkungen anmerkung anmerkungen kommentar freitext "
            "commentaire commentaires remarque observaciones comentario osservazioni opmerking uwagi poznamka", certain=False),
    Concept("a grade or judgement", SENSITIVE,
            "grade mark rating rate note zensur evaluation performance", certain=False),
    Concept("a plate or a wage", SENSITIVE,
            "plate lon lonen", certain=False),  # or a longitude: the values tell
    Concept("a household number", ID,
            "hhid hid householdid householdnumber famid familyid haushaltsid haushaltsnummer idmenage idhogar hhnr hhnum "
            "houseid homeid familiennummer numeromenage dwellingid famnr"),
    Concept("a record or person number", ID,
            "id ids idnum idno idcode uid uuid guid pid pidnum mrn obs nr respondentid rowid rownumber unnamed patientid "
            "personid customerid userid caseid memberid recordid subjectid clientid studentid employeeid medicalrecord "
            "recordnumber patientnumber casenumber patientennummer patientennr fallnummer fallnr kundennummer personalnummer "
            "matrikelnummer aktenzeichen identifiant numerodossier numeropatient identificador historiaclinica identificativo "
            "cartellaclinica prontuario patientnummer dossiernummer klantnummer identyfikator numerpacjenta rodnecislo "
            "cislopacienta patientnr kundnummer index serial interviewnummer interviewnr interviewid "
            "interviewnumber befragtennummer befragtennr fragebogennummer lfdnr laufendenummer laufnummer "
            "questionnaireid formnumber caseno casenr seqn seqno studyid sampleid participantid "
            "subjectno numeroentrevista numerointervista numeroenquete numquest vragenlijstnummer volgnummer"),
    Concept("a name", ID,
            "name names lname fname mname", certain=False),
)  # fmt: skip

RECORD, HOUSEHOLD = "a record or person number", "a household number"
MONEY = "money"
# Whose money it is, where a name or a label speaks of both.
WHOSE = frozenset(
    ("household", "haushalt", "menage", "hogar", "famiglia", "agregado", "huishouden", "hushall")
)
# Whose age, schooling or work it is, where a name says that too.
RELATIVES = frozenset(
    ("mother", "father", "parents", "child", "kid", "kids", "children", "spouse", "husband", "wife", "partner", "sibling", "twin",
     "eltern", "kinder", "enfants", "hijos", "figli", "filhos", "kinderen")
)  # fmt: skip
ALONE = frozenset(("grosse",))  # that say something else at the end of a compound: Ortsgröße, Betriebsgröße
SURVEY_WEIGHT = "a weight of a survey"
BODY, FINDING, DISEASE = "a body measure", "a medical finding", "a diagnosis or disease"
DATE, AGE = "a date", "an age"
RESULT, OUTCOME = "a result, status or event", "an outcome or a time of follow-up"
DEATH, PERSONS_NAME, POSTAL_CODE = "a death", "a person's name", "a postal code"
# Beside columns of such names, results and events are outcomes of a study.
FOLLOW_UP = frozenset(
    (
        "time",
        "futime",
        "duration",
        "stop",
        "survival",
        "followup",
        "days",
        "weeks",
        "months",
        "laufzeit",
        "duree",
    )
)

# Words that make a record number one of a person, who may then have several rows.
_PERSON = (
    "patient pat person people customer cust client user member subject respondent participant student individual "
    "employee pupil citizen resident kunde versicherter mitglied proband schuler mitarbeiter personne "
    "eleve adherent paciente persona cliente alumno empleado paziente cittadino aluno klant patienten "
    "pacjent osoba klient pacient zakaznik kund pid mrn case"
)
PERSON = frozenset(_PERSON.split())
NUMBER = frozenset(("no", "nr", "num", "number", "id", "code", "key", "nummer", "numero", "numer", "cislo"))
# Words of whom, where and since when: beside one of something sensitive the column tells these, which others may know.
_WHOM_OR_WHERE = (
    "name place room unit clinic ward office officer store station precinct local community congregation location company provider "
    "branch agent contact operator nurse teacher manager lawyer judge by desk venue ort raum zimmer stelle buro station klinik "
    "filiale firma name von lieu salle bureau service nom agence par lugar sala oficina empresa nombre por luogo stanza ufficio "
    "azienda nome da plaats kamer kantoor bedrijf naam door since seit depuis desde sinds scene beginn ende praxis yr jahr"
)
WHOM_OR_WHERE = frozenset(_WHOM_OR_WHERE.split())
TIMES = frozenset(
    ("years", "months", "jahre", "monate", "annees", "anos", "meses", "anni", "mesi", "jaren", "maanden")
)
# Things that others see, whose prices they know or can look up.
_SEEN = (
    "house houses home homes property estate apartment flat condo land car vehicle haus immobilie grundstuck wohnung auto maison "
    "immobilier appartement terrain voiture casa vivienda piso coche terreno appartamento macchina huis woning dom mieszkanie"
)
SEEN = frozenset(_SEEN.split())
PRICES = frozenset(
    (
        "price",
        "prices",
        "value",
        "preis",
        "wert",
        "prix",
        "valeur",
        "precio",
        "valor",
        "prezzo",
        "valore",
        "prijs",
    )
)
NAMES, CODES = frozenset(("name", "nom", "nombre", "nome", "naam")), frozenset(("code", "key"))
NAMED_SO = (
    DISEASE,
    "a treatment",
    FINDING,
    "smoking, drinking or drugs",
)  # things that have names
# Words of a faith or an affiliation that are those of a house or a body too, which has a name.
_HOUSES = (
    "church kirche eglise iglesia chiesa kerk mosque union gewerkschaft syndicat sindicato sindacato vakbond"
)
HOUSES_OF_BELIEF = frozenset(_HOUSES.split())
# Short words that are trusted as a piece of a name that is run together from known ones.
SHORT_PIECES = frozenset(
    ("age", "sex", "inc", "pay", "gpa", "occ", "edu", "bmi", "job", "tax", "sat", "kid", "tv")
)
# In which five letters are found that mean something else by themselves.
INNOCENT = ("prostate", "estate", "statement", "interstate", "handyman", "mailing")
