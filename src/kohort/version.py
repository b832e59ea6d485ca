"""Which Kohort this is: what it writes of a release follows from the tables, the plan and this.

Reports and manifests can be made again byte for byte by the version that made them, and by no other. So the number is raised
with the first change of their words after a version was published.
"""

__version__ = "0.2.0.dev0"
