"""Layers and initialisers for PyTorch whose definitions, gradients and gains are claims of this project.

>>> import torch
>>> from paper_checks.torch import init, nn
>>> layer = nn.NMU(10, 5)
>>> _ = init.nmu_(layer.weight)
>>> layer(torch.randn(7, 3, 10)).shape
torch.Size([7, 3, 5])
"""
