"""Numbers in notes and captions of the Nerva paper that are not computed there, and the list of its statements."""

import re

import numpy as np
import pytest

from figures.nerva import nerva_mlp
from paper_checks.claims.catalogue import load
from paper_checks.claims.statements import statements
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.nerva import float_forms as forms
from paper_checks.papers.nerva.section_5 import srelu
from paper_checks.papers.nerva.sweeps import DIGITS
from paper_checks.papers.nerva.tables.table_2 import PRINTED_ROWS
from theory.matrix_calculus.arrays import ManyDigits, evaluate

REGISTRY = load(["nerva"])
CLAIMS = {claim.id: claim for claim in REGISTRY.select(["nerva"])}


@pytest.mark.parametrize(("kind", "edge"), [(np.float64, 19), (np.float32, 10)])
def test_one_minus_tanh_squared_is_zero_from_about_19(kind, edge):
    x = np.arange(edge - 3, edge + 5, 0.01).astype(kind)
    values = forms.evaluated(forms.ENTRYWISE["tanh_slope"], x)
    last = float(x[np.flatnonzero(values)[-1]])
    assert abs(last - edge) < 1.5
    assert not values[x > last].any()


def test_runs_that_leave_float64_are_those_of_the_caption():
    rows = np.array(stored_rows(DIGITS))
    lost = (rows[:, :, DIGITS.columns.index("lasted")] < DIGITS.settings["steps"]).sum(1)
    srelu_at_the_larger_rate = len(DIGITS.points) - 1
    assert f"{lost[srelu_at_the_larger_rate]} of {DIGITS.runs} SReLU networks" in nerva_mlp.DETAILS
    assert not lost[:srelu_at_the_larger_rate].any()


def test_accuracies_are_those_of_the_alternative_text():
    *test, srelu = 100 * np.array(stored_rows(DIGITS))[:, :, DIGITS.columns.index("test")]
    by_descent = next(i for i, point in enumerate(DIGITS.points) if point["method"] == "descent")
    medians = np.median(test, axis=1)
    others = np.delete(medians, by_descent)
    assert (
        f"{others.min():.0f} to {others.max():.0f} %, but {medians[by_descent]:.0f} % for gradient descent and "
        f"{np.median(srelu):.0f} % for SReLU at the larger rate, whose runs spread from {srelu.min():.0f} to "
        f"{srelu.max():.0f} %"
    ) in nerva_mlp.ALT.replace("\n", " ")


@pytest.mark.parametrize("column", ["NumPy + JAX", "PyTorch", "TensorFlow", "Eigen"])
def test_each_entry_of_table_2_is_in_one_line_of_the_list(column):
    listed = statements(REGISTRY.papers["nerva"].statements)
    lines = [s.words for s in listed if s.place.startswith("Table 2,") and column in s.place]
    assert sum(int(n) for words in lines for n in re.findall(r"^its (\d+)", words) or ["1"]) == PRINTED_ROWS


def test_inputs_with_a_gradient_at_the_initial_values_of_srelu():
    inputs = np.random.default_rng(20240909).standard_normal(200_000)
    assert abs(np.mean((inputs > 0) & (inputs < 1)) - srelu.SHARE) < 0.005


@pytest.mark.parametrize(("examples", "zero"), [(2, True), (3, False)])
def test_the_gradient_of_batch_normalisation_is_zero_for_two_examples(examples, zero):
    rng, stated = np.random.default_rng(20240909), CLAIMS["nerva/eq25"].evidence[0].printed().stated
    values = {name: rng.uniform(0.2, 1.5, (examples, 4)) for name in ("X", "DZ")}
    found = evaluate(stated, values, {"N": examples, "D": 4}, ManyDigits()).astype(float)
    assert (np.abs(found).max() < 1e-12) == zero
