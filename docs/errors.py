"""Writes docs/errors.md: every code that Kohort raises, its fields and its words, read from the source (`make docs`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import kohort
from kohort.cli.flags import FLAGS
from kohort.error_codes import CODES, FIELDS

SOURCE = Path(kohort.__file__).parent
TARGET = Path(__file__).with_suffix(".md")
EXITS = {
    "InputError": 2,
    "InfeasibleError": 3,
    "VerificationError": 4,
    "UnfinishedError": 6,
    "UnfinishedReleaseError": 2,
}
OWN = ("message", "code")  # what the constructors take that is no field
HEAD = """# Errors

Made by `make docs` from the source; do not edit. Every error of Kohort is a `KohortError` with a message for people, and `code` and `fields` for
scripts. Codes stay; messages get better. A field is there where it is known. Neither holds a cell.

```python
try:
    kohort.anonymize(people, plan)
except kohort.KohortError as error:
    error.code, error.fields  # "plan.unknown-column", {"columns": ["disease"], …}
```

With `--json`, the command line prints `{"error": {"code": …, "message": …, fields…}, "exit_code": …}` on stdout. Messages speak of plan keys and of
arguments; the command line adds the flags of the last column. In the messages below, ‹…› is what differs from case to case. An extension
may have codes of its own; without one its errors are `unnamed`.
"""


@dataclass(frozen=True)
class Raised:
    """One place where an error is made."""

    place: str  # file and line
    kind: str
    code: str | None  # nothing where it is not written there
    fields: tuple[str, ...]
    texts: tuple[str, ...]  # what is written of the message
    message: str
    retold: bool  # an error of another process, as it was told there


def raised() -> list[Raised]:
    """Return every place in the source where an error of Kohort is made."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
        found += [_raised(place, call) for call in calls if _kind(call) in (*EXITS, "KohortError")]
    return found


def _kind(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _raised(place: str, call: ast.Call) -> Raised:
    named = {word.arg: word.value for word in call.keywords if word.arg is not None}
    code, message = named.get("code"), [*call.args, named.get("message")][0]
    fields = [name for name in named if name not in OWN] + ["nearest"] * (len(call.args) > 1)
    fields += ["reason"] * (_kind(call) == "UnfinishedError")
    return Raised(
        f"{place}:{call.lineno}",
        _kind(call),
        code.value if isinstance(code, ast.Constant) and isinstance(code.value, str) else None,
        tuple(fields),
        tuple(_texts(call)),
        "" if message is None else _spelled(message),
        not call.args and any(word.arg is None for word in call.keywords),
    )


def _texts(call: ast.Call) -> Iterator[str]:
    for node in (part for argument in call.args for part in ast.walk(argument)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _spelled(message: ast.expr) -> str:
    """Return a message as it is written, with names for what is put into it."""
    match message:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(_spelled, parts))
        case ast.FormattedValue(value=ast.Name(id=name) | ast.Attribute(attr=name)):
            return f"‹{name}›"
        case ast.FormattedValue(value=ast.Call(func=ast.Name(id="many"), args=[number, *nouns])):
            said = [_spelled(noun) for noun in nouns]
            several = said[1] if len(said) > 1 else f"{said[0]}s"
            return f"{_spelled(ast.FormattedValue(value=number, conversion=-1))} {several}"
        case _:
            return "‹…›"


def text() -> str:
    """Return the page."""
    made = raised()
    parts = [HEAD]
    for area in dict.fromkeys(code.partition(".")[0] for code in CODES):
        parts += [
            f"\n## {area}\n\n| code | what is wrong | exit code | fields | such as | flag |\n|---|---|---|---|---|---|\n"
        ]
        parts += [_row(code, made) for code in CODES if code.startswith(f"{area}.")]
    parts += ["\n## Fields\n\n| field | what it tells |\n|---|---|\n"]
    parts += [f"| `{name}` | {meaning} |\n" for name, meaning in FIELDS.items()]
    return "".join(parts)


def _row(code: str, made: list[Raised]) -> str:
    mine = [one for one in made if one.code == code]
    exits = ", ".join(sorted({str(EXITS[one.kind]) for one in mine}))
    fields = ", ".join(f"`{name}`" for name in sorted({name for one in mine for name in one.fields}))
    example = max((one.message for one in mine), key=lambda said: (_wordy(said), said), default="")
    flag = f"`{FLAGS[code]}`" if code in FLAGS else ""
    return f"| `{code}` | {CODES[code]} | {exits} | {fields} | {example.replace('|', '&#124;')} | {flag} |\n"


def _wordy(said: str) -> float:
    """Rank messages as examples: little that is left open, and not too long."""
    return -said.count("‹…›") - said.count("‹") / 4 - len(said) / 200 - 99 * (len(said) < 20)


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
