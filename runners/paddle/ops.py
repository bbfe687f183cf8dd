"""Operators of the neutral graph as paddle.nn layers."""
import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional

from dlbench_runner import Table, Windows


class Call(nn.Layer):
    """A function of its inputs, without parameters."""

    def __init__(self, function):
        super().__init__()
        self._function = function

    def forward(self, *inputs):
        return self._function(*inputs)


def _padded(windows, value, layer):
    """The layer behind a padding where the windows need one; Paddle's own pads are the same on both sides."""
    if not windows.is_padded():
        return layer
    (top, bottom), (left, right) = windows.pads
    around = [left, right, top, bottom]
    return nn.Sequential(Call(lambda x: functional.pad(x, around, value=value)), layer)


def _call(function):
    """Entry of an operator without attributes and parameters."""
    return lambda network, _node, inputs: network.add(Call(function), inputs)


def conv2d(network, node, inputs):
    attributes = node.attributes
    top, left, bottom, right = attributes["pads"]
    weight = node.parameters[0].shape
    layer = nn.Conv2D(weight[1] * attributes["groups"], weight[0], attributes["kernel"], stride=attributes["stride"],
                      padding=[top, bottom, left, right], dilation=attributes["dilation"], groups=attributes["groups"],
                      bias_attr=None if attributes["bias"] else False)
    network.bind(node, layer)
    return network.add(layer, inputs)


def max_pool(network, node, inputs):
    layer = nn.MaxPool2D(node.attributes["kernel"], node.attributes["stride"])
    return network.add(_padded(Windows(network.graph, node), -np.inf, layer), inputs)


def avg_pool(network, node, inputs):
    """Averages over whole windows; other divisors are a constant factor per window."""
    windows = Windows(network.graph, node)
    layer = _padded(windows, 0.0, nn.AvgPool2D(node.attributes["kernel"], node.attributes["stride"]))
    factors = windows.factors(node.attributes["count_include_pad"])
    if factors is not None:
        factors = paddle.to_tensor(factors)
        layer = nn.Sequential(layer, Call(lambda means: means * factors))
    return network.add(layer, inputs)


def lrn(network, node, inputs):
    attributes = node.attributes
    # Paddle divides alpha by the number of channels in the sum.
    layer = nn.LocalResponseNorm(attributes["size"], alpha=attributes["alpha"] * attributes["size"],
                                 beta=attributes["beta"], k=attributes["k"])
    return network.add(layer, inputs)


def dense(network, node, inputs):
    out_features, in_features = node.parameters[0].shape
    layer = nn.Linear(in_features, out_features, bias_attr=None if node.attributes["bias"] else False)
    network.bind(node, layer)
    return network.add(layer, inputs)


def softmax_cross_entropy(_network, _node, inputs):
    """The session computes the loss, and only where there are targets: here the value is just the logits."""
    return inputs[0]


def _layer(make):
    return lambda network, _node, inputs: network.add(make(), inputs)


OPS = Table("op", {
    "add": _call(paddle.add), "avg_pool": avg_pool, "concat": _call(lambda *inputs: paddle.concat(inputs, axis=1)),
    "conv2d": conv2d, "dense": dense, "flatten": _layer(nn.Flatten),
    "global_avg_pool": _layer(lambda: nn.AdaptiveAvgPool2D(1)), "lrn": lrn, "max_pool": max_pool,
    "relu": _layer(nn.ReLU), "sigmoid": _layer(nn.Sigmoid), "softmax": _layer(lambda: nn.Softmax(axis=1)),
    "softmax_cross_entropy": softmax_cross_entropy, "tanh": _layer(nn.Tanh)})
