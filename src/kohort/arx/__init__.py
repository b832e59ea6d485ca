"""Projects of ARX, read as plans: roles, hierarchies, promises and settings as far as they map."""

from kohort.arx.project import Project, read_project
from kohort.arx.translation import Translation, translated

__all__ = ["Project", "Translation", "read_project", "translated"]
