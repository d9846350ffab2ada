"""Appendix A: the network of Figure 1 and its settings."""

import numpy as np

from montecarlo.training.networks import Network
from montecarlo.training.optimisers import Adam
from montecarlo.training.regression import train
from montecarlo.training.scaled_targets import DATA, OBSERVATIONS, regression_data
from paper_checks import Finding, claim, concluded
from paper_checks.papers.dying_relu.sweeps import METHODS
from theory.relu_unit import forward

# Step size, beta_1, beta_2 and epsilon in Kingma and Ba.
ADAM = (1e-3, 0.9, 0.999, 1e-8)


def definition(context) -> Finding:
    """The simulator's network with one hidden layer against the recursion of appendix D."""
    rng = np.random.default_rng(context.seed)
    network, x = Network(4, 5, 1), rng.normal(size=(20, 4))
    rows = network.start([rng, rng])
    outputs, _ = network.forward(rows, x[None])
    worst, linear, biases = 0.0, True, True
    for run in range(2):
        w_1, b_1, w_2, b_2 = (t[run] for t in network.tensors(rows))
        worst = max(worst, np.abs(outputs[run] - forward([w_1.T, w_2.T], [b_1[0], b_2[0]], x)).max())
        linear &= bool(np.abs(outputs[run] - ((x @ w_1 + b_1) @ w_2 + b_2)).max() > 1e-3)
        biases &= bool(np.abs(outputs[run] - np.maximum(x @ w_1, 0) @ w_2).max() > 1e-3)
    says = f"W_2 max(0, W_1 x + b_1) + b_2 within {worst:.0e}"
    return concluded(worst < 1e-14, says, {"no ReLU": linear, "no biases": biases})


claim(
    "relu/eq33",
    at="eq. (33), appendix A",
    says="the network of Figure 1 has one hidden layer of ReLU units: f(x) = W_2 max(0, W_1 x + b_1) + "
    "b_2; the simulated network is the same",
    experiment=definition,
    note="our copy has lost the formula; this is what its words describe",
)


def settings(_context) -> Finding:
    """What is left of the appendix's settings, in the simulator and its stored runs."""
    adam, method = Adam(1e-3), METHODS["adam"]
    suggested = (method["step_size"], method["momentum"], adam.second_momentum, adam.epsilon) == ADAM
    inputs, targets = regression_data(DATA[0], 1)
    network = Network(inputs.shape[1], 4, 1)

    def run(first: int, runs: int, observations: int = OBSERVATIONS):
        x, y = inputs[:observations], targets[:observations]
        return train(network, Adam(1e-3), x, y, runs=runs, first=first, seed=1, batch=32, checkpoints=[3])

    several, one = run(0, 2), run(1, 1)
    own_seeds = bool(np.abs(several.parameters[0] - several.parameters[1]).max() > 0)
    # A run depends on its number alone, and its error is that of its network on the training data.
    same = np.array_equal(several.parameters[1:], one.parameters)
    outputs, _ = network.forward(one.parameters, inputs[None])
    on_training_data = np.allclose(((outputs[0, :, 0] - targets) ** 2).mean(), one.error[0, -1], rtol=1e-12)
    says = (
        f"step size {method['step_size']:g}, beta_1 = {method['momentum']:g}, beta_2 = {adam.second_momentum:g}, "
        f"epsilon = {adam.epsilon:g}; runs differ in start and order of mini-batches; error on the training inputs"
    )
    return concluded(suggested and own_seeds and same and on_training_data, says, {
        "half of the data": not np.array_equal(run(1, 1, OBSERVATIONS // 2).parameters, one.parameters)
    })  # fmt: skip


claim(
    "relu/appA.settings",
    at="appendix A",
    says="Adam has the parameters that Kingma and Ba suggest, each run has its own seed for initial parameters and "
    "mini-batches, and the evaluation is on training data; the simulated runs have these settings",
    experiment=settings,
    quote="the Adam optimizer was set to use the same parameters as suggested by [6]",
    note="our copy has lost the width, the distributions of the initial parameters, the batch size, and "
    "the numbers of runs and updates. relu/fig1.error has ours",
)
