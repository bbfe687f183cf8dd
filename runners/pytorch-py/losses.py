"""Losses of the neutral graph: functions of the logits and the batch's integer targets."""
from torch import nn

_CROSS_ENTROPY = nn.CrossEntropyLoss()
_BINARY = nn.BCEWithLogitsLoss()


def softmax_cross_entropy(logits, target):
    """nn.CrossEntropyLoss looks for the classes behind the batch: positions are samples of their own."""
    return _CROSS_ENTROPY(logits.flatten(0, -2), target.flatten())


def binary_cross_entropy(logits, target):
    return _BINARY(logits[:, 0], target.to(logits.dtype))


LOSSES = {"softmax_cross_entropy": softmax_cross_entropy, "binary_cross_entropy": binary_cross_entropy}
