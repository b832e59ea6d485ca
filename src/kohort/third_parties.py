"""What other packages add to Kohort's registries: found by their entry points when asked for, never in place of its own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TypeVar, cast

from kohort.card import Card
from kohort.errors import InputError

Item = TypeVar("Item")

GROUPS = (
    "kohort.models", "kohort.metrics", "kohort.algorithms", "kohort.hierarchies", "kohort.engines", "kohort.shapes",
)  # fmt: skip


class ThirdPartyWarning(UserWarning):
    """Something that another package offers is left out, and why."""


@dataclass(frozen=True)
class Offer:
    """An item of another package, which is not loaded yet."""

    name: str
    package: str
    version: str
    module: str
    load: Callable[[], object]

    @property
    def maker(self) -> str:
        """Who made it, in words."""
        return f"{self.package} {self.version}".strip()


_TRIED: dict[tuple[str, str], Offer] = {}  # what `offered` puts beside the installed packages


class Available(Mapping[str, Item]):
    """Kohort's own items of one kind and those that installed packages offer, by name.

    Names of others are read from what is installed, without importing it; an item is imported when it is asked for, and
    whoever asks for a broken one is refused. A name that is Kohort's own, or that two packages offer, is never
    theirs. `load` returns one of Kohort's own by name; `parts` are what an item must have.
    """

    def __init__(self, group: str, own: Collection[str], load: Callable[[str], Item], parts: type) -> None:
        self._group, self._own, self._load_own, self._parts = group, own, load, parts
        self._loaded: dict[str, tuple[Offer, Item]] = {}

    def __getitem__(self, name: str) -> Item:
        if name in self._own:
            return self._load_own(name)
        offers = self._offers()
        if name not in offers:
            raise KeyError(name)
        return self._load(name, offers[name])

    def __contains__(self, name: object) -> bool:
        return name in self._own or (isinstance(name, str) and name in self._offers())

    def __iter__(self) -> Iterator[str]:
        return iter([*self._own, *sorted(self._offers())])

    def __len__(self) -> int:
        return len(self._own) + len(self._offers())

    def usable(self) -> dict[str, Item]:
        """Return all items that can be used; every other is left out with a warning that names its package."""
        found = {name: self._load_own(name) for name in self._own}
        for name, offers in sorted(_installed(self._group).items()):
            if name in self._own:
                _left_out(
                    f"{_makers(offers)} offers {name!r} as one of {self._group}, which is the name of Kohort's own"
                )
        for name, offers in sorted(self._offers().items()):
            try:
                found[name] = self._load(name, offers)
            except InputError as problem:
                _left_out(str(problem))
        return found

    def maker(self, name: str) -> str:
        """Return the package that offers an item, with its version; nothing is said of Kohort's own."""
        return "" if name in self._own else _makers(self._offers().get(name, []))

    def _offers(self) -> dict[str, list[Offer]]:
        return {name: offers for name, offers in _installed(self._group).items() if name not in self._own}

    def _load(self, name: str, offers: list[Offer]) -> Item:
        if len(offers) > 1:
            raise InputError(
                f"{_makers(offers)} offer {name!r} as one of {self._group} both, and neither is taken; remove one of the "
                "packages",
                code="package.same-name",
                value=name,
            )
        offer = offers[0]
        known = self._loaded.get(name)
        if known is None or known[0] is not offer:
            known = offer, self._sound(offer)
            self._loaded[name] = known
        return known[1]

    def _sound(self, offer: Offer) -> Item:
        """Return the item, imported, if it has all its parts."""
        try:
            item = offer.load()
        except Exception as problem:  # whatever the package does wrong must not break Kohort
            raise InputError(
                f"{offer.maker} offers {offer.name!r} as one of {self._group}, which cannot be imported "
                f"({type(problem).__name__}: {problem}); repair or remove the package",
                code="package.broken",
                package=offer.package,
                value=offer.name,
            ) from problem
        wrong = _faults(offer.name, item, self._parts)
        if wrong:
            raise InputError(
                f"{offer.maker} offers {offer.name!r} as one of {self._group}, which {wrong}; kohort.testing tells what is "
                "needed; repair or remove the package",
                code="package.broken",
                package=offer.package,
                value=offer.name,
            )
        return cast(Item, item)


def package_of(kind: type) -> str:
    """Return the package whose code an item is: empty for Kohort's own."""
    return next(iter(packages_of([kind])), "")


def packages_of(kinds: Iterable[type]) -> dict[str, str]:
    """Return the packages whose code items are, with their versions: none for Kohort's own."""
    tops = {_top(kind.__module__) for kind in kinds} - {"kohort"}
    if not tops:
        return {}
    offers = [offer for group in GROUPS for named in _installed(group).values() for offer in named]
    found = {_top(offer.module): (offer.package, offer.version) for offer in reversed(offers)}
    return dict(found.get(top, (top, "")) for top in sorted(tops))


def maker_of(module: str) -> str:
    """Return the package, with its version, whose module this is: empty where none that offers something has it."""
    top = _top(module)
    offers = (offer for group in GROUPS for named in _installed(group).values() for offer in named)
    return next((offer.maker for offer in offers if _top(offer.module) == top != "kohort"), "")


def as_said_by(kind: type, words: str) -> str:
    """Return what an item says of itself, with whose words these are where they are not Kohort's own."""
    package = package_of(kind)
    return f"{words} (as the package {package} says)" if package and words else words


@contextmanager
def offered(
    group: str, kind: type, name: str | None = None, package: str = "not installed"
) -> Iterator[None]:
    """Offer an item as an installed package would, for as long as the block runs: to try it and to test it.

    Its name is what its card says; shapes have none, and are named here.
    """
    if group not in GROUPS:
        raise InputError(
            f"there is no group {group!r} of entry points; the groups are: {', '.join(GROUPS)}",
            code="package.wrong-offer",
            value=group,
            allowed=list(GROUPS),
        )
    name = _named(kind) if name is None else name
    key = (group, name)
    before = _TRIED.get(key)
    _TRIED[key] = Offer(name, package, "", kind.__module__, lambda: kind)
    try:
        yield
    finally:
        del _TRIED[key]
        if before is not None:
            _TRIED[key] = before


def _installed(group: str) -> dict[str, list[Offer]]:
    """Return what packages offer in a group, by name; what is being tried hides an installed one of its name."""
    found: dict[str, list[Offer]] = {}
    for offer in _of_points(group):
        found.setdefault(offer.name, []).append(offer)
    return found | {name: [offer] for (tried, name), offer in _TRIED.items() if tried == group}


@cache
def _of_points(group: str) -> tuple[Offer, ...]:
    found = {}
    for point in entry_points(group=group):
        if point.dist is not None:  # a package that is found twice on the path is one package
            offer = Offer(point.name, point.dist.name, point.dist.version, point.module, point.load)
            found[point.name, point.value, offer.package] = offer
    return tuple(found.values())


def _faults(name: str, item: object, parts: type) -> str:
    """Return what an item lacks, in words; empty where it is whole."""
    wanted = {part for part in (*vars(parts), *parts.__annotations__) if not part.startswith("_")}
    has = {*dir(item), *getattr(item, "__dataclass_fields__", {})}
    if wanted - has:
        return f"lacks {', '.join(sorted(wanted - has))}"
    card = getattr(item, "card", None)
    if "card" in wanted and not isinstance(card, Card):
        return "has no Card as its card"
    if isinstance(card, Card) and card.name != name:
        return f"says {card.name!r} on its card"
    return ""


def _named(kind: type) -> str:
    card = getattr(kind, "card", None)
    if not isinstance(card, Card):
        raise InputError(
            f"{kind.__name__} has no Card as its card; it says the name that plans use",
            code="package.wrong-offer",
        )
    return card.name


def _top(module: str) -> str:
    return module.partition(".")[0]


def _makers(offers: list[Offer]) -> str:
    return " and ".join(sorted(offer.maker for offer in offers))


def _left_out(why: str) -> None:
    warnings.warn(f"left out: {why}", ThirdPartyWarning, stacklevel=3)
