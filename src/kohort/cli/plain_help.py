"""Commands whose `--help` is a switch, without a type; what is wrong with their words is an error like others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from typer import BadParameter
from typer.core import TyperCommand, TyperGroup

from kohort.errors import InputError

if TYPE_CHECKING:
    from typer._click.core import Context
    from typer.core import TyperOption

_WRONG_WORDS: Any = BadParameter.__base__  # of typer's own click, or of the one that older versions need


class PlainCommand(TyperCommand):
    """A command of the command line."""

    def get_help_option(self, ctx: Context) -> TyperOption | None:
        """Return the help option."""
        return _untyped(super().get_help_option(ctx))


class PlainGroup(TyperGroup):
    """The command line itself."""

    def make_context(self, *told: Any, **settings: Any) -> Context:
        """Return what the words of a command line come to."""
        with _as_ours():
            return super().make_context(*told, **settings)

    def invoke(self, ctx: Context) -> Any:
        """Run the command that the words name."""
        with _as_ours():
            return super().invoke(ctx)

    def get_help_option(self, ctx: Context) -> TyperOption | None:
        """Return the help option."""
        return _untyped(super().get_help_option(ctx))


def _untyped(option: TyperOption | None) -> TyperOption | None:
    if option is not None:
        option.metavar = ""
    return option


@contextmanager
def _as_ours() -> Iterator[None]:
    """Raise an `InputError` for words that are wrong: it is told as one JSON object where that is asked for, and shown harmless."""
    try:
        yield
    except _WRONG_WORDS as problem:
        if type(problem).__name__ == "NoArgsIsHelpError":  # which is no error of anybody's
            raise
        context, option = problem.ctx, getattr(getattr(problem, "param", None), "name", None)
        help_of = f"; see {context.command_path} --help" if context is not None else ""
        raise InputError(
            f"{problem.format_message().rstrip('.')}{help_of}",
            code="cli.option",
            **({} if option is None else {"option": option}),
        ) from None
