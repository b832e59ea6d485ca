"""The commands that list what a plan or a command can name, one for each registry."""

from __future__ import annotations

from kohort.cli.json_option import Json


def algorithms(json: Json = False) -> None:
    """List the algorithms: taxonomy, guarantee, truthful or perturbed, paper."""
    _registry("algorithms", json)


def models(json: Json = False) -> None:
    """List the privacy models that a plan can require."""
    _registry("models", json)


def metrics(json: Json = False) -> None:
    """List the quality metrics: each can be the objective, one that needs a target where the plan names it."""
    _registry("metrics", json)


def hierarchies(json: Json = False) -> None:
    """List the kinds of hierarchy that a column can have."""
    _registry("hierarchies", json)


def shapes(json: Json = False) -> None:
    """List the shapes of data that a plan can be about."""
    _registry("shapes", json)


def engines(json: Json = False) -> None:
    """List the engines: where the rows are kept meanwhile."""
    _registry("engines", json)


LISTINGS = (algorithms, models, metrics, hierarchies, shapes, engines)


def _registry(kind: str, json: bool) -> None:
    from kohort.cli.registries import run

    run(kind, json)
