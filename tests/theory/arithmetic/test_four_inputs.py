"""What is said to solve the very simple problem does, by the units themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory import nac_mul, nmu
from theory.arithmetic import nac_mul_second_weight, nmu_first_weight, nmu_unwanted_first_weight

A, B = 2.2, 6.0


@given(
    st.floats(-1, 1).filter(lambda w: abs(w) > 1e-6 and abs(A * B * w * w - 1) > 1e-3), st.sampled_from([0, 1e-7, 0.1])
)
def test_a_nac_multiplication_is_exact_on_its_curve(w_1, eps):
    w_2 = nac_mul_second_weight(w_1, A, B, eps)
    output = nac_mul.forward([[w_2, w_2]], [A * w_1, B * w_1], eps)
    assert output[0] == pytest.approx(A * B, rel=1e-9)


@given(st.floats(1e-3, 1))
def test_an_nmu_is_exact_at_both_roots_and_at_most_their_end_is_inside(w_2):
    for root, sign in ((nmu_first_weight(w_2, A, B), 1), (nmu_unwanted_first_weight(w_2, A, B), -1)):
        output = nmu.forward([[w_2, w_2]], [A * root, B * root])
        assert output[0] == pytest.approx(A * B, rel=1e-9)
        assert sign * root >= 1 - 1e-15


def test_small_sums_are_divided_by():
    w_1 = np.linspace(1e-4, 1 / (A * B), 50)
    w_2 = nac_mul_second_weight(w_1, A, B, 0)
    assert (np.diff(w_2) < 0).all()
    assert w_2[0] < 0
    assert w_2[-1] == pytest.approx(-1)
