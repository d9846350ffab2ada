"""Gated linear units: neurons, features, rank and its distribution, memorisation, training loss, Rademacher bounds."""

from theory.galu.bounds import expected_train_loss_at_least, full_rank_at_most, no_zero_row_at_least
from theory.galu.distribution import expected_train_loss_random, full_rank_probability, rank_law, rank_two_filters
from theory.galu.elimination import exact_rank
from theory.galu.layer import column_bound, features, linear_features, logistic_rank
from theory.galu.memory import smallest_k, smallest_k_interval
from theory.galu.neurons import logistic_gate_slope, logistic_neuron, mean_square_gate, neuron, relu
from theory.galu.rademacher import bound_l1, bound_l2
from theory.galu.ranks import RankProof, rank, rank_proof
from theory.galu.sampling import SampledRankLaw, full_rank_at_least, sampled_rank_law
from theory.galu.special_sizes import (
    expected_rank_one_input,
    full_rank_one_filter,
    full_rank_two_filters_plane,
    full_rank_two_inputs,
    no_zero_row_plane,
    two_ranks_one_input,
)
from theory.galu.training_loss import constant_test_loss, expected_train_loss, train_loss_below, train_loss_variance

__all__ = ["expected_train_loss_at_least", "full_rank_at_most", "no_zero_row_at_least"]
__all__ += ["exact_rank", "expected_train_loss_random", "full_rank_probability", "rank_law"]
__all__ += ["column_bound", "features", "linear_features", "logistic_rank", "smallest_k", "smallest_k_interval"]
__all__ += ["bound_l1", "bound_l2", "logistic_gate_slope", "logistic_neuron", "mean_square_gate", "neuron", "relu"]
__all__ += ["RankProof", "SampledRankLaw", "full_rank_at_least", "rank", "rank_proof", "sampled_rank_law"]
__all__ += ["expected_rank_one_input", "full_rank_one_filter", "full_rank_two_filters_plane"]
__all__ += ["full_rank_two_inputs", "no_zero_row_plane", "two_ranks_one_input"]
__all__ += ["constant_test_loss", "expected_train_loss", "rank_two_filters", "train_loss_below", "train_loss_variance"]
