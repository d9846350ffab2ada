"""Ids of claims behind the numbers of layers with activation functions, as the records of layers give them."""

TORCH = ("constants/torch.linear.variance",)
ATTENTION = ("constants/torch.attention.in-proj", "constants/torch.attention.logits")
RESIDUAL = ("constants/residual.growth", "constants/residual.depth")
CONVOLUTION = ("constants/torch.conv.forward",)
TRANSPOSED = ("constants/torch.conv-transpose.fan-in",)
GROUPED = ("constants/torch.conv-groups.fan-out",)
CUT = ("constants/jax.truncated",)
FORWARD = {
    "linear": ("constants/torch.gain.linear",),
    "relu": ("constants/torch.gain.relu", "constants/torch.kaiming.fan-in"),
    "leaky_relu": ("constants/torch.gain.leaky-relu", "constants/torch.prelu"),
    "tanh": ("constants/torch.gain.tanh",),
    "sigmoid": ("constants/torch.gain.sigmoid",),
    "selu": ("constants/torch.selu.variance", "constants/torch.selu.stable"),
    "gelu": ("constants/gelu.unstable", "constants/gelu.slope"),
}
BACKWARD = {"relu": ("constants/torch.kaiming.fan-out", "constants/he.backward")}


def dense(behind: str, criterion: str, distribution: str) -> tuple[str, ...]:
    """Ids for a dense layer; empty for activation functions of which only moments are known.

    Examples
    --------
    >>> dense("relu", "forward", "uniform")
    ('constants/torch.gain.relu', 'constants/torch.kaiming.fan-in')
    """
    cut = CUT if distribution == "truncated_normal" else ()
    if criterion == "torch":
        return TORCH + cut
    return (FORWARD if criterion == "forward" else BACKWARD).get(behind, ()) + cut


def convolution(transposed: bool, groups: int) -> tuple[str, ...]:
    """Ids for the number of terms of an output of a convolution.

    Examples
    --------
    >>> convolution(False, 1)
    ('constants/torch.conv.forward',)
    """
    return (TRANSPOSED if transposed else CONVOLUTION) + (GROUPED if groups > 1 else ())
