"""The half of the messy tables that nobody ran before the rules stood."""

from __future__ import annotations

TABLES = (
    """
oncology register | 2
reg_no | @own {} | identifier
yob | @number 1930 1990 | quasi
S | @few f/m | quasi
tumour | few breast/lung/colon/skin | sensitive
tumour_stage | few I/II/III/IV | sensitive
tumour_board | place 10 | quasi
chemo_start | date 3 %d %b %Y | quasi
chemo_chair | code 22 C{:02} | quasi
radiation_phys | people 14 | identifier
histology_ref | own H{}/19 | identifier
survival_m | number 1 90 | sensitive
relapse_wk | code 40 2018-W{:02} | quasi
""",
    """
Sozialamt | 3
Az | @own 50.{} | identifier
Antragst. | @people 110 | identifier
geb. | @date 80 %d.%m.%y | quasi
Ortsteil | @place 16 | quasi
Sozialhilfe | money 6 | sensitive
Sozialhilfe_Bescheid | date 3 %d.%m.%Y | quasi
Sozialhilfe_SB | initials 14 | identifier
Behinderung_GdB | @few 0/30/50/80 | sensitive
Wohngeld_Objekt | @code 70 {}/2 | quasi
Schulden_Gläub. | people 30 | identifier
Zi | few 101/102/204/205/310 | quasi
""",
    """
urgences | 1
no_passage | own {} | identifier
heure_entree | time | quasi
an_nais | number 1930 2018 | quasi
cp_dom | code 45 {:05} | quasi
motif_maladie | few douleur/fièvre/toux/chute | sensitive
maladie_decl | date 1 %d/%m/%y | quasi
chirurgie_salle | code 9 S{} | quasi
chirurgie_op | people 12 | identifier
allergie | few non/pénicilline/latex | sensitive
tension_sys | number 90 190 | sensitive
medecin_trt | people 40 | identifier
""",
    """
HR leavers | 1
wid | own W{} | identifier
DOJ | date 25 %d-%b-%Y | quasi
DOL | date 2 %d-%b-%Y | quasi
mgr | people 30 | identifier
sal_band | few B1/B2/B3/B4/B5 | sensitive
sick_days | few 0/1/2/4/9 | sensitive
pension_prov | place 12 | quasi
pension_ref | own PN{} | identifier
union_rep | people 8 | identifier
disability_adj_site | place 20 | quasi
perf | few 1/2/3/4/5 | sensitive
rsn | few resigned/retired/dismissed/redundant | sensitive
""",
    """
nóminas | 6
nif_t | @own {}K | identifier
antig | @number 1985 2018 | quasi
salario_bruto | money 8 | sensitive
salario_ctro | @place 15 | quasi
salario_fpago | date 1 %d/%m/%Y | quasi
baja_enfermedad | few no/sí | sensitive
enfermedad_mutua | place 10 | quasi
enfermedad_parte | own P-{} | identifier
resp | @people 18 | identifier
cat_prof | @few 01/02/03/05/07 | quasi
sindicato_deleg | people 9 | identifier
""",
    """
ospedale | 2
sdo | own {} | identifier
cod_paz | @own {} | identifier
anno_n | @number 1930 2010 | quasi
sex | @few F/M | quasi
asl | @code 14 {:03} | quasi
diagnosi | few diabete/ipertensione/asma/frattura | sensitive
diagnosi_d | date 2 %d.%m.%Y | quasi
intervento_h | time | quasi
intervento_chir | people 16 | identifier
terapia_letto | code 36 L{:02} | quasi
farmaco_lotto | code 120 {}X | quasi
creatinina | measure 1 0.3 2 | sensitive
""",
    """
GGD | 1
volgnr | own {} | identifier
lft | number 18 95 | quasi
wijknr | code 22 {:02} | quasi
hiv_uitslag | few negatief/positief | sensitive
hiv_afname | date 2 %Y-%m-%d | quasi
hiv_loc | place 12 | quasi
ziekte_melder | people 20 | identifier
inkomen | few laag/midden/hoog | sensitive
inkomen_bron | people 33 | identifier
schuld_dossier | own D{} | identifier
alc_gls | few 0/1/2/3/4 | sensitive
""",
    """
szpital | 3
nr_ks_gl | @own {}/2019 | identifier
ur | @date 80 %d.%m.%Y | quasi
p | @few K/M | quasi
kod_p | @code 50 {:02}-510 | quasi
choroba | few cukrzyca/astma/udar | sensitive
choroba_od | number 1985 2019 | quasi
zabieg_lek | people 15 | identifier
zabieg_sala | few 1A/1B/2A/2C | quasi
zabieg_godz | time | quasi
leki_apteka | place 14 | quasi
koszt | money 7 | sensitive
""",
    """
escola | 2
n_proc | @own {} | identifier
enc_educ | @people 170 | identifier
idd | @number 6 18 | quasi
turma | @few 5A/5B/6A/7C/8B | quasi
nota_mat | number 1 20 | sensitive
exame_sala | code 12 {} | quasi
exame_vigil | people 14 | identifier
bolsa | @few não/sim | sensitive
bolsa_iban | @own PT500000{}11112222 | identifier
terapia_fala | @few não/sim | sensitive
terapia_fala_com | @people 7 | identifier
""",
    """
police | 1
crime_ref | own CR/{}/19 | identifier
offence | few theft/assault/fraud/burglary | sensitive
offence_dt | date 2 %Y-%m-%d %H:%M | quasi
offence_loc | place 30 | quasi
offence_beat | code 25 {}B | quasi
arrest_collar | code 60 PC{:04} | identifier
arrest_day | few Sat/Sun/Fri/Mon/Wed | quasi
victim_init | initials 180 | identifier
sentence_judge | people 11 | identifier
sentence_m | few 0/3/6/12/24 | sensitive
eth | few W1/A2/B3/O9 | quasi
""",
    """
student panel | 4
sid | @own s{} | identifier
coh | @number 2008 2016 | quasi
hsz | @few 1/2/3/4/5 | quasi
dep2 | few 0/1/2/3 | sensitive
bdi_tot | number 0 40 | sensitive
bdi_rater | initials 9 | identifier
therapy_site | few North/South/Harbour/Mill | quasi
ther_yr | number 2010 2019 | quasi
ses4 | @few 1/2/3/4 | quasi
gpa | measure 3 0.4 2 | sensitive
drug_src | place 20 | quasi
""",
    """
Kundenkredite | 2
KdNr | @own {} | identifier
GebJ | @number 1935 2000 | quasi
Kredit | money 9 | sensitive
Kreditberater | people 21 | identifier
Kredit_Fil | code 17 {:03} | quasi
Kreditzusage | date 4 %d.%m.%Y | quasi
Kreditvertrag | own KV{} | identifier
Eink_netto | money 8 | sensitive
Einkommen_AG | place 40 | quasi
SCHUFA | number 50 100 | sensitive
Pfändung_Gericht | place 9 | quasi
""",
)
