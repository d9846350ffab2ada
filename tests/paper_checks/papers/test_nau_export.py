"""The order of rows after R's merge: an unstable Shell sort, written out beside the one that sorts chains at once."""

import numpy as np
import pytest

from paper_checks.papers.neural_arithmetic_units import merge_order
from paper_checks.papers.neural_arithmetic_units.exported import SETTINGS, all_figures, done, table_cells
from paper_checks.papers.neural_arithmetic_units.merge_order import gaps, looks_as_merged, merge_sort, read_solved
from paper_checks.rules.strata import p_value


def by_insertion(codes):
    """Row numbers after a Shell sort, one element at a time."""
    codes, rows = list(codes), list(range(len(codes)))
    for h in gaps(len(codes)):
        for i in range(h, len(codes)):
            j = i
            while j >= h and codes[rows[j - h]] > codes[rows[j]]:
                rows[j - h], rows[j] = rows[j], rows[j - h]
                j -= h
    return np.array(rows)


@pytest.mark.parametrize("n", [1, 2, 8, 9, 36, 37, 500])
@pytest.mark.parametrize("keys", [1, 2, 3, 7])
def test_chains_at_once_are_sorted_as_one_element_after_the_other(n, keys):
    codes = np.random.default_rng([n, keys]).integers(keys, size=n)
    assert (merge_sort(codes) == by_insertion(codes)).all()


@pytest.mark.parametrize("n", [9, 100, 1000])
def test_keys_are_sorted_but_rows_of_one_key_change_places(n):
    codes = np.tile([2, 0, 1], n)
    merged, stable = merge_sort(codes), merge_order.stable_sort(codes)
    assert (codes[merged] == np.sort(codes)).all()
    assert (codes[stable] == np.sort(codes)).all()
    assert all((np.diff(stable[codes[stable] == key]) > 0).all() for key in range(3))
    assert any((np.diff(merged[codes[merged] == key]) < 0).any() for key in range(3))


def test_the_largest_gap_is_the_first_above_a_ninth():
    assert [gaps(n)[0] for n in (1, 8, 9, 35, 36, 1_200_240)] == [1, 1, 4, 4, 13, 265_720]


@pytest.mark.parametrize("blocks", [[0] * 50, [0] * 20 + [1] * 30, [0] * 9 + [1] * 18 + [2] * 27])
def test_keys_in_blocks_keep_their_order(blocks):
    assert (merge_sort(blocks) == np.arange(len(blocks))).all()


def test_names_are_sorted_by_punctuation_digits_letters():
    names = ["s1", "sa", "s-1", "s_1", "s.1", "s10"]
    assert merge_order.collated(names) == ["s_1", "s-1", "s.1", "s1", "s10", "sa"]


def test_every_look_of_every_run_comes_once():
    for keys in (merge_order.table_5(), *map(merge_order.figure, merge_order.FIGURES)):
        merged = looks_as_merged(keys, looks=50)
        assert merged.keys() == keys.keys()
        assert all((np.sort(looks) == np.arange(50)).all() for looks in merged.values())


def test_a_table_has_a_run_of_each_model_operation_and_seed():
    assert len(merge_order.table_5()) == 8 * 3 * 10
    runs = [3 * len(settings) * 10 for settings in SETTINGS.values()]
    assert [len(merge_order.figure(number)) for number in merge_order.FIGURES] == runs


def test_the_order_is_that_of_the_operations_by_name():
    looks = looks_as_merged(merge_order.table_5())
    assert all((np.diff(looks[merge_order.run_name("nau", "subtraction", seed=s)]) > 0).all() for s in range(10))
    assert not all((np.diff(looks[merge_order.run_name("nau", "addition", seed=s)]) > 0).all() for s in range(10))


def test_a_run_is_read_by_the_order_of_its_looks():
    order = np.array([4, 2, 3, 0, 1])
    assert read_solved(order, 2000, last=3) == 4000
    assert read_solved(order, 2000, last=2) == np.inf
    assert read_solved(np.arange(5), 2000, last=1) == 2000
    assert read_solved(np.arange(5), np.inf) == np.inf


def test_a_stable_sort_reads_runs_as_they_were_trained():
    from paper_checks.experiments.stored import stored_rows

    def stable(keys):
        return looks_as_merged(keys, sort=merge_order.stable_sort)

    for cell in table_cells(stored_rows, stable) + all_figures(stored_rows, stable):
        assert cell.in_order
        assert (done(cell.exported) == done(cell.trained)).all()
        assert np.isfinite(cell.expected).mean() == np.isfinite(cell.trained).mean()


def test_runs_may_have_fewer_looks_than_others():
    merged = looks_as_merged({"a": "+", "b": "-", "c": "+"}, looks={"a": 5, "b": 3, "c": 4})
    assert {name: sorted(looks.tolist()) for name, looks in merged.items()} == {
        "a": [0, 1, 2, 3, 4], "b": [0, 1, 2], "c": [0, 1, 2, 3],
    }  # fmt: skip


def test_three_failures_of_ten_beside_none_are_no_significant_difference():
    assert round(p_value(3, 10, 0, 10), 2) == 0.21
