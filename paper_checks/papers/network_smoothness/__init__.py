"""*Controlling Neural Network Smoothness for Neural Algorithmic Reasoning*: its claims, in the order of the paper.

Formulas are proved or refuted. Sentences on trained networks and Gaussian processes are judged by stored runs and by
published numbers. What needs CIFAR-10 or a ResNet9 is open.
"""

from pathlib import Path

from paper_checks import paper

paper(
    "smooth",
    "Controlling Neural Network Smoothness for Neural Algorithmic Reasoning",
    "D. A. Klindt",
    statements=Path(__file__).parent / "statements.txt",
    year=2023,
    venue="Transactions on Machine Learning Research",
    url="https://openreview.net/forum?id=JnsGy9uWtI",
    finding="from 1024 points, least squares on most untrained first layers adds exactly on the disc, but not outside "
    "(smooth/beyond.more-points). The two flat curves of Figure 7 that begin at the initial network would then "
    "mostly begin at zero error. Table 1's Gaussian processes need a fitted amplitude, which the paper does not "
    "state. With the amplitude 1 their test error is 18 times as large at the length scale 5, and 30,000 times at "
    "50 (smooth/beyond.table1.amplitude). Section 3.4 calls the normalisation (7) crucial. In our networks, also "
    "of the paper's 10,000 units, a larger 1/sigma smooths without it as well, if sigma scales the weights or only the "
    "initial weights (smooth/fig14.full). The paper does not say whether the networks of Figure 14 keep sigma. "
    "Those of the authors' code without (7) do not by default, and ours of this kind have 256 units "
    "(smooth/beyond.plain-smooth). The central sentence, that wider networks have more "
    "complex regions of error, is true if changes of sign measure it (smooth/text.error-regions). From 256 to 1024 "
    "units they hardly grow, if they do (smooth/beyond.error-regions.last)",
    headlines=("smooth/text.permutation", "smooth/text.pipeline"),
    symbols={
        "width": "number of hidden units (N in the paper's Table 1)",
        "fan_in": "number of inputs of a layer (N in the paper's eq. (7))",
        "radius": "radius of the disc",
        "weight_scale": "standard deviation of the weights of the first layer",
        "bias_scale": "standard deviation of the biases of the first layer",
        "weight_variance": "variance of the weights of the first layer",
        "bias_variance": "variance of the biases of the first layer",
        "distance_square": "squared distance of the input x from the origin",
        "sigma": "common standard deviation of the weights and the biases of the first layer",
        "length_scale": "length scale of the kernel exp(-d^2/(2 lambda^2))",
        "place": "input x, a real number",
        "product": "prod_i (x - x_i) over the n training points x_i",
        "half": "half of the number of training points, rounded down",
        "correlation": "correlation of two values of a unit or of a process, from -1 to 1",
        "bend": "pi less the angle between two inputs, from 0 to pi",
        "k": "variance of u, the input of a unit",
        "k_other": "variance of u', the input of the same unit at another input x'",
        "covariance": "covariance of u and u'",
        "shared": "value of theory.wide_networks.tanh_covariance for the variances k, k' and the covariance c",
        "unit_kurtosis": "E[phi^4]/E[phi^2]^2 of the output phi of a hidden unit",
        "variance": "variance K(0) of the process",
        "slope_variance": "variance -K''(0) of the slope of the process",
        "across": "E[tanh'(u)^2]: the mean squared slope of a unit for a direction across x, over Var[w]",
        "along": "E[w^2 tanh'(u)^2]/Var[w] for the part w of the weights along x",
        "x": "a real number",
        "d": "number of inputs",
        "low": "lower end of the interval of r': 0 for the disc, 1/4 for the annulus",
        "square": "squared distance from the origin",
    },
)

from paper_checks.papers.network_smoothness import (  # noqa: E402, F401, I001
    section_2, section_3_1, section_3_3, section_3_4, section_3_5, section_4, appendix_a, table_1,
)  # fmt: skip
