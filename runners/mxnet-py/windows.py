"""Operators of the neutral graph that slide windows over pictures, in Gluon."""
import mxnet as mx
import numpy as np
from mxnet.gluon import nn

from dlbench_runner import Windows

# Stands for minus infinity, which MXNet's attributes cannot say: no float is less.
LOWEST = float(np.finfo(np.float32).min)


def _padded(network, inputs, pads, value):
    """Number of the picture with ((top, bottom), (left, right)) cells around it."""
    width = (0, 0, 0, 0) + pads[0] + pads[1]
    return [network.add(lambda F, x: F.pad(x, mode="constant", constant_value=value, pad_width=width), inputs)]


def conv2d(network, node, inputs):
    a = node.attributes
    top, left, bottom, right = a["pads"]
    pad = (top, left)
    if (top, left) != (bottom, right):
        pad, inputs = (0, 0), _padded(network, inputs, ((top, bottom), (left, right)), 0.0)
    layer = nn.Conv2D(a["out_channels"], tuple(a["kernel"]), tuple(a["stride"]), pad, tuple(a["dilation"]), a["groups"],
                      use_bias=a["bias"], in_channels=network.graph.shape_of(node.inputs[0])[0], prefix=node.name + "_")
    return network.add_layer(node, layer, inputs)


class _TableConvolution(nn.HybridBlock):
    """A full convolution whose missing connections are zeros: MXNet has no connection tables."""

    def __init__(self, in_channels, node):
        super().__init__(prefix=node.name + "_")
        self._outputs, self._readings, height, width = node.parameters[0].shape
        self._full = (self._outputs, in_channels, height, width)
        self._stride = tuple(node.attributes["stride"])
        places = [np.repeat(np.arange(self._outputs), self._readings), node.attributes["table"]]
        with self.name_scope():
            self.weight = self.params.get("weight", shape=node.parameters[0].shape)
            self.bias = self.params.get("bias", shape=(self._outputs,))
            self.places = self.params.get_constant("places", np.asarray(places, np.float32))

    def hybrid_forward(self, F, x, weight, bias, places):  # pylint: disable=arguments-differ
        _, _, height, width = self._full
        full = F.scatter_nd(F.reshape(weight, (-1, height, width)), places, shape=self._full)
        return F.Convolution(x, full, bias, kernel=(height, width), stride=self._stride, num_filter=self._outputs)


def conv_table(network, node, inputs):
    return network.add_layer(node, _TableConvolution(network.graph.shape_of(node.inputs[0])[0], node), inputs)


def _pooling(network, node, inputs, fill):
    """(windows, pads, inputs) with which floor pooling makes the graph's windows."""
    windows = Windows(network.graph, node)
    pads = windows.even_pads()
    return (windows, pads, inputs) if pads else (windows, (0, 0), _padded(network, inputs, windows.pads, fill))


def max_pool(network, node, inputs):
    _, pads, inputs = _pooling(network, node, inputs, LOWEST)
    layer = nn.MaxPool2D(tuple(node.attributes["kernel"]), tuple(node.attributes["stride"]), pads)
    return network.add_layer(node, layer, inputs)


class _Scale(nn.HybridBlock):
    """A constant factor per window."""

    def __init__(self, node, factors):
        super().__init__(prefix=node.name + "_scale_")
        with self.name_scope():
            self.factors = self.params.get_constant("factors", factors)

    def hybrid_forward(self, F, x, factors):  # pylint: disable=arguments-differ
        return F.broadcast_mul(x, factors)


def avg_pool(network, node, inputs):
    """Gluon divides by the size of the kernel here; other divisors are a constant factor per window."""
    windows, pads, inputs = _pooling(network, node, inputs, 0.0)
    layer = nn.AvgPool2D(tuple(node.attributes["kernel"]), tuple(node.attributes["stride"]), pads,
                         count_include_pad=True)
    pooled = network.add_layer(node, layer, inputs)
    factors = windows.factors(node.attributes["count_include_pad"])
    if factors is None:
        return pooled
    return network.add_layer(node, _Scale(node, mx.nd.array(factors[None, None])), [pooled])
