"""Where Spark is said to run: masters and Connect servers, refused where nothing can be meant, or nobody answers."""

from __future__ import annotations

import os
import re
import socket
from urllib.parse import SplitResult, urlsplit

from kohort.errors import InputError
from kohort.refusals import reason

MASTERS = ("local", "local[n]", "local[*]", "local[n,m]", "spark://host:port", "yarn", "k8s://host:port")
_PORT, _PATIENCE = 15002, 20.0  # of a Connect server, and seconds
_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy", "HTTPS_PROXY", "HTTP_PROXY")
_N = r"([1-9][0-9]*|\*)"
_LOCAL = rf"local(\[{_N}\]|\[{_N}\s*,\s*[1-9][0-9]*\])?"
_HOST = r"(\[[0-9A-Fa-f:.]+\]|[^\s,:/\[\]@;]+)"
_STANDALONE = rf"spark://{_HOST}:[0-9]+(,{_HOST}:[0-9]+)*"
_MASTER = re.compile(rf"{_LOCAL}|{_STANDALONE}|yarn|k8s://[^\s,;]+")


def check_master(master: str) -> None:
    """Refuse what is no form of a master that Spark knows.

    >>> check_master("local[2]"), check_master("spark://one:7077,other:7077")
    (None, None)
    """
    if not _MASTER.fullmatch(master) or not all(0 < port < 1 << 16 for _, port in masters_of(master)):
        raise InputError(
            f"the master {master!r} is nothing that Spark knows; write it as {', '.join(MASTERS[:-1])} or {MASTERS[-1]}"
            f"{_perhaps_remote(master)}",
            code="cli.option",
            option="master",
            value=master,
            allowed=list(MASTERS),
        )


def _perhaps_remote(master: str) -> str:
    return "; a Connect server is named as remote" if master.startswith("sc:") else ""


def masters_of(master: str) -> list[tuple[str, int]]:
    """Return the hosts and ports at which a standalone master is to be found; none of others.

    >>> masters_of("spark://one:7077,[::1]:7078"), masters_of("local[2]")
    ([('one', 7077), ('::1', 7078)], [])
    """
    if not master.startswith("spark://"):
        return []
    found = (place.rpartition(":") for place in master.removeprefix("spark://").split(","))
    return [(host.strip("[]"), int(port)) for host, _, port in found]


def check_remote(remote: str) -> None:
    """Refuse what is no address of a Connect server; nothing of it is told that only the server should know.

    >>> check_remote("sc://host:15002/;token=secret"), check_remote("sc://host")
    (None, None)
    """
    if _connect(remote) is None and re.fullmatch(_LOCAL, remote) is None:
        raise InputError(
            f"the remote {shown(remote)!r} is no address of a Connect server; write it as sc://host:port, such as "
            f"sc://localhost:{_PORT}",
            code="cli.option",
            option="remote",
            value=shown(remote),
        )


def _connect(remote: str) -> SplitResult | None:
    """Return the parts of an address of a Connect server; None where it is none."""
    if re.fullmatch(r"sc://[^\s/;]+(/(;[^\s;]+)*)?;?", remote) is None:
        return None
    try:
        told = urlsplit(remote)
        is_one = bool(told.hostname) and told.username is None and told.port != 0
    except ValueError:  # of ports and brackets
        return None
    return told if is_one else None


def shown(remote: str) -> str:
    """Return what may be told of an address: neither what is handed to the server nor who asks.

    >>> shown("sc://host:15002/;token=secret"), shown("sc://me:secret@host;a=b")
    ('sc://host:15002', 'sc://host')
    """
    place = remote.partition(";")[0].rstrip("/")
    scheme, between, rest = place.rpartition("://")
    return scheme + between + rest.rpartition("@")[2]


def demand_master(master: str) -> None:
    """Refuse a standalone master that is not there; of several, one must be. Spark would ask for minutes."""
    problems = [problem for host, port in masters_of(master) if (problem := _problem(host, port))]
    if problems and len(problems) == len(masters_of(master)):
        raise _nobody(master, problems[0], "the master")


def demand_server(remote: str) -> None:
    """Refuse a Connect server that is not there; Spark would ask for minutes. Behind a proxy nobody can tell."""
    told = _connect(remote)
    if told is None or told.hostname is None or any(os.environ.get(name) for name in _PROXIES):
        return
    if problem := _problem(told.hostname, told.port or _PORT):
        raise _nobody(shown(remote), problem, "the server")


def _problem(host: str, port: int) -> str | None:
    """Return why nobody answers; None where somebody does."""
    try:
        socket.create_connection((host, port), timeout=_PATIENCE).close()
    except socket.gaierror:
        return "no machine of that name is known here"
    except TimeoutError:
        return f"it says nothing for {_PATIENCE:.0f} seconds"
    except OSError as problem:
        return reason(problem)
    except UnicodeError:
        return "no machine can have that name"
    return None


def _nobody(place: str, why: str, who: str) -> InputError:
    return InputError(
        f"nobody answers at {place} ({why}); see whether {who} is running there, and whether this machine reaches it",
        code="engine.executors",
        engine="spark",
    )
