"""ONNX Runtime's parameters and gradient accumulators as numpy views of its own memory."""
import ctypes

import numpy as np


def _view(value, shape):
    raw = (ctypes.c_float * int(np.prod(shape, dtype=np.int64))).from_address(value.data_ptr())
    return np.frombuffer(raw, np.float32).reshape(shape)


class Accumulator:
    """Weight and gradient accumulator of one parameter, in ONNX Runtime's memory, which lives as long as the module."""

    def __init__(self, state, parameter):
        held = state.parameters[parameter.name]._parameter  # pylint: disable=protected-access
        self.weight = _view(held.data, parameter.shape)
        self.gradient = _view(held.grad, parameter.shape)
