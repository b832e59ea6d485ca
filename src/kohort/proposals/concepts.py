"""What column names of tables about people mean, in the languages of Europe's registers.

Words are written without accents, blanks and capitals. A word of five or more letters is also found within
a name (`geburtsdatum` in `PatGeburtsdatum`), a shorter one only as a part of its own (`age` in `age_group`,
not in `page`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from kohort.table import Role


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that tables tell about people."""

    name: str  # as it stands in a reason: "its name says …"
    role: Role
    words: str  # separated by blanks
    certain: bool = True  # False: the words are often used for other things


ID, QUASI, SENSITIVE = Role.IDENTIFIER, Role.QUASI, Role.SENSITIVE

# In order: where a name fits two, the first counts.
CONCEPTS: tuple[Concept, ...] = (
    Concept("an e-mail address", ID,
            "email mail emailadresse courriel correo correoelectronico epost eposta"),
    Concept("a telephone number", ID,
            "phone telephone tel mobile cellphone handy handynummer telefon telefono telefone telefoon "
            "telefoonnummer telefonnummer fax telemovel mobil mobilnummer komorka puhelin"),
    Concept("a national or tax number", ID,
            "ssn socialsecurity socialsecuritynumber nin nationalid nationalinsurance passport passportnumber "
            "idcard taxid reisepass personalausweis ausweisnummer svnr sozialversicherungsnummer steuernummer "
            "steuerid nir insee passeport numerosecu dni nie curp pasaporte codicefiscale passaporto cpf rg "
            "nif bsn burgerservicenummer rijksregisternummer paspoort pesel paszport nrdowodu rodnecislo "
            "personnummer fodselsnummer cprnummer henkilotunnus nhsnumber ahv ahvnummer"),
    Concept("an insurance, bank or card number", ID,
            "iban bankaccount accountnumber creditcard cardnumber kontonummer versichertennummer "
            "versicherungsnummer krankenversichertennummer policynumber insurancenumber numerocompte "
            "numerodecuenta contocorrente rekeningnummer numerkonta cisloucet cislouctu"),
    Concept("a licence or number plate", ID,
            "licenseplate licenceplate numberplate plate driverlicense drivinglicence fuhrerschein "
            "kennzeichen immatriculation matricula targa kenteken rejestracyjny vin"),
    Concept("an online identity", ID,
            "username userlogin login handle ipaddress ip url website macaddress imei deviceid benutzername "
            "utilisateur usuario utente gebruikersnaam"),
    Concept("a person's name", ID,
            "fullname firstname lastname surname forename givenname middlename maidenname familyname "
            "patientname vorname nachname familienname geburtsname zuname nom prenom nomdefamille nombre "
            "nombres apellido apellidos nome cognome sobrenome apelido voornaam achternaam naam imie nazwisko "
            "jmeno prijmeni fornamn efternamn namn fornavn etternavn efternavn navn etunimi sukunimi"),
    Concept("a street address", ID,
            "address street streetaddress housenumber adresse anschrift strasse hausnummer rue direccion "
            "calle domicilio indirizzo endereco rua morada adres straat huisnummer ulica ulice adresa adress "
            "gata gatuadress latitude longitude gps"),
    Concept("a birth date", QUASI,
            "birthdate dateofbirth dob birthday birth born geburtsdatum geburtstag gebdatum gebdat "
            "datenaissance datedenaissance naissance fechanacimiento fechadenacimiento nacimiento datanascita "
            "nascita datadinascita datanascimento nascimento geboortedatum geboorte dataurodzenia urodzenia "
            "datumnarozeni narozeni fodelsedatum fodselsdato syntymaaika"),
    Concept("a birth year", QUASI,
            "birthyear yearofbirth yob geburtsjahr anneenaissance anonacimiento annonascita geboortejaar "
            "rokurodzenia roknarozeni fodelsear"),
    Concept("an age", QUASI,
            "age agegroup ageband alter altersgruppe edad eta idade leeftijd wiek vek alder ika"),
    Concept("a sexual orientation", SENSITIVE,
            "sexualorientation orientation sexuality sexualitat orientacionsexual"),
    Concept("a sex", QUASI,
            "sex gender geschlecht sexe genre sexo genero sesso genere geslacht plec pohlavi kon kjonn "
            "sukupuoli"),
    Concept("a postal code", QUASI,
            "zip zipcode postcode postalcode postal plz postleitzahl codepostal cp codigopostal cap cep "
            "codicepostale kodpocztowy psc postnummer postnr postinumero"),
    Concept("a nationality or country", QUASI,
            "nationality citizenship country nativecountry birthplace placeofbirth countryofbirth "
            "staatsangehorigkeit nationalitat staatsburgerschaft herkunft herkunftsland geburtsort "
            "geburtsland land pays nationalite lieudenaissance nacionalidad pais lugardenacimiento "
            "nazionalita paese cittadinanza luogodinascita nacionalidade naturalidade nationaliteit "
            "geboorteplaats narodowosc obywatelstwo statniobcanstvi narodnost medborgarskap fodelseland "
            "kansalaisuus migration"),
    Concept("an ethnic origin", QUASI,
            "race ethnicity ethnic ethnicgroup ethnie etnia raza razza raca rasa etniciteit etnicita "
            "hautfarbe skincolor"),
    Concept("a marital status", QUASI,
            "marital maritalstatus civilstatus civilstate familienstand zivilstand etatcivil "
            "situationfamiliale estadocivil statocivile burgerlijkestaat stancywilny rodinnystav civilstand "
            "sivilstatus relationship"),
    Concept("an occupation", QUASI,
            "occupation job jobtitle profession employer workclass industry beruf tatigkeit arbeitgeber "
            "metier emploi employeur profesion ocupacion empleo professione occupazione impiego profissao "
            "ocupacao beroep werkgever zawod povolani zamestnani yrke arbetsgivare ammatti"),
    Concept("an education", QUASI,
            "education educationnum degree schooling school bildung schulabschluss abschluss ausbildung "
            "etudes diplome formation educacion estudios escolaridad istruzione titolodistudio escolaridade "
            "opleiding onderwijs wyksztalcenie vzdelani utbildning utdanning koulutus"),
    Concept("a place", QUASI,
            "city town municipality village county district province region state location residence hometown "
            "stadt ort wohnort gemeinde bundesland kreis landkreis ville commune departement localite ciudad "
            "municipio provincia localidad comunidad citta comune regione cidade concelho distrito stad "
            "gemeente woonplaats provincie miasto miejscowosc gmina powiat wojewodztwo mesto obec kraj okres "
            "kommun kommune lan kaupunki kunta"),
    Concept("an admission, visit or other event", QUASI,
            "admission admissiondate discharge dischargedate visitdate encounterdate deathdate dateofdeath "
            "aufnahme aufnahmedatum entlassung entlassungsdatum behandlungsdatum todesdatum sterbedatum "
            "dateadmission datesortie datedeces fechaingreso fechaalta fechamuerte dataricovero "
            "datadimissione dataadmissao dataalta opnamedatum ontslagdatum dataprzyjecia datawypisu "
            "datumprijeti inskrivningsdatum utskrivningsdatum hiredate eintrittsdatum"),
    Concept("a household or family", QUASI,
            "household householdsize children numberofchildren familysize haushalt haushaltsgrosse kinder "
            "kinderzahl menage enfants hogar hijos famiglia figli filhos agregado huishouden kinderen dzieci "
            "deti hushall barn dependents"),
    Concept("a language", QUASI,
            "language mothertongue sprache muttersprache langue idioma lingua taal jezyk jazyk sprak"),
    Concept("a body measure", QUASI,
            "height weight bodyheight bodyweight shoesize korpergrosse korpergewicht gewicht taille poids "
            "estatura peso altezza lengte wzrost vyska eyecolor haircolor", certain=False),
    Concept("a diagnosis or disease", SENSITIVE,
            "diagnosis diagnoses diag dx icd icd9 icd10 icdcode disease illness condition comorbidity symptom "
            "disability krankheit diagnose erkrankung behinderung hauptdiagnose diagnostic maladie handicap "
            "diagnostico enfermedad diagnosi malattia doenca ziekte aandoening rozpoznanie choroba diagnoza "
            "nemoc sjukdom sykdom diagnoosi sairaus problem drg cancer hiv aids covid"),
    Concept("a treatment", SENSITIVE,
            "treatment therapy medication medicine drug prescription procedure surgery operation behandlung "
            "therapie medikament arznei eingriff traitement medicament intervention tratamiento medicamento "
            "cirugia terapia farmaco intervento tratamento behandeling medicijn leczenie leki zabieg lecba "
            "lecivo lakemedel behandling dose"),
    Concept("a medical finding", SENSITIVE,
            "bloodpressure cholesterol glucose bloodgroup bloodtype bmi hba1c creatinine testresult labresult "
            "result befund laborwert blutdruck blutgruppe genotype mutation snp smoker smoking alcohol "
            "pregnancy pregnant outcome", certain=False),
    Concept("money", SENSITIVE,
            "salary income wage wages earnings salaryclass compensation debt credit creditscore balance loan "
            "cost price amount gehalt einkommen lohn verdienst vermogen schulden kosten betrag salaire revenu "
            "dette cout salario sueldo ingresos deuda coste stipendio reddito debito costo renda rendimento "
            "divida custo salaris inkomen loon schuld wynagrodzenie dochod pensja zarobki dlug koszt plat "
            "mzda prijem naklady lon inkomst skuld lonn inntekt palkka tulot capitalgain capitalloss"),
    Concept("a belief or affiliation", SENSITIVE,
            "religion faith belief church confession denomination konfession glaube religionszugehorigkeit "
            "religione religiao religie geloof wyznanie religia nabozenstvi vyznani politics political party "
            "partei parti partido partito partij vote union gewerkschaft syndicat sindicato sindacato vakbond"),
    Concept("a crime or legal matter", SENSITIVE,
            "crime offence offense conviction criminal sentence arrest straftat delikt vorstrafe delit "
            "condamnation delito condena reato condanna misdaad przestepstwo trestnycin brott"),
    Concept("a ward or clinic, and so often a diagnosis", SENSITIVE,
            "ward clinic abteilung klinik fachabteilung reparto afdeling oddzial oddeleni avdelning", certain=False),
    Concept("a grade or judgement", SENSITIVE,
            "grade score mark rating note zensur evaluation performance", certain=False),
    Concept("a record or person number", ID,
            "id ids uid uuid guid pid mrn patientid personid customerid userid caseid memberid recordid rowid "
            "subjectid clientid studentid employeeid medicalrecord recordnumber patientnumber casenumber "
            "patientennummer patientennr fallnummer fallnr kundennummer personalnummer matrikelnummer "
            "aktenzeichen identifiant numerodossier numeropatient identificador historiaclinica "
            "identificativo cartellaclinica prontuario patientnummer dossiernummer klantnummer identyfikator "
            "numerpacjenta rodnecislo cislopacienta patientnr kundnummer index serial"),
    Concept("a name", ID,
            "name names", certain=False),
)  # fmt: skip

# Words that make a record number one of a person, who may then have several rows.
_PERSON = (
    "patient pat person people customer client user member subject respondent participant student "
    "employee pupil citizen resident kunde versicherter mitglied proband schuler mitarbeiter personne "
    "eleve adherent paciente persona cliente alumno empleado paziente cittadino aluno klant patienten "
    "pacjent osoba klient pacient zakaznik kund pid mrn case"
)
PERSON = frozenset(_PERSON.split())


def parts_of(column: str) -> list[str]:
    """Return the words of a column name, without accents and capitals: `PatBirthDate` → pat, birth, date."""
    apart = re.sub(r"(?<=[a-zà-ÿ0-9])(?=[A-ZÀ-Þ])", " ", column)
    bare = "".join(c for c in unicodedata.normalize("NFKD", apart.casefold()) if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", bare.replace("ł", "l").replace("ø", "o").replace("æ", "ae"))


def concept_of(column: str) -> Concept | None:
    """Return what a column's name says it holds, None where it says nothing known."""
    parts = parts_of(column)
    joined = "".join(parts)
    # Neighbouring parts together are a word too: `date of birth`, `code_postal`.
    runs = {"".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)}
    for words in (runs, set()):
        for concept in CONCEPTS:
            known = _words(concept)
            if known & words or (not words and any(len(word) > 4 and word in joined for word in known)):
                return concept
    return None


@cache
def _words(concept: Concept) -> frozenset[str]:
    return frozenset(concept.words.split())
