"""Philox4x32-10: random numbers as a function of a key and a counter.

There is no generator state. A draw is the value of a bijection at (sample index, draw index) under a key, so that
any worker can compute any sample in any order and gets the same bits.

References
----------
J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

import hashlib
import json
import operator

import numpy as np

from montecarlo.streams.instructions import inlined

Stream = tuple[np.uint64, np.uint64]
"""The two 32-bit words of a Philox key, each in a uint64. Kernels take one as their first argument."""


def _integer(argument, value, least):
    """`value` as a Python int of at least `least`, or an error that names `argument`."""
    try:
        value = operator.index(value)
    except TypeError:
        raise ValueError(f"stream: {argument} must be an integer, got {value!r}; convert it with int()") from None
    if value < least:
        raise ValueError(f"stream: {argument} must be an integer >= {least}, got {value}; count from {least}")
    return value


def stream(master_seed: int, claim: str, point: int, version: int = 1) -> Stream:
    """The key of one parameter point of one claim.

    key = first 64 bits of blake2b over the four fields in an encoding that no two different quadruples share.
    Two streams have the same key with probability 2**-64: among a million streams a collision has probability 3e-8.

    Parameters
    ----------
    master_seed : int
        At least 0, of any size; chosen by the user.
    claim : str
        Claim id.
    point : int
        Index of the parameter point, from 0.
    version : int, default 1
        To be raised when a kernel changes its use of draws, so that its new results are independent of the old ones.

    Returns
    -------
    Stream

    Raises
    ------
    ValueError
        When a number is not an integer or too small, or the claim is not a string.

    Examples
    --------
    >>> [hex(word) for word in stream(0, "nau/eq26", 0)]
    ['0xfc4e98a5', '0x3f986f8c']
    """
    if not isinstance(claim, str):
        raise ValueError(f"stream: claim must be a string, got {claim!r}; pass the claim id")
    fields = [
        _integer("master_seed", master_seed, 0),
        claim,
        _integer("point", point, 0),
        _integer("version", version, 1),
    ]
    # JSON quotes the string and separates the fields: ("a", 11) and ("a1", 1) cannot meet.
    encoded = json.dumps(fields).encode("ascii")
    digest = hashlib.blake2b(encoded, digest_size=8, person=b"paper-checks").digest()
    return np.uint64(int.from_bytes(digest[:4], "little")), np.uint64(int.from_bytes(digest[4:], "little"))


# 32-bit words live in uint64 lanes: one vector instruction gives the full 64-bit product of two of them.
# Between rounds the upper half of a lane is left dirty; LLVM sees that a masked factor needs no instruction.
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)
_WORD = np.uint64(0xFFFFFFFF)
_U32 = np.uint64(32)


@inlined
def _round(c0, c1, c2, c3, k0, k1):
    """One round, and the key of the next."""
    p0 = _MULTIPLIER_0 * (c0 & _WORD)
    p1 = _MULTIPLIER_1 * (c2 & _WORD)
    return (p1 >> _U32) ^ c1 ^ k0, p1, (p0 >> _U32) ^ c3 ^ k1, p0, k0 + _WEYL_0, k1 + _WEYL_1


@inlined
def _three_rounds(c0, c1, c2, c3, k0, k1):
    """Written out: LLVM does not vectorise around an inner loop."""
    state = _round(c0, c1, c2, c3, k0, k1)
    state = _round(*state)
    return _round(*state)


@inlined
def _nine_rounds(c0, c1, c2, c3, k0, k1):
    """All rounds but the last, and its key."""
    state = _three_rounds(c0, c1, c2, c3, k0, k1)
    state = _three_rounds(*state)
    return _three_rounds(*state)


@inlined
def random_bits(stream, sample, draw):
    """128 random bits of one sample and draw: Philox4x32-10 at counter (sample low, high, draw low, high).

    Parameters
    ----------
    stream : Stream
    sample, draw : integer
        Indices in [0, 2**63).

    Returns
    -------
    tuple of two uint64
        Words 0 and 1, words 2 and 3 of the result, the even word in the upper half.
    """
    sample = np.uint64(sample)
    draw = np.uint64(draw)
    c0, c1, c2, c3, k0, k1 = _nine_rounds(sample, sample >> _U32, draw, draw >> _U32, stream[0], stream[1])
    # The last round gives (p1 >> 32) ^ c1 ^ k0 and the low half of p1: joined, they are p1 with its upper half changed.
    p0 = _MULTIPLIER_0 * (c0 & _WORD)
    p1 = _MULTIPLIER_1 * (c2 & _WORD)
    return p1 ^ ((c1 ^ k0) << _U32), p0 ^ ((c3 ^ k1) << _U32)
