"""Numbers behind figures 1 to 5, and their settings, from the authors' public results. Our copy lacks them.

Source: the repository Decoupling-Gating-From-Linearity of Jonathan Fiat at commit f891e07 of 7 October 2018: its files
``results/datasets.txt``, ``results/r1.txt``, ``results/generalization.txt`` and ``results/minimal_k.txt``, and the
selection in ``plots.py``. What the paper calls SGD is Adam with batches of 128 and 100,000 steps there, with step size
0.001 in figures 2 to 5. That these are the numbers of the figures is inferred: the README says that ``plots.py``
regenerates them, and our copy of the paper has no figures.
"""

# Figure 1: percentage of test errors by images and kind, mean of 4 runs. Of three step sizes, and for GaLU0 of six
# scales of its filters with each, that with the fewest test errors is shown.
NEURONS = (16, 32, 48, 64, 80, 96)
FIGURE_1 = {
    "MNIST": {
        "ReLU": (4.08, 3.53, 3.24, 2.67, 2.38, 2.18),
        "GaLU0": (5.67, 4.21, 3.51, 3.22, 3.08, 2.81),
        "linear": (8.28, 8.30, 8.30, 8.32, 8.34, 8.34),
    },
    "Fashion-MNIST": {
        "ReLU": (13.9, 13.0, 12.9, 12.8, 12.6, 12.7),
        "GaLU0": (14.9, 13.6, 13.0, 12.8, 12.3, 12.3),
        "linear": (16.8, 16.8, 16.8, 16.8, 16.8, 16.8),
    },
}
# The same for GaLU0 with the scale 1, the default of their code, and the best of three step sizes.
SCALE_1 = {"MNIST": (6.20, 4.62, 3.96, 3.66, 3.44, 3.23), "Fashion-MNIST": (15.4, 14.3, 13.8, 13.3, 13.3, 13.2)}
# By images, the scales that are shown: filters have the standard deviation 1/(scale d), inputs the variance 1.
SHOWN_SCALES = {"MNIST": (0.5,) * 6, "Fashion-MNIST": (0.5, 0.1, 0.5, 0.5, 0.1, 0.1)}

# Figure 2: mean training losses of 16 runs by m, d and k: ReLU; GaLU with random filters; GaLU after 512 rounds of
# algorithm 1.
FIGURE_2 = {
    (1024, 32, 8): (0.619, 0.739, 0.637), (1024, 32, 16): (0.287, 0.517, 0.363), (1024, 32, 24): (0.0814, 0.247, 0.148),
    (1024, 32, 32): (0.00505, 5.03e-05, 5.41e-10), (1024, 24, 8): (0.707, 0.802, 0.726),
    (1024, 24, 16): (0.454, 0.616, 0.502), (1024, 24, 24): (0.23, 0.441, 0.307), (1024, 24, 32): (0.0828, 0.242, 0.14),
    (1024, 16, 8): (0.814, 0.879, 0.793), (1024, 16, 16): (0.601, 0.747, 0.621), (1024, 16, 24): (0.47, 0.626, 0.47),
    (1024, 16, 32): (0.301, 0.514, 0.335), (1024, 8, 8): (0.915, 0.958, 0.882), (1024, 8, 16): (0.824, 0.885, 0.764),
    (1024, 8, 24): (0.729, 0.806, 0.673), (1024, 8, 32): (0.639, 0.755, 0.592), (768, 32, 8): (0.503, 0.644, 0.544),
    (768, 32, 16): (0.154, 0.329, 0.215), (768, 32, 24): (0.00421, 2.22e-05, 2.99e-10),
    (768, 24, 8): (0.617, 0.736, 0.631), (768, 24, 16): (0.299, 0.501, 0.352), (768, 24, 24): (0.0918, 0.26, 0.138),
    (768, 24, 32): (0.00451, 2.52e-07, 3.73e-10), (768, 16, 8): (0.75, 0.849, 0.725),
    (768, 16, 16): (0.517, 0.671, 0.506), (768, 16, 24): (0.32, 0.5, 0.332), (768, 16, 32): (0.146, 0.333, 0.187),
    (768, 8, 8): (0.886, 0.91, 0.825), (768, 8, 16): (0.766, 0.828, 0.699), (768, 8, 24): (0.653, 0.743, 0.571),
    (768, 8, 32): (0.54, 0.685, 0.49), (512, 32, 8): (0.336, 0.495, 0.341),
    (512, 32, 16): (0.00715, 2.79e-05, 1.27e-10), (512, 24, 8): (0.464, 0.645, 0.471),
    (512, 24, 16): (0.107, 0.263, 0.129), (512, 16, 8): (0.644, 0.758, 0.62), (512, 16, 16): (0.323, 0.485, 0.323),
    (512, 16, 24): (0.109, 0.25, 0.121), (512, 16, 32): (0.00571, 8.28e-09, 2.24e-10),
    (512, 8, 8): (0.834, 0.866, 0.755), (512, 8, 16): (0.656, 0.768, 0.563), (512, 8, 24): (0.49, 0.611, 0.41),
    (512, 8, 32): (0.348, 0.49, 0.286), (256, 32, 8): (0.0243, 0.00885, 3.89e-11), (256, 24, 8): (0.133, 0.269, 0.118),
    (256, 16, 8): (0.361, 0.539, 0.295), (256, 16, 16): (0.0148, 0.000184, 5.41e-11),
    (256, 8, 8): (0.698, 0.706, 0.554), (256, 8, 16): (0.349, 0.503, 0.259), (256, 8, 24): (0.129, 0.261, 0.0767),
    (256, 8, 32): (0.0144, 5.28e-06, 1.39e-10),
}  # fmt: skip
RUNS = 16
# The same losses of GaLU by Adam, as ReLU is trained, where kd = m. The figure does not show them.
GALU_BY_ADAM = {
    (1024, 32, 32): 0.0132, (768, 32, 24): 0.0117, (768, 24, 32): 0.0131, (512, 32, 16): 0.00762,
    (512, 16, 32): 0.0123, (256, 32, 8): 0.00618, (256, 16, 16): 0.0089, (256, 8, 32): 0.019,
}  # fmt: skip

# Figures 3 and 4: means of 16 runs by noise sigma_y of the labels, and in classification by the probability of a flip,
# which is half of these numbers: training and test errors, and the squared norm of all weights of a network.
NOISE = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
REGRESSION = {
    "ReLU": {
        "train": (0.000185, 0.00249, 0.0092, 0.0204, 0.037, 0.0608, 0.0898, 0.122, 0.162, 0.205, 0.258),
        "test": (0.00235, 0.0271, 0.099, 0.216, 0.373, 0.57, 0.798, 1.07, 1.4, 1.75, 2.14),
        "norm": (84.6, 119, 156, 189, 220, 247, 274, 301, 327, 352, 376),
    },
    "GaLU": {
        "train": (0.000172, 0.00257, 0.00973, 0.0217, 0.0388, 0.0612, 0.0891, 0.123, 0.162, 0.207, 0.259),
        "test": (0.00394, 0.0457, 0.164, 0.35, 0.6, 0.908, 1.27, 1.69, 2.16, 2.68, 3.26),
        "norm": (76.3, 112, 144, 174, 202, 229, 254, 279, 304, 327, 350),
    },
    "exact GaLU": {
        "train": (5.68e-05, 0.00104, 0.00398, 0.00886, 0.0157, 0.0245, 0.0352, 0.0479, 0.0625, 0.079, 0.0976),
        "test": (0.0154, 0.268, 1.03, 2.3, 4.08, 6.37, 9.16, 12.5, 16.3, 20.6, 25.4),
        "norm": (8.98, 150, 575, 1280, 2280, 3560, 5120, 6970, 9100, 11500, 14200),
    },
}  # fmt: skip
# Fractions of wrong labels.
CLASSIFICATION = {
    "ReLU": {
        "train": (0, 0, 0.000125, 0.0025, 0.0101, 0.0155, 0.0288, 0.0341, 0.0487, 0.0466, 0.0486),
        "test": (0, 0.0928, 0.186, 0.267, 0.333, 0.389, 0.43, 0.458, 0.483, 0.494, 0.501),
    },
    "GaLU": {
        "train": (0, 0, 0, 0.000938, 0.00631, 0.0125, 0.0221, 0.0304, 0.0383, 0.0398, 0.0439),
        "test": (4.86e-05, 0.107, 0.204, 0.28, 0.345, 0.394, 0.43, 0.462, 0.482, 0.496, 0.502),
    },
}  # fmt: skip
# The same runs, hinge loss: a panel of ``plots.py`` of which the caption does not speak.
HINGE = {
    "ReLU": {
        "train": (0, 0, 0.000483, 0.00762, 0.031, 0.0456, 0.0821, 0.0957, 0.131, 0.131, 0.139),
        "test": (0.000958, 0.36, 0.682, 0.904, 1.08, 1.25, 1.36, 1.43, 1.48, 1.55, 1.55),
    },
    "GaLU": {
        "train": (0, 0, 0.000128, 0.00551, 0.0196, 0.0379, 0.0646, 0.0861, 0.107, 0.112, 0.123),
        "test": (0.00253, 0.528, 1.01, 1.34, 1.57, 1.75, 1.85, 1.96, 1.98, 2.03, 2.01),
    },
}  # fmt: skip

# Figure 5: by number of outputs, the fewest neurons with a mean loss of 8 runs below 0.3, as in the plot. It reads
# rounded losses and leaves out those of 0.300.
FIGURE_5 = {
    1: {"relu": 16, "galu": 22}, 8: {"relu": 93, "galu": 102}, 16: {"relu": 160, "galu": 160},
    32: {"relu": 232, "galu": 226}, 64: {"relu": 317, "galu": 308}, 96: {"relu": 370, "galu": 356},
    128: {"relu": 406, "galu": 390},
}  # fmt: skip
# The same with the losses before rounding, by the order of the bisection: the next number of neurons is smaller after a
# loss below 0.3. Two numbers, least and largest, where the last loss is printed as 0.300.
BISECTION = {
    1: {"relu": (16, 16), "galu": (22, 22)}, 8: {"relu": (93, 93), "galu": (102, 102)},
    16: {"relu": (152, 152), "galu": (156, 156)}, 32: {"relu": (227, 228), "galu": (226, 226)},
    64: {"relu": (317, 317), "galu": (306, 306)}, 96: {"relu": (369, 370), "galu": (354, 354)},
    128: {"relu": (406, 406), "galu": (389, 390)},
}  # fmt: skip
# Mean losses of ReLU and GaLU by number of outputs, with the number of neurons that both were tried with and whose two
# losses are nearest to 0.3.
NEAR_BELOW = {
    1: (16, 0.286, 0.480), 8: (96, 0.288, 0.329), 16: (152, 0.300, 0.312), 32: (226, 0.303, 0.298),
    64: (312, 0.307, 0.290), 96: (368, 0.301, 0.279), 128: (400, 0.308, 0.284),
}  # fmt: skip
# With one output, mean losses of GaLU by number of neurons.
LOSSES_1 = {16: 0.480, 20: 0.348, 21: 0.325, 22: 0.291, 24: 0.228}
# With 16 outputs, mean losses near 0.3 by number of neurons: ReLU and GaLU.
LOSSES_16 = {128: (0.383, 0.401), 144: (0.324, 0.341), 152: (0.300, 0.312), 160: (0.273, 0.286)}

SOURCE = (
    "The numbers are the authors' own, from their public repository Decoupling-Gating-From-Linearity at commit "
    "f891e07. That they are those of the figures is inferred from its README, because our copy lacks the figures"
)
