"""Which network addresses the server may ask: those that anybody can reach, and those it was told.

A name is resolved once, all its addresses are looked at, and who connects takes one of these:
whatever a name server says the next moment is not asked for.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from askpoint.errors import InputError

__all__ = ["PUBLIC", "Reach", "RefusedAddressError", "is_public", "read_network"]

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# Of IANA's special-purpose registries, what Python versions do not all know, and what leads to
# other addresses: relays, and IPv4 inside of IPv6.
_SPECIAL = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24"),
        *("192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
        *("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"),
    )
)
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")  # all else of IPv6 is somebody's own


class RefusedAddressError(Exception):
    """An address that must not be reached; the message does not say what it is."""


def is_public(address: str) -> bool:
    """Tell whether an address in numbers is one that anybody can reach."""
    if "%" in address:  # of one link
        return False
    ip = ipaddress.ip_address(address)
    if any(ip in network for network in _SPECIAL if network.version == ip.version):
        return False
    return ip.is_global and (ip.version == 4 or ip in _GLOBAL_UNICAST)


def read_network(text: str) -> _Network:
    """Return a network, or one address, as it is named at the start of the server.

    Raises
    ------
    InputError
        If it is none.
    """
    try:
        return ipaddress.ip_network(text.strip().strip("[]"))
    except ValueError:
        raise InputError(
            f"a network is an address or a range like 127.0.0.1, 10.1.0.0/16 or fd00::/8; got {text!r}"
        ) from None


_Resolve = Callable[[str, int], Iterable[str]]


def _look_up(host: str, port: int) -> list[str]:
    found: list[tuple[Any, ...]] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


@dataclass(frozen=True)
class Reach:
    """What may be reached: public addresses, and named networks.

    Parameters
    ----------
    networks : tuple of networks, default=()
        Private ones that whoever runs the server has named.
    named_only : bool, default=False
        Whether only the named networks may be reached.
    ports : frozenset of int, optional
        Only these.
    resolve : callable, optional
        From host and port to addresses in numbers.
    """

    networks: tuple[_Network, ...] = ()
    named_only: bool = False
    ports: frozenset[int] | None = None
    resolve: _Resolve = field(default=_look_up, repr=False)

    def addresses(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host, all of which may be reached.

        Raises
        ------
        RefusedAddressError
            If one of them may not be: then none may.
        OSError
            If there is none.
        """
        if self.ports is not None and port not in self.ports:
            allowed = " and ".join(map(str, sorted(self.ports)))
            raise RefusedAddressError(f"only the ports {allowed} are asked")
        found = list(dict.fromkeys(self.resolve(host, port)))
        if not found:
            raise OSError("the name has no address")
        if not all(map(self.may_reach, found)):
            raise RefusedAddressError("the address is not one that anybody can reach")
        return found

    def may_reach(self, address: str) -> bool:
        """Tell whether an address in numbers may be reached."""
        ip = ipaddress.ip_address(address.partition("%")[0])
        if any(ip in network for network in self.networks if network.version == ip.version):
            return True
        return not self.named_only and is_public(address) and not _is_own(address)


def _is_own(address: str) -> bool:
    """Tell whether it is this machine's own: what a firewall hides from others is open to itself."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as wire:
            wire.bind((address, 0))
    except OSError:
        return False
    return True


PUBLIC = Reach()
"""Whatever anybody can reach, and nothing else."""
