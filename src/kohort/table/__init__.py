"""Tables about people: roles, columns, reading and writing."""

from kohort.table.roles import Role
from kohort.table.table import Column, Table

__all__ = ["Column", "Role", "Table"]
