"""How the command line says what library errors ask for: messages speak of arguments and keys, here stand the flags."""

from __future__ import annotations

import re
from shlex import quote

from kohort.errors import KohortError
from kohort.toml import toml_key

# an engine without a bound refuses --memory: what it may hold here follows from the machine
_MORE = "--memory 4GB with --engine duckdb; without it half of this machine's memory is taken"

FLAGS = {
    "attack.engine": "--engine NAME",
    "attack.no-link": "--on zip,sex",
    "attack.no-meaning": "--plan PLAN",
    "audit.columns": "--quasi a,b,c or --plan PLAN",
    "compare.time-limit": "--time-limit SECONDS",
    "engine.format": "--engine memory",
    "engine.memory": "--memory 4GB with --engine duckdb",
    "engine.needs-rows": "--engine memory",
    "engine.no-bottom": _MORE,
    "engine.out-of-memory": _MORE,
    "explain.original": "--original TABLE",
    "explain.which-row": "--row N or --id ID",
    "infeasible.together": "kohort history --withdraw ID",
    "ledger.gives-away": "--anyway",
    "ledger.missing": "--ledger FILE",
    "ledger.not-shared": "--ledger FILE where another ledger has it; kohort history --shared ID if somebody has it already",
    "ledger.unknown-release": "kohort history",
    "plan.no-k": "--k 5,10",
    "plan.setting": "--set KEY=VALUE",
    "plan.undecided": "for one run --set columns.NAME.decided=true, or --set columns.NAME=identifier; "
    "kohort init --guard where nothing is known of columns",
    "release.busy": "-o DIR",
    "release.folder": "-o DIR",
    "table.header-unclear": "--header or --no-header of kohort init and kohort audit",
    "table.no-room": "--memory 4GB with --engine duckdb",
    "table.several-parts": "--table NAME of kohort init and kohort audit, or --set input.table=NAME of a plan",
    "table.title": "--skip N of kohort init and kohort audit",
    "verify.no-plan": "--plan PLAN",
}
NEEDS = {  # what attacks lack, in their words
    "an outside table": "--with TABLE --on a,b",
    "a second release": "--second DIR",
}


def with_flags(problem: KohortError) -> str:
    """Return the message, with the flag by which this command line takes what it asks for."""
    flag = FLAGS.get(problem.code)
    return str(problem) if flag is None else f"{problem} (on the command line: {_literal(flag, problem)})"


def _literal(flag: str, problem: KohortError) -> str:
    """Return a flag with the first of the columns that an error is about in place of NAME, as a shell takes it."""
    columns = problem.fields.get("columns")
    name = toml_key(str(columns[0])) if isinstance(columns, list) and columns else "NAME"
    return re.sub(r"columns\.NAME[^,;\s]*", lambda found: quote(found[0].replace("NAME", name)), flag)


def needed(reason: str) -> str:
    """Return what an attack lacks, with the flags by which it is given."""
    flags = [flag for said, flag in NEEDS.items() if said in reason]
    return f"{reason} ({', '.join(flags)})" if flags else reason
