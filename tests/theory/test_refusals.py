"""A function names the argument that it refuses, what it wants instead and what it got.

What is no number at all is refused by every function: see ``test_arguments``.
"""

import math
import re
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import theory.relu_unit as relu
import theory.signal_propagation as signals
import theory.wide_networks as wide
from theory import activations, arithmetic, galu, initialisation, least_squares, momentum, truncated_normal
from theory.initialisation import dense, smoothness
from theory.momentum.affine_model import path
from theory.nac import gradients as nac, moments as nac_moments, ranges
from theory.nac_mul import error, exact, gradients as nac_mul, lognormal, taylor
from theory.nmu import feasibility, gradients as nmu, raw_moment, second_layer_variance
from theory.numerics.orthants import orthant_probability, orthant_probability_form

regulariser = partial(arithmetic.layer_regulariser, "nau", "bias")
loss_of_an_nmu = partial(arithmetic.nmu_loss, left=[1, 1, 1], right=[0, 1, 1], lower=-1)
threshold = partial(arithmetic.success_threshold, "multiplication", 100, 25, 12)
OF_THE_UNIT = [
    ("w must not be the zero vector", [0.0, 0.0], 1.0, 1.0),
    ("b must be finite", [1.0], np.inf, 1.0),
    ("gamma must be a positive number", [1.0], 0.0, 0.0),
    ("w must have the inputs as its last axis", 1.0, 0.0, 1.0),
    ("w must have the inputs as its last axis, got shape (0,)", [], 1.0, 1.0),
    ("b and the target must fit the leading axes of w", [[1.0], [2.0]], [0.0] * 3, 1.0),
    ("||w|| must be at most 1e+70, got 1e+200", [1e200, 2.0], 1.0, 1.0),
    ("gamma must be a positive number, in", [1.0], 1.0, 1e-200),
    ("b must be finite and at most", [1.0], 1e300, 1.0),
]
OF_ITS_TARGET = [
    ("give either gamma or target_weights=", {}),
    ("give either gamma or target_weights=", {"gamma": 1.0, "target_weights": [1.0]}),
    ("...as many inputs as w", {"target_weights": [1.0, 2.0]}),
    ("target_weights must not be the zero vector", {"target_weights": [0.0]}),
    ("target must be one of linear, relu, got 'cubic'", {"gamma": 1.0, "target": "cubic"}),
]

OF_LAYERS = [
    (initialisation.nau, "fan_in must be an integer in [1, 1000000], got 0; pass the number of inputs", {}, 0, 1),
    (initialisation.linear, "fan_out must be an integer ..., got 1.5; pass the number of outputs", {}, 3, 1.5),
    (initialisation.relu, "fan_out must be an integer", {}, 3, True),
    (initialisation.nmu, "criterion must be one of published, paper, ..., got 'best'", {}, 3, 1, "best"),
    (initialisation.linear, "distribution must be one of uniform, ..., got 'beta'", {"distribution": "beta"}, 3, 1),
    (initialisation.nmu, "input_variance must be a number in ..., got 0", {"input_variance": 0}, 3, 1),
    (initialisation.nmu, "...e^691", {"input_variance": 1e6}, 10**4, 1, "backward"),
    (initialisation.nac_add, "Var[W] must be below 1/2...criterion='published'", {}, 2, 2),
    (initialisation.nac_mul, "Var[W] must be below 1/2, ... got 0.5", {}, 2, 2, "logarithm"),
    (initialisation.nac_mul, "input_mean must be above", {"input_mean": 0.0}, 2, 2),
    (initialisation.nau, "Var[W] must be at most 1/3...published", {}, 2, 2, "glorot"),
    (initialisation.nmu, "...input variances are up to 0.000985273, and 1.00000024 to 3.53885", {}, 10, 1, "forward"),
    (initialisation.nmu, "...criterion='published'", {"input_variance": 9.0}, 10, 2000, "backward"),
    (initialisation.nmu, "...got a product of both gains of", {}, 10, 1, "compromise"),
    (initialisation.galu, "gate must be one of 0-1, logistic", {"gate": "tanh"}, 3, 2),
    (initialisation.convolution, "groups must divide both numbers of channels, got 3 for 64 and 128", {"groups": 3},
     "relu", 64, 128, 9),
]  # fmt: skip
LAWS = (
    initialisation.Uniform(0, 1), initialisation.Normal(1), initialisation.TruncatedNormal(1),
    initialisation.SymmetricBeta(1), initialisation.TwoPoint(0, 1), initialisation.NacWeight(1),
)  # fmt: skip
OWN = signals.Activation("mine", np.sin, np.cos, signals.activation("tanh").moments)

# What is said, who says it, and of which arguments.
REFUSED = [
    # Arithmetic layers and their task.
    ("a < b, got a = 2.0, b = 1.0", exact.exact_mean, 0.5, 2, 1, 0, 1),
    ("got ...mean_z = 0.0", taylor.taylor_mean, 0.1, 0, 0, 1),
    ("factor_moment: order must be an integer in [1, 4], got 5", exact.factor_moment, 5),
    ("order must be an integer in [1, 4], got 0", lognormal.lognormal_moment, 0),
    ("low < high ..., got low = 5, high = 2", error.taylor_sign_changes, 0.2, 1e-8, 5, 2),
    ("r_w must be ..., got -0.2", error.taylor_sign_changes, -0.2, 1e-8),
    ("taylor_sign_change: r_w must ..., got 0.5", error.taylor_sign_change, 0.5, 1e-8),
    ("r_z must be ..., got -1", error.largest_weight_range, -1, 1e-8, 0.01),
    ("raw_moment: order must be an integer in [1, 8], got 9", raw_moment, 9),
    *(("width must be an integer in", second_layer_variance, width) for width in (0, 21, 2.0, True)),
    *(
        (f"{of_order.__name__}: order must be an integer in [1, 16], got", of_order, order)
        for of_order in (nac_moments.tanh_moment, nac_moments.sigmoid_moment, nac_moments.weight_moment)
        for order in (0, -1, 17, 2.0, True, "2")
    ),
    *(
        (f"weight_range: {name} must be a positive integer, got ", ranges.weight_range, *fans)
        for fan in (0, -3, 2.5, 3.0, True, "7", None, np.nan)
        for name, fans in (("fan_in", (fan, 10)), ("fan_out", (10, fan)))
    ),
    ("fan_in + fan_out must be at least 5, got 3 + 1; ... = 0.5 is not attain", ranges.weight_range, 3, 1),
    ("got 1 + 1; ... = 1 is not attainable", ranges.weight_range, [100, 1], 1),
    *(
        ("variance must be in (0, 1/2), got ", ranges.weight_range_for_variance, variance)
        for variance in (0.5, 0.0, -1.0, 0.7, np.nan, np.inf)
    ),
    ("forward: w must have at least 2 axes, got shape (2,)", nmu.forward, [1.0, 2.0], [1.0]),
    ("z must have fan_in = 2 values ... got 1", nmu.weight_gradient, [1.0], [[1.0, 1.0]], [1.0]),
    ("delta must have fan_out = 1 values ... got 2", nmu.input_gradient, [1.0, 1.0], [[1.0]], [1.0]),
    ("leading axes of z", nmu.input_gradient, np.ones((2, 1)), [[1.0]], np.ones((3, 1))),
    ("w must have shape (fan_out, fan_in)", nac.input_gradient, [1.0], np.ones((1, 1, 1))),
    ("forward: eps must be positive where an input is 0", nac_mul.forward, [[1.0]], [0.0], 0.0),
    ("eps must be a number of at least 0", nac_mul.input_gradient, [1.0], [[1.0]], [1.0], -1.0),
    ("eps must be a number of at least 0", nac_mul.weight_gradient, [1.0], [[1.0]], [1.0], [0.1]),
    ("w_hat must be a number in [-350, 350], got 400", nac.parameter_gradients, 1.0, 400.0, 0.0),
    ("weight_variance must be", feasibility.beta_shape, 0.25),
    ("fan_in must be", feasibility.forward_feasible, 0, 1.0),
    ("input_variance must be", feasibility.forward_feasible, 2, -1.0),
    ("fan_out must be", feasibility.backward_feasible, 2, 1.5, 1.0),
    *(
        ("forward_input_variances: fan_in must be an integer in [1, 1000000]", feasibility.forward_input_variances, n)
        for n in (0, -1, 2.0, True, 10**7)
    ),
    ("unit must be", arithmetic.layer_regulariser, "nac", "bias", [[1.0]]),
    ("kind must be", arithmetic.layer_regulariser, "nau", "l1", [[1.0]]),
    ("normalisation must be", partial(regulariser, normalisation="sum"), [[1.0]]),
    ("at least 2 axes", regulariser, [1.0]),
    ("fan_out, fan_in", regulariser, [[[1.0]]]),
    ("fan_out, fan_in", regulariser, np.empty((0, 2))),
    ("at least one weight", arithmetic.sparsity_error),
    ("finite", arithmetic.sparsity_error, [np.inf]),
    ("nmu_residual: ... shapes ... got (3, 3)", partial(loss_of_an_nmu, upper=3), np.zeros((3, 3)), [1, 1]),
    ("population_loss: lower must be below upper", partial(loss_of_an_nmu, upper=-2), np.ones((2, 3)), [1, 1]),
    ("operation must be", partial(arithmetic.linear_residual, operation="division"), [[1, 1]], [1], [1, 1], [0, 1]),
    ("operation must be one of", arithmetic.success_threshold, "division", 100, 25, 12, 2, 6, 1e-4),
    ("overlap <= size_a", arithmetic.success_threshold, "multiplication", 100, 25, 30, 2, 6, 1e-4),
    ("subset_size must be at most input_size", arithmetic.success_threshold, "multiplication", 37, 25, 12, 2, 6, 1e-4),
    ("subset_size must be an integer", arithmetic.success_threshold, "multiplication", 100, 2.5, 12, 2, 6, 1e-4),
    ("lower < upper", threshold, 6, 6, 1e-4),
    ("eps must be", threshold, 2, 6, 0.6),
    ("lower must be", partial(threshold, two_sided=True), -1, 6, 1e-4),
    ("input_size must be", arithmetic.task_sizes, 0, 0.5, 0.5),
    ("subset_ratio must be", arithmetic.task_sizes, 10, 1.5, 0.5),
    ("overlap_ratio must be", arithmetic.task_sizes, 10, 0.5, -0.1),
    ("at least one", arithmetic.task_sizes, 3, 0.25, 0.5),
    ("must fit", arithmetic.task_sizes, 10, 0.8, 0.1),
    # A single ReLU, its target, momentum.
    *((f"{of.__name__}: {says}", of, *given)
      for of in (relu.loss, relu.expected_gradient) for says, *given in OF_THE_UNIT),
    *(
        (f"{of.__name__}: {says}", partial(of, **given), [1.0], 0.0)
        for of in (relu.loss, relu.expected_gradient)
        for says, given in OF_ITS_TARGET
    ),
    ("hessian: ||w|| must be at least 1e-70", relu.hessian, [1e-200], 1e-200, 1.0),
    *((f"{of.__name__}: w must not be the zero vector", of, [0.0], 1.0, 1.0)
      for of in (relu.hessian, relu.gradient_noise_covariance)),
    ("gradient_noise_covariance: gamma must be a positive number", relu.gradient_noise_covariance, [1.0], 1.0, -1.0),
    ("orthant_probability: rho must be in [-1, 1], got 1.5", orthant_probability, 0.0, 1.5),
    *(("orthant_probability: r must", partial(orthant_probability, r=r), 1.0, 0.5)
      for r in (np.nan, -3, 5, -math.sqrt(0.75))),
    ("rho must be", orthant_probability_form, 0.0, 1.0),
    ("loss: w must not be the zero vector", partial(relu.loss, target="relu"), [0.0, 0.0], 1.0, 1.0),
    ("eigenvalues: step_size must be a number in (0, 1e+70], got 0; choose", momentum.eigenvalues, 0.0, 0.5),
    ("eigenvalues: momentum must be a number in [0, 1), got 1; choose", momentum.eigenvalues, 0.1, 1.0),
    ("convention must be one of ema, heavy-ball, got 'nag'", partial(momentum.matrix, convention="nag"), 1, 0),
    ("spectral_radius: curvature must be ..., got -1", partial(momentum.spectral_radius, curvature=-1), 0.1, 0.5),
    ("steps must be an integer in ..., got 1.5", momentum.deviation, 0.1, 0.5, 1.5),
    ("steps must be an integer in [0, 64], got 65", momentum.deviation_after, 65),
    ("w_0 and target_weights must have one shape", path, [1.0], 1.0, [1.0, 2.0], 0.1, 0.5, 1),
    ("step_size_in: convention must be one of", momentum.step_size_in, "nag", 0.1, 0.5),
    ("forward: needs one bias vector per weight matrix, got 1 and 0", relu.forward, [[[1.0]]], [], [1.0]),
    ("layer 1 must have weights (fan_out, 1)", relu.forward, [[[1.0]], [[1.0, 2.0]]], [[1.0], [1.0]], [1.0]),
    ("forward: x must have 1 values on its last axis", relu.forward, [[[1.0]]], [[1.0]], [1.0, 2.0]),
    ("scales: gamma must be a number in (0, 1e+100], got -1", relu.scales, -1.0, 2),
    ("scales: layers must be an integer in [1, 1000000], got 0", relu.scales, 1.0, 0),
    ("factors must be 2 positive numbers of product 4.0", relu.scales, 4.0, 2, [1.0, 2.0]),
    ("step_size_factors: gamma must be ... got 0", relu.step_size_factors, 0, relu.scales(1.0, 1)),
    ("optimiser must be one of gradient, adam, got 'sgd'", relu.step_size_factors, 1.0, relu.scales(1.0, 1), "sgd"),
    ("direction must be 1 finite numbers", relu.far_field, [[[1.0]]], [[1.0]], [1.0, 1.0]),
    ("scaled: by must have 1 factors, got 2", relu.scaled, [[[1.0]]], [[1.0]], relu.scales(4.0, 2)),
    ("sigma must be in [0.0001, 10000], got 0", relu.separatrix, 0.0),
    ("sigma must be at least one value", relu.separatrix, []),
    ("target must be one of linear, relu, got 'cubic'", partial(relu.separatrix, target="cubic"), 1.0),
    ("be in the linear cone b >= 3.09023 ||w||, got b = 0.5", relu.critical_scale, [1.0], 0.5, 0.5, 0.5),
    ("probability must be in (0, 1/2), got 0.7", partial(relu.critical_scale, probability=0.7), [1.0], 5.0, 0.1, 0.9),
    ("critical_scale: w must have the inputs ... got shape ()", relu.critical_scale, 0.5, 2.0, 0.1, 0.9),
    ("critical_scale: step_size must be below 2 for momentum 0, got 2.5", relu.critical_scale, [0.5], 2.0, 2.5, 0.0),
    ("critical_scale: step_size must be below 6 for", relu.critical_scale, [0.5], 2.0, 6.0, 0.5),
    ("survives: step_size must be a number in", relu.survives, [1.0], 1.0, 1.0, 0.0),
    ("survives: steps must be at least 1, got -1", partial(relu.survives, steps=-1), [1.0], 1.0, 1.0, 0.1),
    ("survives: gamma must be a positive number", relu.survives, [1.0], 1.0, -1.0, 0.1),
    ("survives: w must not be the zero vector", relu.survives, [0.0], 1.0, 1.0, 0.1),
    ("survives: w must be a vector", relu.survives, 1.0, 1.0, 1.0, 0.1),
    ("convention", partial(relu.survives, convention="adam"), [1.0], 1.0, 1.0, 0.1),
    ("target must be", partial(relu.survives, target="cubic"), [1.0], 1.0, 1.0, 0.1),
    # Layers and what they do to signals.
    ("softmax: x must have entries", activations.softmax, 1.0),
    ("softmax: axis must be an integer in [-1, 0], got 1", partial(activations.softmax, axis=1), [1.0, 2.0]),
    ("log_softmax: x must be finite", activations.log_softmax, [0.0, np.inf]),
    ("softmax_cross_entropy: t must have the shape", activations.softmax_cross_entropy, [1.0], [1.0, 0.0]),
    ("activation: name must be one of linear, ...got 'swish'", signals.activation, "swish"),
    ("propagate: depth must be", signals.propagate, "relu", 0, 1.0),
    ("propagate: weight_variance must be in ..., got -1", signals.propagate, "relu", 3, -1.0),
    ("propagate: the variance must stay below 1000, got", signals.propagate, "relu", 300, 100.0),
    ("edge_of_chaos: sigmoid at variance = 1 needs a bias variance", signals.edge_of_chaos, "sigmoid", 1.0),
    ("depth_scale: chi must be positive, got 0", signals.depth_scale, 0.0),
    ("covariance: correlation must be in [-0.999999, 1], got 1.5", signals.covariance, "relu", 1.5),
    ("covariance: variance must be in ..., got 1e-06; scale the weights", signals.covariance, "silu", 0.5, 1e-6),
    ("correlation_map: weight_variance must be in ..., got 0", signals.correlation_map, "relu", 0.5, 0.0),
    ("correlate: bias_variance must be in ..., got -1", signals.correlate, "relu", 5, 2.0, -1.0),
    ("correlation_limit: variance must be kept ..., got 3, which", signals.correlation_limit, "tanh", 2.0, 0.0, 3.0),
    ("scale_for: deviation must be above 0 and below 1.1547, ... got 1.2", truncated_normal.scale_for, 1.2),
    ("scale_for: cut must be positive and finite, got -1", truncated_normal.scale_for, 0.5, -1),
    ("alpha", truncated_normal.mean, 1, 0.5),
    ("alpha", truncated_normal.variance, -9, 0),
    ("tanh_second_moment: k must be in (0, 1e+06], got 0; choose a value that is", wide.tanh_second_moment, 0.0),
    ("covariance must have a square of at most k k_other, got 1.1", wide.tanh_covariance, 1, 1, 1.1),
    ("k must be in (0, 100], got 200", wide.tanh_covariance, 200, 1, 0),
    ("bias_scale must be in [1e-150, 1e3], got 0", wide.tanh_zeros_length, 1, 0),
    ("variance of at most 1e6, got 1e+08; go nearer to 0", wide.tanh_zeros_at, 1, 1, 1e4),
    ("fan_in must be a whole number in ..., got 1.5", wide.tanh_gradient_norm, 1.5, 1, 1, 1),
    ("dense: fan_in must be", dense, "relu", 0, 4),
    ("dense: criterion must be one of forward, backward, torch, got 'he'", dense, "relu", 4, 4, "he"),
    ("activation: name must be one of", dense, "swish2", 4, 4),
    ("dense: E[phi'(u)^2] of sign must be above 0 for criterion 'backward', got 0", dense, np.sign, 4, 4, "backward"),
    ("dense: E[phi(u)^2] of zeros_like must be above 0 for criterion 'forward', got 0", dense, np.zeros_like, 4, 4),
    ("dense: variance must be in ... for gelu_tanh, got nan; scale the inputs",
     partial(dense, variance=math.nan), "gelu_tanh", 4, 4),
    ("gain: E[phi(u)^2] of zeros_like must be above 0, got 0", signals.gain, np.zeros_like),
    ("edge_of_chaos: E[phi'(u)^2] of sign must be above 0, got 0", signals.edge_of_chaos, np.sign, 1.0),
    ("model must be a torch.nn.Module, got list", initialisation.report, []),
    ("tolerance must be above 1 and finite, got 1", partial(initialisation.report, tolerance=1), []),
    ("got 2; by zeros sigma can give 0.04... to 1", partial(smoothness, by="zeros"), 2.0, 1),
    ("length_scale must be a number in [0.01, 10000], got 0; scale the inputs", smoothness, 0.0, 1),
    ("fan_in must be an integer in [1, 1000000], got 0; pass the number of inputs", smoothness, 1.0, 0),
    ("nonlinearity must be one of tanh, erf, got 'relu'", partial(smoothness, nonlinearity="relu"), 1.0, 1),
    ("by must be one of extrema, zeros, got 'slopes'", partial(smoothness, by="slopes"), 1.0, 1),
    ("gate_variance must be a number in [0, 1e6], got -1",
     partial(initialisation.galu, gate="logistic", gate_variance=-1), 3, 2),
    ("covariance: ...got 'mine'", signals.covariance, OWN, 0.5),
    *((f"{type(law).__name__}.sample: rng must be a numpy.random.Generator, got 0", law.sample, 0, 3) for law in LAWS),
    ("Uniform.sample: rng must be a numpy.random.Generator, got 0", initialisation.nmu(10, 5).sample, 0, (5, 10)),
    ("population_loss: residual must be a Residual, got <function", arithmetic.population_loss, lambda x: x, 0, 1),
    ("Uniform: high must be at least low = 2, got 1", initialisation.Uniform, 2, 1),
    ("Uniform: high must be at least low = 0, got -1", initialisation.Uniform, 0, np.array([1.0, -1.0])),
    ("Uniform: high must be finite, got nan", initialisation.Uniform, 0, math.nan),
    ("Uniform: low must be a number or an array, got 'a'", initialisation.Uniform, "a", 1),
    ("Uniform.of: variance must be finite and at least 0, got -1", initialisation.Uniform.of, -1),
    ("Uniform.of: mean must be a number or an array, got 'a'", initialisation.Uniform.of, 1, "a"),
    ("Normal: variance must be at least 0, got -1", initialisation.Normal, -1.0),
    ("Normal: variance must be finite, got nan", initialisation.Normal, math.nan),
    ("Normal: mean must be finite, got inf", initialisation.Normal, 1.0, math.inf),
    ("TruncatedNormal: variance must be at least 0, got -1", initialisation.TruncatedNormal, -1.0),
    ("SymmetricBeta: a must be above 0, got -1", initialisation.SymmetricBeta, -1),
    ("TwoPoint: high must be at least low = 1, got 0", initialisation.TwoPoint, 1, 0),
    ("NacWeight: r must be at least 0, got -1", initialisation.NacWeight, -1.0),
    *((f"{unit.__name__}: {says}", partial(unit, **options), *given) for unit, says, options, *given in OF_LAYERS),
    # Least squares.
    ("sigma must be a number in [0, 1e+70], got -1", least_squares.expected_test_loss, -1, 3, 9),
    ("sigma must be ... got 1e+71", least_squares.expected_test_loss, 1e71, 3, 9),
    ("d must be an integer of at least 1, got 0", least_squares.expected_test_loss, 1, 0, 9),
    ("m must be an integer of at least 1, got 2.5", least_squares.expected_test_loss, 1, 3, 2.5),
    ("beta_norm must be a number in [0, 1e+70], got -2", least_squares.expected_test_loss, 1, 3, 9, -2),
    *(("beta_norm must be ... got 1e+200", least_squares.expected_test_loss, 0, 10, m, 1e200) for m in (5, 9, 20)),
    *(("p must be a number in [1e-300, 1), got", least_squares.test_loss_quantile, p, 1, 3, 9)
      for p in (1.0, 0.0, 1e-301, np.nan)),
    # Ranks.
    ("rank: gates must be a matrix of shape (m, k)", galu.rank, [1, 0], 1),
    ("rank: gates must be 0 or 1, got 0.5", galu.rank, [[0.5, 1]], 1),
    ("rank: d must be an integer of at least 1, got 0", galu.rank, [[0, 1]], 0),
    ("rank: d must be an integer", galu.rank, [[0, 1]], 1.5),
    ("rank: gates must be a matrix of shape (m, k), got rows of different lengths", galu.rank, [[0, 1], [1]], 2),
    ("exact_rank: matrix must be of shape (m, n), got shape (1, 1, 1)", galu.exact_rank, [[[1]]]),
    ("features: inputs must be finite numbers, got ...nan", galu.features, [[1, math.nan]], [[1, 1]]),
    ("features: inputs must be finite numbers, got ...1j", galu.features, [[1j]], [[1]]),
    ("features: inputs must be finite numbers, got nan", galu.features, [[Fraction(1), math.nan]], [[1, 1]]),
    ("inputs must be a matrix of shape (m, d), got rows of different", galu.features, [[1, 1], [1]], [[1, 1]]),
    ("inputs must be a matrix of shape (m, d), got shape (2,)", galu.features, [1, 1], [[1, 1]]),
    ("must be of shapes (m, d) and (k, d), got (1, 2) and (1, 1)", galu.features, [[1, 1]], [[1]]),
    ("features: x.u must be below 1.8e308 in size", galu.features, [[1e+200, 1e+200]], [[1e+200, -1e+200]]),
    ("only_first must be an integer, got 1.5", galu.rank_two_filters, 1.5, 2, 3, 2),
    ("rank_two_filters: only_first must be an integer of at least 0, got -1", galu.rank_two_filters, -1, 2, 3, 2),
    ("rank_two_filters: d must be an integer of at least 1, got 0", galu.rank_two_filters, 1, 2, 3, 0),
    ("rank_law: m must be at most 1000 for two filters, got 1001", galu.rank_law, 1001, 2, 2),
    ("rank_law: min(k, m/2) must be at most 100 ... got m = 300, k = 150", galu.rank_law, 300, 2, 150),
    ("full_rank_at_most: m, d, k must be at most 10^7, got m = 3, d = 100000000", galu.full_rank_at_most, 3, 10**8, 2),
    ("needs d <= 2, k <= 2 or m <= 2, got m = 10", galu.expected_train_loss_random, 10, 3, 3),
    *(("exact_rank: entries must be integers or Fraction, got", galu.exact_rank, [[1, entry], [0, 1]])
      for entry in (0.5, math.nan, math.inf, 1j, None, "1")),
    *(
        (f"smallest_k: {says}", partial(function, **options), *given)
        for function in (galu.smallest_k, galu.smallest_k_interval)
        for says, options, *given in (
            ("0-1 gates on R^1 never give a rank above 2, got m = 3", {}, 3, 1, 0.5),
            ("probability must be in (0, 1), got 1.0", {}, 3, 4, 1.0),
            ("m must be an integer of at least 1, got 0", {}, 0, 4, 0.5),
            ("gate must be one of 0-1, logistic, got 'tanh'", {"gate": "tanh"}, 3, 4, 0.5),
            ("draws must be at least 73 ... got 65; take more", {"draws": 65}, 9, 2, 0.9),
            ("draws must be an integer of at least 1, got 0", {"draws": 0}, 9, 2, 0.9),
            ("seed must be an integer of at least 0, got -1", {"seed": -1}, 9, 2, 0.9),
            ("draws must be at most 1000000, got", {}, 9, 2, 1 - 1e-12),
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize(("says", "function", "arguments"), [(says, f, given) for says, f, *given in REFUSED])
def test_what_is_refused_is_named_with_what_is_wanted(says, function, arguments):
    with pytest.raises(ValueError, match=re.escape(says).replace(re.escape("..."), ".*")):
        function(*arguments)
