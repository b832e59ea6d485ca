"""The half of the messy tables that rules were made by."""

from __future__ import annotations

TABLES = (
    """
ward export, English | 3
PatID | @own P{} | identifier
dob | @date 80 %d/%m/%Y | quasi
sex | @few F/M | quasi
pcode | @code 60 LS{} 4AB | quasi
diagnosis_date | date 3 %d/%m/%Y | quasi
diagnosis | few asthma/flu/COPD/angina/sepsis/gout | sensitive
diagnosed_at | place 30 | quasi
therapy_by | people 25 | identifier
lab result no | own L{} | identifier
lab_result | measure 5 1.5 1 | sensitive
bed | code 40 B{:02} | quasi
""",
    """
Entlassungen | 2
Fallnr | own {} | identifier
PatNr | @own {} | identifier
Gebdat | @date 85 %d.%m.%Y | quasi
G | @few w/m | quasi
Diagnosedatum | date 2 %d.%m.%Y | quasi
HD_ICD | few I10/E11.9/J44.0/F32.1/M54.5 | sensitive
Diagnosearzt | people 30 | identifier
Befundnr | own {} | identifier
Befund | few unauffällig/auffällig/kontrollbedürftig | sensitive
Therapieort | place 12 | quasi
Stat | code 14 {}A | quasi
""",
    """
laboratoire | 2
nip | @own {} | identifier
ddn | @date 80 %d/%m/%Y | quasi
sx | @few F/H | quasi
lieu_diagnostic | place 25 | quasi
date_diag | date 3 %d/%m/%Y | quasi
diagnostic | few grippe/asthme/angine/diabète/migraine | sensitive
traitement_par | people 20 | identifier
resultat_vih | few négatif/positif | sensitive
heure_traitement | time | quasi
glycemie | measure 1 0.2 2 | sensitive
uf | code 18 {:04} | quasi
""",
    """
payroll, English | 1
emp | own {} | identifier
init | initials 200 | identifier
join | date 30 %Y-%m-%d | quasi
salary | money 8 | sensitive
salary_account | own {} | identifier
salary_paid_on | few Monday/Tuesday/Friday/Thursday | quasi
pay_point | place 20 | quasi
bonus_approver | people 15 | identifier
tch | number 1 40 | quasi
bp | few BP1/BP2/BP3/BP4 | quasi
cc | code 24 {:04} | quasi
""",
    """
Lohnliste | 12
Pers.-Nr. | @own {} | identifier
Eintritt | @date 30 %d.%m.%Y | quasi
Gehalt | money 8 | sensitive
Gehaltskonto | @own DE{}00001111222 | identifier
Lohnbüro | place 8 | quasi
Gehaltsmonat | few Januar/Februar/März/April/Mai/Juni | quasi
Steuerklasse | @few 1/4/3/5 | quasi
Abt | @code 15 A{} | quasi
Krankheitstage | few 0/1/2/3/5 | sensitive
Vorgesetzter | @people 20 | identifier
""",
    """
padrón | 1
expediente | own EXP/{} | identifier
f_nac | date 90 %d-%m-%Y | quasi
sexo | few M/V | quasi
cod_mun | code 30 {:05} | quasi
ayuda_importe | money 6 | sensitive
ayuda_fecha | date 2 %d-%m-%Y | quasi
ayuda_tramitador | people 18 | identifier
discapacidad | few no/sí | sensitive
discapacidad_grado | few 33/45/65/75 | sensitive
barriada | place 25 | quasi
observ | remark | identifier
""",
    """
scuola | 2
matr | @own {} | identifier
alunno | @people 160 | identifier
nasc | @date 15 %d/%m/%Y | quasi
classe | @few 1A/1B/2A/2B/3A/3C | quasi
voto | number 4 10 | sensitive
voto_data | date 1 %d/%m/%Y | quasi
voto_docente | people 22 | identifier
esame_aula | code 15 {} | quasi
diagnosi_DSA | @few no/dislessia/discalculia | sensitive
diagnosi_presso | @place 14 | quasi
""",
    """
huisarts | 3
patnr | @own {} | identifier
gebdat | @date 80 %d-%m-%Y | quasi
gesl | @few V/M | quasi
pc4 | @number 1011 1099 | quasi
icpc | few T90/K86/R96/P76/L03 | sensitive
diagnose_datum | date 4 %d-%m-%Y | quasi
medicijn | few metformine/paracetamol/salbutamol/sertraline | sensitive
medicijn_voorschrijver | people 12 | identifier
recept nr | own R{} | identifier
behandelkamer | code 9 K{} | quasi
""",
    """
przychodnia | 1
lp | own {} | identifier
nazw | people 300 | identifier
rok_ur | number 1935 2010 | quasi
plec | few K/M | quasi
rozpoznanie | few grypa/astma/cukrzyca/angina | sensitive
data_rozpoznania | date 3 %Y.%m.%d | quasi
lekarz | people 20 | identifier
miejsce_leczenia | place 18 | quasi
nr_badania | own B/{} | identifier
wynik_badania | measure 80 20 0 | sensitive
""",
    """
survey wave, codes | 1
x1 | few 1/2 | quasi
q12 | number 18 90 | quasi
var3 | code 16 {} | quasi
dx2 | few 1/2/3/4/5 | quasi
hiv2 | place 20 | quasi
inc1 | code 30 {:04} | quasi
vote9 | few 1/2/3/4 | sensitive
dep7 | number 1 60 | quasi
relig_ctr | place 15 | quasi
sat3 | few 10:00/11:30/14:15/16:45 | quasi
""",
    """
bank loans | 2
cust | @own {} | identifier
loan_ref | own LN{} | identifier
loan_amt | money 9 | sensitive
loan_officer | people 25 | identifier
loan_branch | code 20 {:03} | quasi
loan_start | date 5 %m/%d/%Y | quasi
debt_collector | people 9 | identifier
credit_city | place 25 | quasi
income_yr | number 2010 2020 | quasi
bal | money 7 | sensitive
""",
    """
segurança social | 1
niss | own {}0000 | identifier
dt_nasc | date 80 %d/%m/%Y | quasi
sx | few F/M | quasi
freguesia | place 28 | quasi
subsidio_valor | money 6 | sensitive
subsidio_balcao | code 19 {:03} | quasi
subsidio_mes | few janeiro/fevereiro/março/abril/maio | quasi
doenca | few não/sim | sensitive
doenca_desde | number 1990 2020 | quasi
medico_fam | people 24 | identifier
""",
    """
vaccination list | 2
surn | @people 180 | identifier
born | @date 70 %Y%m%d | quasi
gender | @few female/male/x | quasi
vaccine | few Comirnaty/Spikevax/Vaxzevria | sensitive
vaccine_lot | code 60 LT{:04} | quasi
vaccine_nurse | people 16 | identifier
vaccine_time | time | quasi
covid_test_place | place 16 | quasi
covid_test | few negative/positive | sensitive
covid_test_tel | own 0171{} | identifier
next | date 1 %Y%m%d | quasi
""",
)
