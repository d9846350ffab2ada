"""*Decoupling Gating from Linearity*: its claims, one module per part, in the order of the paper.

Our copy of the paper lacks the definition of X-bar and the closed-form solution. We take X-bar to be the matrix whose
rows are the features of the inputs, and the solution to be its pseudo-inverse times y.
"""

from pathlib import Path

from paper_checks import paper

SYMBOLS = {
    "z_w": "x.w, the linear part of a neuron",
    "z_u": "x.u, the argument of the gate of a neuron",
    "d": "number of inputs, at least 1",
    "m": "number of examples, at least 1",
    "k": "number of neurons, at least 1",
    "rank": "rank of X-bar, the matrix of features",
    "inputs_rank": "rank of X, the matrix of inputs",
    "power": "mean square of the predictions",
    "level": "a training loss, above 0",
    "B_1": "bound of the norm |w|_1",
    "B_2": "bound of the norm |w|_2",
    "norm_2": "largest norm |x_i|_2 in the sample",
    "norm_inf": "largest norm |x_i|_inf in the sample",
    "x_i": "an input with an index that nothing defines",
    "x_1": "input of the first example",
    "x_2": "input of the second example",
    "y_1": "label of the first example",
    "y_2": "label of the second example",
    "w": "weight",
    "sigma": "standard deviation of the noise of the labels",
    "beta_norm": "norm of the true weights beta",
    "x": "a value of the random variable, above 0",
    "cap": "cut-off of the excess |w - beta|^2, in units of sigma^2",
    "p": "order of the moment of |w - beta|^2",
    "fan_in": "number of inputs z of the layer",
    "fan_out": "number of outputs y of the layer",
    "var_w": "variance of a weight",
    "input_mean": "mean of an input z",
    "input_variance": "variance of an input z",
}

paper(
    "galu",
    "Decoupling Gating from Linearity",
    "Jonathan Fiat, Eran Malach, Shai Shalev-Shwartz",
    year=2019,
    url="https://arxiv.org/abs/1906.05032",
    finding="the authors' public results have the numbers that our copy of the figures has lost. That they "
    "are those of the figures is inferred from their README. Their losses of random filters follow theorem 1 "
    "(galu/beyond.thm1-authors). For figure 1 they chose the step sizes of all "
    "networks by the test errors, and the scale of GaLU0's filters as well. With the default scale GaLU0 makes more "
    "errors than ReLU at each number of neurons on both data sets (galu/beyond.fig1-choice)",
    headlines=("galu/rank",),
    symbols=SYMBOLS,
    statements=Path(__file__).parent / "statements.txt",
)

from paper_checks.papers.galu import section_1, section_2, section_3  # noqa: E402, F401, I001
from paper_checks.papers.galu import section_4, section_5, section_6  # noqa: E402, F401
