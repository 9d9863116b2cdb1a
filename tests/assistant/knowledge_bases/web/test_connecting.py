"""Which addresses a request may go to: whatever family and notation they come in, those of the internet at large."""

import ipaddress
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.knowledge_bases.web.connecting import is_public

_PRIVATE = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "224.0.0.0/4",
    "240.0.0.0/4",
]
_NOT_GLOBAL = [
    "::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/32",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "4000::/3",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
]


def addresses_of(networks: list[str]) -> st.SearchStrategy[str]:
    ranges = [(network[0], network[-1]) for network in map(ipaddress.ip_network, networks)]
    return st.one_of([st.integers(int(first), int(last)).map(type(first)).map(str) for first, last in ranges])


def bits(address: str) -> int:
    return int(ipaddress.IPv4Address(address))


def carrying(v4: int, rest: int) -> list[str]:
    """The IPv6 addresses that lead to an IPv4 one by the ways there are; `rest` fills what these leave open."""
    mapped, translated, local = 0xFFFF << 32, 0x64FF9B << 96, 0x64FF9B0001 << 80
    low, relay = rest & (2**64 - 1), 0x20010000 << 96
    isatap = (0x2A00 << 112) | (low << 64)
    numbers = [
        v4,  # "IPv4-compatible"
        mapped | v4,
        translated | v4,
        local | v4,
        local | (v4 >> 16) << 64 | (v4 & 0xFFFF) << 40,  # RFC 6052, behind a prefix of 48 bits
        (0x2002 << 112) | (v4 << 80) | low,  # 6to4
        relay | (low & (2**32 - 1)) << 64 | v4 ^ 0xFFFFFFFF,  # Teredo
        relay | (v4 << 64) | (rest & (2**64 - 1)),  # by way of its server
        isatap | (0x5EFE << 32) | v4,
        isatap | (0x02005EFE << 32) | v4,
    ]
    return [str(ipaddress.IPv6Address(number)) for number in numbers]


@given(addresses_of(_PRIVATE), st.integers(0, 2**128 - 1))
def test_no_address_of_ipv6_that_leads_to_a_private_one_of_ipv4_is_public(address: str, rest: int) -> None:
    assert not is_public(address)
    assert [one for one in carrying(bits(address), rest) if is_public(one)] == []


@given(addresses_of(_NOT_GLOBAL))
def test_of_ipv6_only_global_unicast_is_public(address: str) -> None:
    assert not is_public(address)


@given(st.integers(0, 2**128 - 1).map(ipaddress.IPv6Address))
def test_what_is_public_is_in_the_part_that_is_given_out_or_translated(address: ipaddress.IPv6Address) -> None:
    allowed = map(ipaddress.ip_network, ("2000::/3", "64:ff9b::/96", "::ffff:0:0/96"))
    assert not is_public(str(address)) or any(address in network for network in allowed)


@pytest.mark.parametrize(
    "address",
    ["208.80.154.224", "192.0.1.1", "2620:0:861:ed1a::1", "2a02:ec80:300:ed1a::1", "64:ff9b::208.80.154.224"],
)
def test_hosts_of_the_internet_are_public_also_behind_a_translator(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("written", ["0177.0.0.1", "2130706433", "0x7f.1", "::ffff:7f00:1", "0:0:0:0:0:0:0:1"])
def test_another_notation_of_a_private_address_is_no_way_around(written: str) -> None:
    found = socket.getaddrinfo(written, 80, type=socket.SOCK_STREAM)
    assert not any(is_public(str(address[0])) for *_, address in found)
