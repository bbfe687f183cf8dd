"""Operators of the neutral graph that slide windows over pictures, in Chainer."""
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np
from chainer.utils import get_conv_outsize

from dlbench_runner import Windows


def _padded(network, pads, inputs, fill):
    """Number of the picture with ((top, bottom), (left, right)) cells around it."""
    width = [(0, 0), (0, 0), *pads]
    return network.add(lambda x: F.pad(x, width, "constant", constant_values=fill), inputs)


def conv2d(network, node, inputs):
    a = node.attributes
    top, left, bottom, right = a["pads"]
    pad, source = (top, left), inputs[0]
    if (top, left) != (bottom, right):
        pad, source = (0, 0), _padded(network, ((top, bottom), (left, right)), inputs, 0.0)
    link = L.Convolution2D(network.graph.shape_of(node.inputs[0])[0], a["out_channels"], tuple(a["kernel"]),
                           tuple(a["stride"]), pad, nobias=not a["bias"], dilate=tuple(a["dilation"]),
                           groups=a["groups"])
    return network.add(network.add_layer(node, link), [source])


class _TableConvolution(chainer.Link):
    """A full convolution whose missing connections are zeros: Chainer has no connection tables."""

    def __init__(self, in_channels, node):
        super().__init__()
        outputs, readings, height, width = node.parameters[0].shape
        self._places = (np.arange(outputs)[:, None], np.asarray(node.attributes["table"]).reshape(outputs, readings))
        self._zeros = np.zeros((outputs, in_channels, height, width), np.float32)
        self._stride = tuple(node.attributes["stride"])
        with self.init_scope():
            self.W = chainer.Parameter(0, node.parameters[0].shape)
            self.b = chainer.Parameter(0, (outputs,))

    def forward(self, x):
        return F.convolution_2d(x, F.scatter_add(self._zeros, self._places, self.W), self.b, self._stride)


def conv_table(network, node, inputs):
    link = _TableConvolution(network.graph.shape_of(node.inputs[0])[0], node)
    return network.add(network.add_layer(node, link), inputs)


def _pooling(network, node, inputs, fill):
    """(windows, pads, inputs) with which floor pooling makes the graph's windows."""
    windows = Windows(network.graph, node)
    pads = windows.even_pads()
    return (windows, pads, inputs) if pads else (windows, (0, 0), [_padded(network, windows.pads, inputs, fill)])


def _covers_all(network, node):
    """Whether Chainer's own rounding up, with the leading pads on both sides, makes exactly the graph's windows."""
    a = node.attributes
    axes = zip(network.graph.shape_of(node.inputs[0])[1:], a["kernel"], a["stride"], a["pads"])
    return [get_conv_outsize(*axis, cover_all=True) for axis in axes] == list(node.output_shape[1:])


def max_pool(network, node, inputs):
    kernel, stride, pads = node.attributes["kernel"], node.attributes["stride"], node.attributes["pads"][:2]
    covers_all = _covers_all(network, node)
    if not covers_all:
        _, pads, inputs = _pooling(network, node, inputs, -np.inf)
    return network.add(lambda x: F.max_pooling_2d(x, kernel, stride, pads, covers_all), inputs)


def avg_pool(network, node, inputs):
    """Chainer divides by the size of the kernel; other divisors are a constant factor per window."""
    kernel, stride = node.attributes["kernel"], node.attributes["stride"]
    windows, pads, inputs = _pooling(network, node, inputs, 0.0)
    pooled = network.add(lambda x: F.average_pooling_2d(x, kernel, stride, pads), inputs)
    factors = windows.factors(node.attributes["count_include_pad"])
    if factors is None:
        return pooled
    return network.add(lambda x: x * F.broadcast_to(chainer.Variable(factors[None, None]), x.shape), [pooled])
