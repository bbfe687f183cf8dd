"""Operators of the neutral graph that slide windows over pictures, in Gluon."""
import mxnet as mx
import numpy as np
from mxnet.gluon import nn

# Stands for minus infinity, which MXNet's attributes cannot say: no float is less.
LOWEST = float(np.finfo(np.float32).min)


class Axis:
    """The windows along one axis. behind: cells beyond the input that the last window reads."""

    def __init__(self, network, node, axis):
        attributes = node.attributes
        self.extent = network.shape_of(node.inputs[0])[axis + 1]
        self.windows = node.output_shape[axis + 1]
        self.kernel, self.stride = attributes["kernel"][axis], attributes["stride"][axis]
        self.before, self.after = attributes["pads"][axis], attributes["pads"][axis + 2]
        self.behind = max((self.windows - 1) * self.stride + self.kernel - self.extent - self.before, 0)

    def fits(self):
        """Whether floor pooling with the leading pad on both sides makes exactly these windows."""
        return (self.extent + 2 * self.before - self.kernel) // self.stride + 1 == self.windows

    def cells(self, with_pads):
        """How many cells count in each window."""
        low, high = (-self.before, self.extent + self.after) if with_pads else (0, self.extent)
        begin = np.arange(self.windows) * self.stride - self.before
        return np.minimum(begin + self.kernel, high) - np.maximum(begin, low)


def _padded(network, inputs, rows, columns, value):
    """Number of the picture with (before, behind) cells around it."""
    width = (0, 0, 0, 0) + tuple(rows) + tuple(columns)
    return [network.add(lambda F, x: F.pad(x, mode="constant", constant_value=value, pad_width=width), inputs)]


def conv2d(network, node, inputs):
    a = node.attributes
    top, left, bottom, right = a["pads"]
    pad = (top, left)
    if (top, left) != (bottom, right):
        pad, inputs = (0, 0), _padded(network, inputs, (top, bottom), (left, right), 0.0)
    layer = nn.Conv2D(a["out_channels"], tuple(a["kernel"]), tuple(a["stride"]), pad, tuple(a["dilation"]), a["groups"],
                      use_bias=a["bias"], in_channels=network.shape_of(node.inputs[0])[0], prefix=node.name + "_")
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
    return network.add_layer(node, _TableConvolution(network.shape_of(node.inputs[0])[0], node), inputs)


def _pooling(network, node, inputs, fill):
    """(axes, pads, inputs) with which floor pooling makes the graph's windows."""
    axes = [Axis(network, node, 0), Axis(network, node, 1)]
    if all(axis.fits() for axis in axes):
        return axes, tuple(axis.before for axis in axes), inputs
    return axes, (0, 0), _padded(network, inputs, *[(axis.before, axis.behind) for axis in axes], fill)


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
    axes, pads, inputs = _pooling(network, node, inputs, 0.0)
    kernel = tuple(node.attributes["kernel"])
    layer = nn.AvgPool2D(kernel, tuple(node.attributes["stride"]), pads, count_include_pad=True)
    pooled = network.add_layer(node, layer, inputs)
    cells = np.outer(*[axis.cells(node.attributes["count_include_pad"]) for axis in axes])
    if np.all(cells == kernel[0] * kernel[1]):
        return pooled
    factors = mx.nd.array((kernel[0] * kernel[1] / cells)[None, None])
    return network.add_layer(node, _Scale(node, factors), [pooled])
