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
            "fodselsdato syntymaaika"),
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
            "migrant nativeborn"),
    Concept("a marital status", QUASI,
            "marital maritalstatus civilstatus civilstate familienstand zivilstand etatcivil situationfamiliale "
            "estadocivil statocivile burgerlijkestaat stancywilny rodinnystav civilstand sivilstatus relationship marriage "
            "married marry marr mar marst marstat marit divorced widowed spouse husband wife verheiratet ledig geschieden "
            "verwitwet marie celibataire divorce veuf casado soltero viudo sposato gehuwd gift"),
    Concept("an occupation", QUASI,
            "occupation job jobtitle profession employer workclass beruf tatigkeit arbeitgeber metier emploi "
            "employeur profesion ocupacion empleo professione occupazione impiego profissao ocupacao beroep werkgever "
            "zawod povolani zamestnani yrke arbetsgivare ammatti occ occup empl employed wexp employment unemployed unemp "
            "retired selfemployed selfempl exper experience tenure seniority fulltime parttime hours workhours "
            "hoursperweek hrs inlf isco"),
    Concept("a branch of industry", QUASI,
            "industry nace nacerev naics branche wirtschaftszweig wirtschaftsabschnitt branchedactivite secteuractivite "
            "ramodeactividad ramoatividade settoreattivita bedrijfstak sbi"),
    Concept("an education", QUASI,
            "education educationnum educ edu schooling college highschool hsgrad grad degree school bildung schulabschluss "
            "abschluss ausbildung etudes diplome formation educacion estudios escolaridad istruzione titolodistudio "
            "escolaridade opleiding onderwijs wyksztalcenie vzdelani utbildning utdanning koulutus",
            within="educ"),
    Concept("a place", QUASI,
            "city town municipality village county district province region state location residence hometown stadt ort "
            "wohnort gemeinde bundesland kreis landkreis ville commune departement localite ciudad municipio provincia "
            "localidad comunidad citta comune regione cidade concelho distrito stad gemeente woonplaats provincie miasto "
            "miejscowosc gmina powiat wojewodztwo mesto obec kraj okres kommun kommune lan kaupunki kunta urban rural "
            "metro metropolitan smsa msa south north east west northeast northcen midwest fips tract neighborhood "
            "neighbourhood popul stratum strata strat psu"),
    Concept("an institution", QUASI,
            "hospital institution inst site center centre practice provider krankenhaus praxis hopital etablissement "
            "clinica ziekenhuis szpital nemocnice sjukhus schule ecole escuela scuola university universitat trust prison jail"),
    Concept("a home", QUASI,
            "ownrent homeowner homeowned owner renter housing dwelling wohnung eigentum miete logement vivienda"),
    Concept("an admission, visit or other event", QUASI,
            "admission admissiondate discharge dischargedate visitdate encounterdate deathdate dateofdeath aufnahme "
            "aufnahmedatum entlassung entlassungsdatum behandlungsdatum todesdatum sterbedatum dateadmission datesortie "
            "datedeces fechaingreso fechaalta fechamuerte dataricovero datadimissione dataadmissao dataalta opnamedatum "
            "ontslagdatum dataprzyjecia datawypisu datumprijeti inskrivningsdatum utskrivningsdatum hiredate "
            "eintrittsdatum"),
    Concept("a date", QUASI,
            "date datum fecha month mon monat mois mes mese miesiac mesic manad maned kuukausi year yr jahr annee ano anno "
            "rok ar weekday dayofweek wochentag week quarter quartal"),
    Concept("a household or family", QUASI,
            "household householdsize children numberofchildren familysize haushalt haushaltsgrosse kinder kinderzahl "
            "menage enfants hogar hijos famiglia figli filhos agregado huishouden kinderen dzieci deti hushall barn "
            "dependents depend numdep hhsize famsize kids kid child nchild nkids babies preteen teens siblings sibs parity "
            "householdhead head"),
    Concept("a language", QUASI,
            "language mothertongue sprache muttersprache langue idioma lingua taal jezyk jazyk sprak"),
    Concept("a body measure", QUASI,
            "height weight wt wtkg bodyheight bodyweight shoesize korpergrosse korpergewicht gewicht taille poids estatura "
            "peso altezza lengte wzrost vyska eyecolor haircolor birthweight bwght"),
    Concept("a diagnosis or disease", SENSITIVE,
            "diagnosis diagnoses diag dx icd icd9 icd10 icdcode disease illness condition comorbidity symptom disability "
            "krankheit diagnose erkrankung behinderung hauptdiagnose diagnostic maladie handicap diagnostico enfermedad "
            "diagnosi malattia doenca ziekte aandoening rozpoznanie choroba diagnoza nemoc sjukdom sykdom diagnoosi "
            "sairaus drg cancer hiv aids covid tumor tumour tsize tgrade metastasis nodes stage histology celltype health "
            "gesundheit sante salud salute zdrowie chronic karno karnofsky ecog menopause menopausal injury injured "
            "hemophilia haemophilia hemo allergy asthma diabetes stroke hypertension depression anxiety psychiatric",
            within="hlth disea karno menostat"),
    Concept("a treatment", SENSITIVE,
            "treatment therapy medication medicine drug prescription procedure surgery operation behandlung therapie "
            "medikament arznei eingriff traitement medicament intervention tratamiento medicamento cirugia terapia farmaco "
            "intervento tratamento behandeling medicijn leczenie leki zabieg lecba lecivo lakemedel behandling dose treat "
            "trt transplant arm arms randomized randomised chemo radiation hormone horth placebo vaccine vaccination "
            "impfung",
            within="therap trt"),
    Concept("smoking, drinking or drugs", SENSITIVE,
            "smoker smokers smoking smoke smokes smoked cigs cigarettes tobacco alcohol drink drinks drinking drugs "
            "marijuana addiction raucher rauchen raucht alkohol fumeur tabac tabagisme fumador fumatore fumo roker rokend "
            "palacz kurak rokare royker tupakointi",
            within="cigar rauch"),
    Concept("an outcome or a time of follow-up", SENSITIVE,
            "survival surv survtime cens censor censored censoring followup futime relapse recurrence remission "
            "readmission los lengthofstay uberleben"),
    Concept("a medical finding", SENSITIVE,
            "bloodpressure bp sysbp diasbp cholesterol ldl hdl glucose bloodgroup bloodtype bmi hba1c creatinine platelets "
            "platelet hemoglobin haemoglobin leukocytes cd4 cd8 heartrate testresult labresult befund laborwert blutdruck "
            "blutgruppe genotype mutation snp pregnancy pregnant receptor calories cal sugar insulin triglycerides tch",
            within="cholest cd4 cd8"),
    Concept("a result, status or event", SENSITIVE,
            "result outcome status event observed time duration score symptoms ergebnis verlauf", certain=False),
    Concept("money", SENSITIVE,
            "salary income householdincome familyincome haushaltseinkommen wage wages earnings salaryclass compensation "
            "debt credit creditscore balance loan cost price amount gehalt einkommen lohn verdienst vermogen schulden "
            "kosten betrag salaire revenu dette cout salario sueldo ingresos deuda coste stipendio reddito debito costo "
            "renda rendimento divida custo salaris inkomen loon schuld wynagrodzenie dochod pensja zarobki dlug koszt plat "
            "mzda prijem naklady inkomst skuld lonn inntekt palkka tulot capitalgain capitalloss pay earn earns inc faminc "
            "hinc linc wealth assets savings pension mortgage expenditure expense expenses expend spending avgexp fee fees "
            "charge charges premium benefit benefits donation donations spende spenden poverty tax taxes coins coinsurance "
            "deductible copay insurance insured fin finaid financialaid"),
    Concept("a belief or affiliation", SENSITIVE,
            "religion religious relig faith belief church confession denomination konfession glaube religionszugehorigkeit "
            "religione religiao religie geloof wyznanie religia nabozenstvi vyznani politics political party partei parti "
            "partido partito partij vote union ideology catholic gewerkschaft syndicat sindicato sindacato vakbond"),
    Concept("an opinion or choice", SENSITIVE,
            "opinion attitude choice preference happy happiness satisfaction satisfied approve approval agree "
            "zufriedenheit meinung opinione satisfacion attend attendance"),
    Concept("a crime or legal matter", SENSITIVE,
            "crime offence offense conviction convicted criminal sentence arrest arrests parole paro probation "
            "felony prio priors straftat delikt vorstrafe delit condamnation delito condena reato condanna misdaad "
            "przestepstwo trestnycin brott"),
    Concept("a ward or clinic, and so often a diagnosis", QUASI,
            "ward clinic abteilung klinik fachabteilung reparto afdeling oddzial oddeleni avdelning", certain=False),
    Concept("a test score", SENSITIVE,
            "gpa sat iq kww toefl testscore testscores examscore punktzahl schulnote"),
    Concept("a remark in free text", ID,
            "comment comments remark remarks notes freetext bemerkung bemerkungen anmerkung anmerkungen kommentar freitext "
            "commentaire commentaires remarque observaciones comentario osservazioni opmerking uwagi poznamka", certain=False),
    Concept("a grade or judgement", SENSITIVE,
            "grade mark rating rate note zensur evaluation performance", certain=False),
    Concept("a plate or a wage", SENSITIVE,
            "plate lon lonen", certain=False),  # or a longitude: the values tell
    Concept("a household number", ID,
            "hhid hid householdid householdnumber famid familyid haushaltsid haushaltsnummer idmenage idhogar"),
    Concept("a record or person number", ID,
            "id ids idnum idno idcode uid uuid guid pid pidnum mrn obs nr respondentid rowid rownumber unnamed patientid "
            "personid customerid userid caseid memberid recordid subjectid clientid studentid employeeid medicalrecord "
            "recordnumber patientnumber casenumber patientennummer patientennr fallnummer fallnr kundennummer "
            "personalnummer matrikelnummer aktenzeichen identifiant numerodossier numeropatient identificador "
            "historiaclinica identificativo cartellaclinica prontuario patientnummer dossiernummer klantnummer "
            "identyfikator numerpacjenta rodnecislo cislopacienta patientnr kundnummer index serial"),
    Concept("a name", ID,
            "name names lname fname mname", certain=False),
)  # fmt: skip

RECORD, HOUSEHOLD = "a record or person number", "a household number"
RESULT, OUTCOME = "a result, status or event", "an outcome or a time of follow-up"
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
    "patient pat person people customer client user member subject respondent participant student individual "
    "employee pupil citizen resident kunde versicherter mitglied proband schuler mitarbeiter personne "
    "eleve adherent paciente persona cliente alumno empleado paziente cittadino aluno klant patienten "
    "pacjent osoba klient pacient zakaznik kund pid mrn case"
)
PERSON = frozenset(_PERSON.split())
NUMBER = frozenset(("no", "nr", "num", "number", "id", "code", "key", "nummer", "numero", "numer", "cislo"))
# In which five letters are found that mean something else by themselves.
INNOCENT = ("prostate", "estate", "statement", "interstate", "handyman", "mailing")
