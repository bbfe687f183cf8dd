"""Operators of the neutral graph as torch.nn modules."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from dlbench_runner import Table, Windows
from losses import LOSSES


class Add(nn.Module):
    def forward(self, left, right):
        return left + right


class Concat(nn.Module):
    def forward(self, *inputs):
        return torch.cat(inputs, dim=1)


class CountedAvgPool(nn.Module):
    """Average pooling with pads that nn.AvgPool2d does not take: sums of windows times 1 / number of counted cells."""

    def __init__(self, node, around, counts):
        super().__init__()
        self._around = around
        self._kernel, self._stride = node.attributes["kernel"], node.attributes["stride"]
        self.register_buffer("share", torch.from_numpy(1.0 / counts).float(), persistent=False)

    def forward(self, x):
        sums = functional.avg_pool2d(functional.pad(x, self._around), self._kernel, self._stride, divisor_override=1)
        return sums * self.share


class TableConv(nn.Module):
    """A full convolution whose missing connections are zeros: PyTorch has no connection tables."""

    def __init__(self, node, in_channels):
        super().__init__()
        outputs, readings, *_ = shape = node.parameters[0].shape
        self.weight, self.bias = nn.Parameter(torch.empty(shape)), nn.Parameter(torch.empty(outputs))
        self._full, self._stride = (outputs, in_channels, *shape[2:]), node.attributes["stride"]
        self.register_buffer("inputs", torch.tensor(node.attributes["table"]).reshape(outputs, readings),
                             persistent=False)
        self.register_buffer("outputs", torch.arange(outputs).unsqueeze(1), persistent=False)

    def forward(self, x):
        full = self.weight.new_zeros(self._full).index_put((self.outputs, self.inputs), self.weight)
        return functional.conv2d(x, full, self.bias, self._stride)


class Lstm(nn.Module):
    """nn.LSTM adds two biases: the second stays zero and is not trained."""

    def __init__(self, features, hidden, last_only):
        super().__init__()
        self.memory = nn.LSTM(features, hidden, batch_first=True)
        nn.init.zeros_(self.memory.bias_hh_l0).requires_grad_(False)
        self._last_only = last_only

    def forward(self, x):
        every, (last, _) = self.memory(x)
        return last[0] if self._last_only else every


def _one(make):
    """Entry of an operator without attributes and parameters."""
    return lambda network, _node, inputs: network.add(make(), inputs)


def conv2d(network, node, inputs):
    attributes = node.attributes
    top, left, bottom, right = attributes["pads"]
    symmetric = (top, left) == (bottom, right)
    weight = node.parameters[0].shape
    layer = nn.Conv2d(weight[1] * attributes["groups"], weight[0], attributes["kernel"], stride=attributes["stride"],
                      padding=(top, left) if symmetric else 0, dilation=attributes["dilation"],
                      groups=attributes["groups"], bias=attributes["bias"])
    network.bind(node, layer)
    return network.add(layer if symmetric else nn.Sequential(nn.ZeroPad2d((left, right, top, bottom)), layer), inputs)


def conv_table(network, node, inputs):
    layer = TableConv(node, network.graph.shape_of(node.inputs[0])[0])
    network.bind(node, layer)
    return network.add(layer, inputs)


def _is_native(node):
    """Pads that PyTorch's own pooling takes: the same before and behind, at most half a kernel."""
    top, left, bottom, right = node.attributes["pads"]
    kernel = node.attributes["kernel"]
    return (top, left) == (bottom, right) and top * 2 <= kernel[0] and left * 2 <= kernel[1]


def _around(windows):
    """Their pads in PyTorch's order."""
    (top, bottom), (left, right) = windows.pads
    return left, right, top, bottom


def max_pool(network, node, inputs):
    attributes = node.attributes
    kernel, stride = attributes["kernel"], attributes["stride"]
    if _is_native(node):
        layer = nn.MaxPool2d(kernel, stride, padding=attributes["pads"][:2], ceil_mode=attributes["ceil_mode"])
    else:
        layer = nn.Sequential(nn.ConstantPad2d(_around(Windows(network.graph, node)), -float("inf")), nn.MaxPool2d(kernel, stride))
    return network.add(layer, inputs)


def avg_pool(network, node, inputs):
    attributes = node.attributes
    if _is_native(node):
        layer = nn.AvgPool2d(attributes["kernel"], attributes["stride"], padding=attributes["pads"][:2],
                             ceil_mode=attributes["ceil_mode"], count_include_pad=attributes["count_include_pad"])
    else:
        windows = Windows(network.graph, node)
        counts = windows.counts(attributes["count_include_pad"]).astype(np.float64)
        layer = CountedAvgPool(node, _around(windows), counts)
    return network.add(layer, inputs)


def lrn(network, node, inputs):
    attributes = node.attributes
    # PyTorch divides alpha by the number of channels in the sum.
    layer = nn.LocalResponseNorm(attributes["size"], alpha=attributes["alpha"] * attributes["size"],
                                 beta=attributes["beta"], k=attributes["k"])
    return network.add(layer, inputs)


def batch_norm(network, node, inputs):
    kind = nn.BatchNorm2d if len(node.output_shape) == 3 else nn.BatchNorm1d
    layer = kind(node.output_shape[0], eps=node.attributes["epsilon"], momentum=node.attributes["momentum"])
    network.bind(node, layer)
    return network.add(layer, inputs)


def dropout(network, node, inputs):
    return network.add(nn.Dropout(node.attributes["rate"]), inputs)


def dense(network, node, inputs):
    out_features, in_features = node.parameters[0].shape
    layer = nn.Linear(in_features, out_features, bias=node.attributes["bias"])
    network.bind(node, layer)
    return network.add(layer, inputs)


def embedding(network, node, inputs):
    layer = nn.Embedding(node.attributes["vocabulary"], node.attributes["features"])
    network.bind(node, layer)
    return network.add(layer, inputs)


def lstm(network, node, inputs):
    layer = Lstm(node.parameters[0].shape[1], node.attributes["hidden"], node.attributes["last_only"])
    network.bind(node, layer.memory, {"weight": "weight_ih_l0", "recurrent": "weight_hh_l0", "bias": "bias_ih_l0"})
    return network.add(layer, inputs)


def logits_of_loss(_network, _node, inputs):
    """The session computes the loss, and only where there are targets: here the value is just the logits."""
    return inputs[0]


OPS = Table("op", {
    "add": _one(Add), "avg_pool": avg_pool, "batch_norm": batch_norm, "concat": _one(Concat), "conv2d": conv2d, "conv_table": conv_table,
    "dense": dense, "dropout": dropout, "embedding": embedding, "flatten": _one(nn.Flatten),
    "global_avg_pool": _one(lambda: nn.AdaptiveAvgPool2d(1)), "lrn": lrn, "lstm": lstm, "max_pool": max_pool,
    "relu": _one(nn.ReLU), "sigmoid": _one(nn.Sigmoid), "softmax": _one(lambda: nn.Softmax(dim=1)),
    "tanh": _one(nn.Tanh), **dict.fromkeys(LOSSES, logits_of_loss)})
