"""Operators of the neutral graph as paddle.nn layers."""
import numpy as np
import paddle
from paddle import nn
from paddle.nn import functional

from dlbench_runner import Table, Windows

_LSTM_TENSORS = {"weight": "weight_ih_l0", "recurrent": "weight_hh_l0", "bias": "bias_ih_l0"}


class Call(nn.Layer):
    """A function of its inputs, without parameters."""

    def __init__(self, function):
        super().__init__()
        self._function = function

    def forward(self, *inputs):
        return self._function(*inputs)


class TableConv(nn.Layer):
    """A full convolution whose missing connections are zeros: Paddle has no connection tables."""

    def __init__(self, node, in_channels):
        super().__init__()
        outputs, readings, *kernel = shape = node.parameters[0].shape
        self.weight, self.bias = self.create_parameter(shape), self.create_parameter([outputs], is_bias=True)
        places = np.stack([np.repeat(np.arange(outputs), readings), np.reshape(node.attributes["table"], -1)], axis=1)
        self._places, self._flat = paddle.to_tensor(places), [outputs * readings, *kernel]
        self._full, self._stride = [outputs, in_channels, *kernel], node.attributes["stride"]

    def forward(self, x):
        full = paddle.scatter_nd(self._places, self.weight.reshape(self._flat), self._full)
        return functional.conv2d(x, full, self.bias, self._stride)


def _pads(windows):
    """[top, bottom, left, right] with which rounding down makes the windows.

    Paddle's ceil_mode is not needed, and it keeps a last window that starts behind the picture.
    """
    return [*windows.pads[0], *windows.pads[1]]


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


def conv_table(network, node, inputs):
    layer = TableConv(node, network.graph.shape_of(node.inputs[0])[0])
    network.bind(node, layer)
    return network.add(layer, inputs)


def max_pool(network, node, inputs):
    pads = _pads(Windows(network.graph, node))
    return network.add(nn.MaxPool2D(node.attributes["kernel"], node.attributes["stride"], padding=pads), inputs)


def avg_pool(network, node, inputs):
    """Paddle's divisor takes the leading pads for both sides, so uneven ones that count are a constant factor per window."""
    windows, counted = Windows(network.graph, node), node.attributes["count_include_pad"]
    top, left, bottom, right = node.attributes["pads"]
    has_factors = counted and (top, left) != (bottom, right)
    layer = nn.AvgPool2D(node.attributes["kernel"], node.attributes["stride"], padding=_pads(windows),
                         exclusive=has_factors or not counted)
    if has_factors:
        factors = paddle.to_tensor((windows.counts(False) / windows.counts(True)).astype(np.float32))
        layer = nn.Sequential(layer, Call(lambda means: means * factors))
    return network.add(layer, inputs)


def lrn(network, node, inputs):
    attributes = node.attributes
    # Paddle divides alpha by the number of channels in the sum.
    layer = nn.LocalResponseNorm(attributes["size"], alpha=attributes["alpha"] * attributes["size"],
                                 beta=attributes["beta"], k=attributes["k"])
    return network.add(layer, inputs)


def batch_norm(network, node, inputs):
    kind = nn.BatchNorm2D if len(node.output_shape) == 3 else nn.BatchNorm1D
    # Paddle's momentum is the share of the old running statistics.
    layer = kind(node.output_shape[0], momentum=1.0 - node.attributes["momentum"], epsilon=node.attributes["epsilon"])
    network.bind(node, layer)
    return network.add(layer, inputs)


def dropout(network, node, inputs):
    return network.add(nn.Dropout(node.attributes["rate"]), inputs)


def dense(network, node, inputs):
    out_features, in_features = node.parameters[0].shape
    layer = nn.Linear(in_features, out_features, bias_attr=None if node.attributes["bias"] else False)
    network.bind(node, layer)
    return network.add(layer, inputs)


def embedding(network, node, inputs):
    """Not sparse: decay and momentum move every row."""
    layer = nn.Embedding(*node.parameters[0].shape)
    network.bind(node, layer)
    return network.add(layer, inputs)


class Lstm(nn.Layer):
    """Gates i, f, g, o as in the graph."""

    def __init__(self, features, hidden, last_only):
        super().__init__()
        # Paddle's kernel has two biases and wants a gradient of both: the second stays at zero.
        self.lstm = nn.LSTM(features, hidden, bias_hh_attr=paddle.ParamAttr(initializer=nn.initializer.Constant(0.0)))
        self._last_only = last_only

    def forward(self, x):
        outputs, (last, _cell) = self.lstm(x)
        return last[-1] if self._last_only else outputs


def lstm(network, node, inputs):
    layer = Lstm(node.parameters[0].shape[1], node.attributes["hidden"], node.attributes["last_only"])
    network.bind(node, layer.lstm, _LSTM_TENSORS)
    network.untrained.append(layer.lstm.bias_hh_l0)
    return network.add(layer, inputs)


def loss(_network, _node, inputs):
    """The session computes it, and only where there are targets: here the value is just the logits."""
    return inputs[0]


def _layer(make):
    return lambda network, _node, inputs: network.add(make(), inputs)


OPS = Table("op", {
    "add": _call(paddle.add), "avg_pool": avg_pool, "batch_norm": batch_norm, "binary_cross_entropy": loss,
    "concat": _call(lambda *inputs: paddle.concat(inputs, axis=1)), "conv2d": conv2d, "conv_table": conv_table, "dense": dense,
    "dropout": dropout, "embedding": embedding, "flatten": _layer(nn.Flatten),
    "global_avg_pool": _layer(lambda: nn.AdaptiveAvgPool2D(1)), "lrn": lrn, "lstm": lstm, "max_pool": max_pool,
    "relu": _layer(nn.ReLU), "sigmoid": _layer(nn.Sigmoid), "softmax": _layer(lambda: nn.Softmax(axis=1)),
    "softmax_cross_entropy": loss, "tanh": _layer(nn.Tanh)})
