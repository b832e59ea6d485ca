"""What the command line says of names that look alike: always, on stderr, and never which."""

import json

ROWS = "name,zip,age,sex,ill\n" + "".join(
    f"{name},94138,{31 + i},F,{ill}\n"
    for i, (name, ill) in enumerate(
        [("Quixote1", "flu"), ("QUIXOTE1 ", "cold"), ("Quixote2", "flu"), ("Quixote3", "cold")] * 5
    )
)


def test_anonymize_and_audit_say_how_many_names_look_alike(kohort, place):
    (place / "patients.csv").write_text(ROWS, encoding="utf-8")
    plan = (place / "plan.toml").read_text(encoding="utf-8")
    (place / "plan.toml").write_text(
        plan.replace("[input]", '[input]\nrespondent = "name"'), encoding="utf-8"
    )
    commands = (
        ("anonymize", place / "plan.toml", "-o", place / "out"),
        ("anonymize", place / "plan.toml", "-o", place / "out", "--json"),
        ("audit", place / "patients.csv", "--quasi", "zip,age", "--respondent", "name"),
        ("audit", place / "patients.csv", "--quasi", "zip,age", "--respondent", "name", "--json"),
    )
    for command in commands:
        result = kohort(*command)
        assert result.code == 0, result.err
        assert "warning: respondent column 'name': 2 names" in result.err
        assert "quixote" not in (result.out + result.err).lower().replace(str(place).lower(), "")
        if "--json" in command:
            assert len(json.loads(result.out)["warnings"]) == 1
    assert "2 names" not in (place / "out" / "manifest.json").read_text(encoding="utf-8")


def test_init_says_it_of_the_column_it_proposes(kohort, place):
    names = [f"Q{i // 2}" for i in range(40)]
    names[3] = "q1 "
    rows = "".join(f"{name},94138,{20 + i}\n" for i, name in enumerate(names))
    (place / "stays.csv").write_text("patient_id,zip,age\n" + rows, encoding="utf-8")
    result = kohort("init", place / "stays.csv", "-o", place / "new.toml", "--json")
    assert result.code == 0, result.err
    assert 'respondent = "patient_id"' in (place / "new.toml").read_text(encoding="utf-8")
    assert "2 names" in result.err
    assert len(json.loads(result.out)["warnings"]) == 1


def test_nothing_is_said_where_names_differ(kohort, place):
    result = kohort("audit", place / "patients.csv", "--quasi", "zip,age", "--respondent", "name")
    assert result.code == 0
    assert "warning" not in result.err
