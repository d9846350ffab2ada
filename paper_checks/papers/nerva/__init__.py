"""*Nerva Libraries Implementation*: its claims, one module per part, in the order of the paper.

Our copy of the paper interleaves columns. It has three blocks of backpropagation equations after the linear dropout
layer. We take the first as that of log-softmax, the second as that of batch normalisation, the third as that of linear
dropout.
"""

from pathlib import Path

from paper_checks import paper

paper(
    "nerva",
    "Nerva Libraries Implementation",
    "W. Wesselink",
    statements=Path(__file__).parent / "statements.txt",
    year=2024,
    headlines=("nerva/sec5.srelu-start", "nerva/sec9.multi-step"),
    finding="the misprints are not errors of our copy: all stand in the paper's LaTeX (nerva-rowwise, commit 8ad2beb, "
    "doc/nerva-libraries-implementation.tex)",
    symbols={
        "x": "input of the activation function, a real number",
        "alpha": "slope of Leaky ReLU or All-ReLU, a real number",
        "a_l": "slope of SReLU on the left",
        "t_l": "threshold of SReLU on the left",
        "a_r": "slope of SReLU on the right",
        "t_r": "threshold of SReLU on the right",
        "e": "constant that avoids division by zero, e > 0",
        "t": "number of steps",
        "a": "lower end of the interval of the weights",
        "b": "upper end of the interval of the weights",
        "D": "number of inputs of the layer",
        "K": "number of outputs of the layer",
        "input_variance": "variance of the inputs",
        "layers": "number of layers",
        "spread": "standard deviation of the weights",
        "h": "learning rate times the curvature of the loss",
        "beta": "momentum parameter, which the paper calls mu",
        "lambda": "argument of the characteristic polynomial of the matrix A of a step",
        "eta_0": "initial learning rate",
        "d": "decay parameter, d > 0",
        "i": "number of the optimisation step",
        "r": "drop rate: the number of steps from one drop to the next",
        "Gamma": "decay parameter of the multi-step scheduler",
        "m_1": "first milestone",
        "m_2": "second milestone",
    },
)

from paper_checks.papers.nerva import (  # noqa: E402, F401, I001
    section_2,
    tables,
    section_4,
    section_5,
    section_6,
    section_7,
    section_8,
    section_9,
    section_1,  # last: its sentences on software are about the equations of the other sections
)
