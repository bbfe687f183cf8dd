"""Operators of the neutral graph that slide windows over pictures, in Chainer."""
import chainer
import chainer.functions as F
import chainer.links as L
import numpy as np


class Axis:
    """The windows along one axis. behind: cells beyond the input that the last window reads."""

    def __init__(self, network, node, axis):
        attributes = node.attributes
        self.extent = network.shape_of(node.inputs[0])[axis + 1]
        self.windows = node.output_shape[axis + 1]
        self.kernel, self.stride = attributes["kernel"][axis], attributes["stride"][axis]
        self.before, self.after = attributes["pads"][axis], attributes["pads"][axis + 2]
        self.behind = max((self.windows - 1) * self.stride + self.kernel - self.extent - self.before, 0)

    def fits(self, pad):
        """Whether floor pooling with `pad` on both sides makes exactly these windows."""
        return pad == self.before and (self.extent + 2 * pad - self.kernel) // self.stride + 1 == self.windows

    def cells(self, with_pads):
        """How many cells count in each window."""
        low, high = (-self.before, self.extent + self.after) if with_pads else (0, self.extent)
        begin = np.arange(self.windows) * self.stride - self.before
        return np.minimum(begin + self.kernel, high) - np.maximum(begin, low)


def _axes(network, node):
    return [Axis(network, node, 0), Axis(network, node, 1)]


def _padded(network, both, inputs, fill):
    """Number of the picture with the cells around it that the windows read."""
    width = [(0, 0), (0, 0)] + [(axis.before, axis.behind) for axis in both]
    return network.add(lambda x: F.pad(x, width, "constant", constant_values=fill), inputs)


def conv2d(network, node, inputs):
    a = node.attributes
    top, left, bottom, right = a["pads"]
    pad, source = (top, left), inputs[0]
    if (top, left) != (bottom, right):
        width = [(0, 0), (0, 0), (top, bottom), (left, right)]
        pad, source = (0, 0), network.add(lambda x: F.pad(x, width, "constant"), inputs)
    link = L.Convolution2D(network.shape_of(node.inputs[0])[0], a["out_channels"], tuple(a["kernel"]),
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
    link = _TableConvolution(network.shape_of(node.inputs[0])[0], node)
    return network.add(network.add_layer(node, link), inputs)


def max_pool(network, node, inputs):
    both = _axes(network, node)
    kernel, stride = node.attributes["kernel"], node.attributes["stride"]
    pad, source = [axis.before for axis in both], inputs[0]
    if not all(axis.fits(axis.before) for axis in both):
        pad, source = [0, 0], _padded(network, both, inputs, -np.inf)
    return network.add(lambda x: F.max_pooling_2d(x, kernel, stride, pad, cover_all=False), [source])


def avg_pool(network, node, inputs):
    """Chainer divides by the size of the kernel; other divisors are a constant factor per window."""
    both = _axes(network, node)
    kernel, stride = node.attributes["kernel"], node.attributes["stride"]
    pad, source = [axis.before for axis in both], inputs[0]
    if not all(axis.fits(axis.before) for axis in both):
        pad, source = [0, 0], _padded(network, both, inputs, 0.0)
    cells = np.outer(*[axis.cells(node.attributes["count_include_pad"]) for axis in both])
    pooled = network.add(lambda x: F.average_pooling_2d(x, kernel, stride, pad), [source])
    if np.all(cells == kernel[0] * kernel[1]):
        return pooled
    factors = (kernel[0] * kernel[1] / cells).astype(np.float32)[None, None]
    return network.add(lambda x: x * F.broadcast_to(chainer.Variable(factors), x.shape), [pooled])
