"""Philox4x32-10 is the generator of its authors, and different streams have different keys."""

import itertools

import numba
import numpy as np
import pytest

from montecarlo.streams.philox import random_bits, stream

WORD = 0xFFFFFFFF

# kat_vectors of the Random123 distribution, lines "philox4x32 10": counter, key, result.
KNOWN_ANSWERS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def reference(counter, key):
    """The ten rounds in Python's integers, in the notation of the paper (section 3.3)."""
    left_0, right_0, left_1, right_1 = counter[1], counter[0], counter[3], counter[2]
    k0, k1 = key
    for _ in range(10):
        high_0, low_0 = divmod(right_0 * 0xD2511F53, 2**32)
        high_1, low_1 = divmod(right_1 * 0xCD9E8D57, 2**32)
        right_0, left_0, right_1, left_1 = high_1 ^ left_0 ^ k0, low_1, high_0 ^ left_1 ^ k1, low_0
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return [right_0, left_0, right_1, left_1]


@numba.njit(error_model="numpy", nogil=True)
def pairs(key, first, draw, out):
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1] = random_bits(key, first + i, draw)


@pytest.mark.parametrize("answer", KNOWN_ANSWERS)
def test_known_answers(answer):
    (low, high, draw_low, draw_high), key, (w0, w1, w2, w3) = ([int(w, 16) for w in text.split()] for text in answer)
    assert reference((low, high, draw_low, draw_high), key) == [w0, w1, w2, w3]
    sample, draw = np.uint64(high << 32 | low), np.uint64(draw_high << 32 | draw_low)
    assert random_bits(tuple(map(np.uint64, key)), sample, draw) == (w0 << 32 | w1, w2 << 32 | w3)


@pytest.mark.parametrize("first", [0, 2**32 - 50, 2**40 + 7, 2**62])
@pytest.mark.parametrize("draw", [0, 3, 2**32 + 5])
def test_random_bits_are_the_function_at_the_sample_and_draw_index(first, draw):
    """101 samples, across the place where the low word of the index is used up; not a multiple of any vector width."""
    key = stream(5, "test", 2)
    out = np.empty((101, 2), dtype=np.uint64)
    pairs(key, first, draw, out)
    for i, (even, odd) in enumerate(out.tolist()):
        sample = first + i
        counter = [sample & WORD, sample >> 32, draw & WORD, draw >> 32]
        w0, w1, w2, w3 = reference(counter, [int(k) for k in key])
        assert (even, odd) == (w0 << 32 | w1, w2 << 32 | w3)


def test_stream_is_recorded():
    """New values here mean that no stored result can be reproduced."""
    assert [int(k) for k in stream(0, "nau/eq26", 0)] == [0xFC4E98A5, 0x3F986F8C]
    assert [int(k) for k in stream(12345678901234567890123, "ångström", 7, 3)] == [0x7CB1C5C3, 0xBEDC3E60]


def test_every_field_changes_the_key_and_fields_do_not_run_together():
    claims = ["a", "a1", "1a", "", '","', "a, 1", 'a", 1', "b", "A", "é", "e\u0301", "\x00", "\ud800"]
    fields = list(itertools.product([0, 1, 11, 2**64], claims, [0, 1, 11, 111], [1, 11]))
    assert len({stream(*field) for field in fields}) == len(fields)


def test_stream_takes_any_integer_type():
    assert stream(np.int32(4), "a", np.uint8(2), np.int64(1)) == stream(4, "a", 2)
