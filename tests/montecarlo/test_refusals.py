"""What is not possible is refused in words that name the argument, what it must be and what it is."""

import math
import re
from functools import partial

import numpy as np
import pytest
from kernels_for_tests import area, rows_of, training, triple, uniform

from montecarlo import Job, Sweep, covariance, estimate, generator, kernel, mean, moment, sampler, variance
from montecarlo.descent.fields import gradient
from montecarlo.descent.minibatches import descend_on_minibatches
from montecarlo.descent.relu_unit import Method, descend
from montecarlo.engine.moments import Moments, merge_tree
from montecarlo.streams.philox import stream
from montecarlo.training import galu
from montecarlo.training.arithmetic import looks, runs, starts
from montecarlo.training.networks import Network
from montecarlo.training.optimisers import SGD, Adam
from montecarlo.training.perceptron import Perceptron
from montecarlo.training.regression import batches
from montecarlo.training.scaled_targets import deep_network, regression_data
from montecarlo.training.smooth import interpolation
from montecarlo.training.smooth.classifiers import Classifier
from montecarlo.training.smooth.runs import answers, started
from montecarlo.training.smooth.tanh_addition import trained
from montecarlo.training.smooth.tanh_networks import TanhNetwork

RNG, POINT, STEP = np.random.default_rng(1), {"slope": 0.5, "shift": 3}, Method(0.1)
KEY = (0, 0)
DEEP = {"seed": 7, "data": "relu", "gamma": 4.0**-2, "width": 4, "law": "uniform", "batch": 32, "momentum": 0.9,
        "depth": 1, "residual": 0, "step_size": 1.0, "optimiser": "lbfgs"}  # fmt: skip
TINY = {
    "operation": "division", "lower": 1.0, "upper": 2.0, "test_lower": 2.0, "test_upper": 6.0, "eps": 1e-7,
    "threshold": 2.16e-4, "every": 1000, "last": 4, "observations": 300, "step_size": 1e-3, "bias": 0.1, "oob": 1.0,
    "ramp": 1e4, "single": 0, "nac_range_1": 2.0, "nac_range_2": 2.0, "model": "nmu", "steps": looks.LOOKS,
}  # fmt: skip
ESTIMATED = partial(estimate, mean(uniform))
SWEEP = {"name": "tests/training", "says": "a training run", "play": training, "runs": 7,
         "points": [{"step_size": 0.1, "law": "normal"}], "settings": {"steps": 20}}  # fmt: skip


def named(stream, first, law: str, out):
    pass


def job(statistic, point):
    return Job(statistic, point, "t").key()


def closure(scale):
    return lambda rng, n: scale * rng.random(n), lambda stream, first, out: scale


# What is said, who says it, and of which arguments.
REFUSED = [
    # Streams, kernels and samplers.
    ("master_seed must be an integer >= 0, got -1", stream, -1, "a", 0),
    ("master_seed must be an integer, got 1.5", stream, 1.5, "a", 0),
    ("point must be an integer >= 0, got -1", stream, 0, "a", -1),
    ("point must be an integer, got None", stream, 0, "a", None),
    ("version must be an integer >= 1, got 0", stream, 0, "a", 0, 0),
    ("claim must be a string, got b'a'", stream, 0, b"a", 0),
    ("sample must be at least 0", generator, KEY, -1),
    ("['scale']", kernel, closure(2.0)[1]),
    ("must take", kernel, lambda first, stream, out: None),
    ("use simulator", kernel, named),
    ("must not use local variables", sampler, closure(2.0)[0]),
    ("must take (rng, n, <parameters>), got ['stream', 'first', 'out']", sampler, lambda stream, first, out: None),
    *((says, partial(sampler, **option), lambda rng, n: rng.random(n)) for says, option in (
        ("framework must be one of numpy, torch, jax, got 'tensorflow'", {"framework": "tensorflow"}),
        ("batch must be in 1, ", {"batch": -1}), ("columns must be in 1, ", {"columns": 0}),
    )),
    # Statistics, jobs, sweeps.
    ("mean: column must be below 1 for ...uniform, got 1", mean, uniform, 1),
    ("variance: column ... below 3 ... got -1", variance, triple, -1),
    ("covariance: column ... below 3 ... got 3", covariance, triple, 0, 3),
    ("covariance: column ... got 1", covariance, uniform),
    ("moment: order...at least 1, got 0", moment, uniform, 0),
    ("moment: order ... got -2", moment, uniform, -2),
    ("moment: order ... whole number ... got 1.5", moment, uniform, 1.5),
    ("moment: order ... got 2.5", job, moment(uniform, "k"), {"k": 2.5}),
    ("lacks 'k', got ['j']", job, moment(uniform, "k"), {"j": 2}),
    ("area...lacks ['side']", job, mean(area), {}),
    ("shift must be an integer, got 0.5", job, mean(triple), {"slope": 1, "shift": 0.5}),
    *(("looks must", Job, mean(uniform), {}, "tests/l", 0, 1, sizes)
      for sizes in ((), (0,), (-5,), (10, 10), (20, 10))),
    ("at least one part", merge_tree, []),
    ("at least 2 observations, got 1", Moments(1, *[1.0] * 6).estimate),
    ("as mean(kernel) is", partial(estimate, samples=2), uniform),
    ("must map names of parameters to numbers, got 3", partial(ESTIMATED, samples=2), 3),
    ("the parameter point lacks", partial(estimate, samples=2), mean(triple), {}),
    ("must be finite, got nan", partial(estimate, samples=2), mean(triple), dict.fromkeys(POINT, math.nan)),
    *((f"a whole number of at least 2, got {n!r}", partial(ESTIMATED, samples=n)) for n in (1, 2.5, True, "10")),
    *((says, partial(Sweep, **SWEEP | changes)) for says, changes in (
        ("name must look like", {"name": "no name"}),
        ("points must name at least one", {"points": []}),
        ("runs must be at least 1", {"runs": 0}),
        ("the parameter point lacks", {"settings": {}}),
        ("step_size must be a number, got 'fast'", {"points": [{"step_size": "fast", "law": "normal"}]}),
        ("law must be text, got 3", {"points": [{"step_size": 0.1, "law": 3}]}),
        ("steps must be an integer", {"settings": {"steps": 2.5}}),
        ("tested must name parameters of training, got ['step']", {"tested": {"step": 3}}),
    )),
    ("runs must give a number for tier 'slow'", Sweep(**SWEEP | {"runs": {"quick": 3, "full": 9}}).jobs, 1, "slow"),
    # Descent along an expected gradient.
    ("step_size must be positive and finite, got 0.0", Method, 0.0),
    ("momentum must be in [0, 1), got 1.0", Method, 0.1, 1.0),
    ("convention must be ... got 'adam'", Method, 0.1, 0.5, "adam"),
    ("step_size must be positive and finite, got inf", Method, np.inf),
    ("descend: gamma must be in [1e-100, 1e+100], got 0", descend, 1.0, 1.0, 0.0, STEP),
    ("descend: u must be in ... got nan", descend, np.nan, 1.0, 1.0, STEP),
    ("gradient: u must be in ... got nan", gradient, np.nan, 1.0, 1.0),
    ("gradient: b must be in ... got nan", partial(gradient, across=0.1), 1.0, [1.0, np.nan], 1.0),
    ("gradient: gamma must be in ... got -1", partial(gradient, target="relu"), 1.0, 1.0, -1.0),
    ("target must be one of", partial(descend, target="cubic"), 1.0, 1.0, 1.0, STEP),
    ("target must be one of", partial(descend, target=["linear"]), 1.0, 1.0, 1.0, STEP),
    ("tolerance must be positive", partial(descend, tolerance=0.0), 1.0, 1.0, 1.0, STEP),
    ("no weights across", partial(descend, target="without-sign", across=1.0), 1.0, 1.0, 1.0, STEP),
    ("batch must be at least 1", partial(descend_on_minibatches, batch=0, steps=1), 1.0, 1.0, 1.0, 0.1),
    ("gamma must be in ... got inf", partial(descend_on_minibatches, batch=1, steps=1), 1.0, 1.0, np.inf, 0.1),
    ("w must be in ... got nan", partial(descend_on_minibatches, batch=1, steps=1), np.nan, 1.0, 1.0, 0.1),
    # Training.
    ("SGD: momentum must be in [0, 1)", SGD, 0.1, 1.0),
    ("Adam: momentum must be in [0, 1)", Adam, 0.1, -0.1),
    ("SGD: convention must be one of", SGD, 0.1, 0.9, "nesterov"),
    ("Perceptron.of: kind must be one of", Perceptron.of, "tanh", (2, 2), RNG),
    ("Network: inputs, width and depth must be at least 1", Network, 0, 1, 1),
    ("law must be 'uniform' or 'he'", Network(1, 1, 1).start, [], "xavier"),
    ("batch must be between 1 and 4", batches, RNG, 4, 5, 1),
    ("name must be one of", regression_data, "abalone", 1),
    ("optimiser must be 'adam' or 'sgd'", rows_of, deep_network, DEEP),
    ("kind must be", galu.train, np.ones((10, 2)), np.ones((10, 1)), 2, "tanh", 1, RNG),
    ("law must be one of uniform, beta, two_point, got 'normal'", starts._drawn, RNG, "normal", 0.5, 0.5, 1),
    ("model must be one of", runs.network, "nac", 4, 2),
    (f"steps must be a positive multiple of 200, got {looks.LOOKS + 1}", rows_of, looks.curves,
     TINY | {"operation": "addition", "steps": looks.LOOKS + 1}),
    *(("operation must be one of", rows_of, simulator, TINY) for simulator in (runs.four_inputs, looks.curves)),
    ("width must be a multiple of 4, got 6", started, KEY, 0, 6),
    ("operation must be one of", answers, "division", np.ones((2, 4), np.float32)),
    ("rest must be", interpolation.exact, 16, "ones"),
    ("units must be", TanhNetwork, 1),
    ("sigma must be", partial(TanhNetwork, sigma=0), 4),
    ("kind must be", partial(TanhNetwork, kind="other"), 4),
    ("start must be", TanhNetwork(4).start, RNG, "other"),
    ("task must be", partial(trained, task="x", number=1, low=0, fresh=0, first_seed=0, steps=1), TanhNetwork(4), 0),
    ("Classifier: kind must be", Classifier, "other", (2, 3, 2), 1.0, RNG),
    ("Classifier: sigma must be", Classifier, "tanh", (2, 3, 2), 0.0, RNG),
]  # fmt: skip


@pytest.mark.parametrize(("says", "function", "arguments"), [(says, f, given) for says, f, *given in REFUSED])
def test_what_is_refused_is_named_with_what_is_wanted(says, function, arguments):
    with pytest.raises((ValueError, TypeError), match=re.escape(says).replace(re.escape("..."), ".*")):
        function(*arguments)
