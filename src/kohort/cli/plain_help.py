"""Commands whose `--help` is shown as the switch that it is, without a type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from typer._click.core import Context
    from typer.core import TyperOption


class PlainCommand(TyperCommand):
    """A command of the command line."""

    def get_help_option(self, ctx: Context) -> TyperOption | None:
        """Return the help option."""
        return _untyped(super().get_help_option(ctx))


class PlainGroup(TyperGroup):
    """The command line itself."""

    def get_help_option(self, ctx: Context) -> TyperOption | None:
        """Return the help option."""
        return _untyped(super().get_help_option(ctx))


def _untyped(option: TyperOption | None) -> TyperOption | None:
    if option is not None:
        option.metavar = ""
    return option
