"""How the program ends: every error as a message and an exit code, every signal as whoever sent it expects."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NoReturn

import typer

from kohort.cli.flags import with_flags
from kohort.cli.streams import UnspokenError, give_up_output, own_streams
from kohort.cli.waiting import tell_of_waiting
from kohort.errors import InputError, KohortError, UnfinishedError
from kohort.interrupts import StoppedError, ending, leave_at_once, stop_on_signals
from kohort.stopping import INTERRUPT
from kohort.third_parties import maker_of

UNDONE = {  # what is so where a command is ended by a signal; those that change a ledger or make a release come to no other end
    "anonymize": "nothing was released",
    "demo": "nothing was released",
    "share": "nothing was marked as shared",
    "history": "nothing was marked",
}
UNFINISHED = "it had not come to its end"
DONE = {  # what is so where a command has nothing left but to say so: it says nothing before
    "anonymize": "the release stands",
    "demo": "the release stands",
    "share": "the release is marked as shared",
    "history": "what was to be marked is marked",
    "keygen": "the keys are written",
    "init": "the plan is written",
    "import": "the plan is written",
}


def run_and_end(commands: Callable[[], object]) -> None:
    """Run the command line; an error becomes a message and an exit code, never a traceback with data."""
    with stop_on_signals(), own_streams():
        try:
            tell_of_waiting()
            _run(commands)
        except (KeyboardInterrupt, StoppedError) as end:  # one more, before a word about the first
            sys.exit(_code(end))


def _run(commands: Callable[[], object]) -> None:
    try:
        _run_and_say(commands)
    except UnspokenError as problem:
        _unspoken(problem)
    except (KeyboardInterrupt, StoppedError) as end:
        _ended(end)
    except SystemExit as end:  # typer turns Ctrl-C into a code without a word
        if end.code == 130:
            leave_at_once()
            _complain(_unfinished("interrupted"))
        raise
    except MemoryError:
        _complain("this does not fit in memory; try fewer rows or columns, or more memory")
        sys.exit(1)
    except Exception as problem:
        if (told := ending(problem)) is not None:
            _ended(told)
        if isinstance(problem, KohortError):
            _refused(problem)
        if isinstance(problem, OSError):
            _refused(_by_the_system(problem))
        if os.environ.get("KOHORT_DEBUG"):
            raise
        _complain(_bug(problem))
        sys.exit(1)


def _run_and_say(commands: Callable[[], object]) -> None:
    """Run the command line, and see to it that all it said is out."""
    try:
        commands()
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def _unspoken(problem: UnspokenError) -> NoReturn:
    """Say what a command did that cannot print it; who stopped reading lists knows why."""
    give_up_output()
    done = DONE.get(_command())
    if done is not None or not problem.is_left:
        _complain(f"standard output takes nothing more ({problem}); {done or 'what was found is not told'}")
    sys.exit(1)


def _bug(problem: Exception) -> str:
    """Return where something went wrong that nobody foresaw, and in whose code; its values we keep to ourselves."""
    frames = list(traceback.walk_tb(problem.__traceback__))
    made = [_made(frame) for frame in reversed(frames)]  # the innermost first
    file, line, maker = next((place for place in made if place[2]), made[0])
    whose = f"{maker}, whose code Kohort ran there" if maker else "Kohort"
    return (
        f"unexpected {type(problem).__name__} at {file}:{line}; this is a bug of {whose}. "
        "Set KOHORT_DEBUG=1 to see the traceback (it may quote data)"
    )


def _made(place: tuple[FrameType, int]) -> tuple[str, int, str]:
    """Return file and line of a place in a traceback, and the package that made it where that adds to Kohort."""
    frame, line = place
    return Path(frame.f_code.co_filename).name, line, maker_of(str(frame.f_globals.get("__name__", "")))


def _by_the_system(problem: OSError) -> InputError:
    """Return what the operating system refused as an error of what was asked for."""
    if problem.errno is None:  # of dynamic libraries it says nothing but that it cannot load them
        return InputError(
            "the operating system refuses to load a library; allow more memory (ulimit -v), or install Kohort anew",
            code="system.refused",
        )
    why = os.strerror(problem.errno)
    return InputError(
        f"the operating system refuses ({why}); check the paths that were given, and whether there is room",
        code="system.refused",
    )


def _refused(problem: KohortError) -> NoReturn:
    """Say what is wrong, and end with its code; a search that Ctrl-C ended with nothing in hand is an interrupt."""
    if isinstance(problem, UnfinishedError) and problem.reason == INTERRUPT:
        _ended(KeyboardInterrupt())
    _complain(with_flags(problem))
    if "--json" in sys.argv:
        _tell_json(problem)
    sys.exit(problem.exit_code)


def _ended(end: BaseException) -> NoReturn:
    """End as whoever interrupted or sent the signal expects: by the code that a shell gives to it."""
    leave_at_once()
    _complain(_unfinished("told to stop" if isinstance(end, StoppedError) else "interrupted"))
    sys.exit(_code(end))


def _unfinished(how: str) -> str:
    """Return how a command was ended, and what did not come of it."""
    return f"{how}; {UNDONE.get(_command(), UNFINISHED)}"


def _command() -> str:
    """Return the name of the command: the first word that is no option."""
    return next((word for word in sys.argv[1:] if not word.startswith("-")), "")


def _code(end: BaseException) -> int:
    return 128 + end.number if isinstance(end, StoppedError) else 130


def _tell_json(problem: KohortError) -> None:
    """Print the error as the one object that `--json` promises."""
    import json

    told = {"error": problem.told(), "exit_code": problem.exit_code}
    try:
        typer.echo(json.dumps(told))
    except UnspokenError:  # it was said on stderr
        give_up_output()


def _complain(message: str) -> None:
    from rich.markup import escape

    from kohort.cli.terminal import terminal

    terminal(stderr=True, soft_wrap=True).print(f"[bold red]error:[/] {escape(message)}", highlight=False)
