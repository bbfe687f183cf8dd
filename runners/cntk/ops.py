"""Operators of the neutral graph as CNTK functions. They are built once, at load."""
import cntk as C
import numpy as np

from dlbench_runner import Table

# Stands for minus infinity behind the edges: no float is less.
LOWEST = float(np.finfo(np.float32).min)


class Context:
    """Parameters by canonical name, the shapes of the graph, the target where there is a loss."""

    def __init__(self, graph, parameters, target=None):
        self._graph = graph
        self.parameters = parameters
        self.target = target

    def shape_of(self, name):
        """Shape of a node's value, or of the sample."""
        source = self._graph.by_name.get(name)
        return self._graph.input_shape if source is None else source.output_shape


class Axis:
    """The windows along one axis. behind: cells beyond the input that the last window reads."""

    def __init__(self, context, node, axis):
        attributes = node.attributes
        self.extent = context.shape_of(node.inputs[0])[axis + 1]
        self.windows = node.output_shape[axis + 1]
        self.kernel, self.stride = attributes["kernel"][axis], attributes["stride"][axis]
        self.before, self.after = attributes["pads"][axis], attributes["pads"][axis + 2]
        self.behind = max((self.windows - 1) * self.stride + self.kernel - self.extent - self.before, 0)

    def cells(self, with_pads):
        """How many cells count in each window."""
        low, high = (-self.before, self.extent + self.after) if with_pads else (0, self.extent)
        begin = np.arange(self.windows) * self.stride - self.before
        return np.minimum(begin + self.kernel, high) - np.maximum(begin, low)


def _padded(x, rows, columns, value):
    """CNTK's own padding knows only "same" and none."""
    if not any(rows) and not any(columns):
        return x
    return C.pad(x, [(0, 0), rows, columns], mode=C.CONSTANT_PAD, constant_value=value)


def conv2d(context, node, inputs):
    a = node.attributes
    top, left, bottom, right = a["pads"]
    x = _padded(inputs[0], (top, bottom), (left, right), 0)
    channels = 1 if a["groups"] > 1 else context.shape_of(node.inputs[0])[0]
    result = C.convolution(context.parameters[node.name + ".weight"], x, strides=(channels,) + tuple(a["stride"]),
                           auto_padding=[False, False, False], dilation=(1,) + tuple(a["dilation"]),
                           groups=a["groups"])
    bias = context.parameters.get(node.name + ".bias")
    return result if bias is None else result + C.reshape(bias, (-1, 1, 1))


def _pool(context, node, inputs, kind, fill):
    rows, columns = Axis(context, node, 0), Axis(context, node, 1)
    x = _padded(inputs[0], (rows.before, rows.behind), (columns.before, columns.behind), fill)
    pooled = C.pooling(x, kind, tuple(node.attributes["kernel"]), strides=tuple(node.attributes["stride"]),
                       auto_padding=[False])
    return pooled, rows, columns


def max_pool(context, node, inputs):
    return _pool(context, node, inputs, C.MAX_POOLING, LOWEST)[0]


def avg_pool(context, node, inputs):
    """CNTK divides by the size of the kernel here; another divisor is a constant factor per window."""
    pooled, rows, columns = _pool(context, node, inputs, C.AVG_POOLING, 0)
    cells = np.outer(*[axis.cells(node.attributes["count_include_pad"]) for axis in (rows, columns)])
    size = rows.kernel * columns.kernel
    return pooled if np.all(cells == size) else pooled * C.constant((size / cells).astype(np.float32)[None])


def global_avg_pool(context, node, inputs):
    return C.pooling(inputs[0], C.AVG_POOLING, tuple(context.shape_of(node.inputs[0])[1:]), auto_padding=[False])


def dense(context, node, inputs):
    result = C.times(inputs[0], context.parameters[node.name + ".weight"])
    bias = context.parameters.get(node.name + ".bias")
    return result if bias is None else result + bias


def flatten(_context, node, inputs):
    return C.reshape(inputs[0], node.output_shape)


def lrn(_context, node, inputs):
    a = node.attributes
    return C.local_response_normalization(inputs[0], depth_radius=a["size"] // 2, bias=a["k"], alpha=a["alpha"],
                                          beta=a["beta"])


def softmax_cross_entropy(context, node, inputs):
    if context.target is None:
        return inputs[0]
    classes = inputs[0].shape[0]
    wanted = C.reshape(C.one_hot(context.target, classes, sparse_output=False), (classes,))
    return C.cross_entropy_with_softmax(inputs[0], wanted)


def _plain(function):
    return lambda _context, _node, inputs: function(*inputs)


OPS = Table("op", {"add": _plain(C.plus), "avg_pool": avg_pool, "concat": _plain(lambda *xs: C.splice(*xs, axis=0)),
                   "conv2d": conv2d, "dense": dense, "flatten": flatten, "global_avg_pool": global_avg_pool, "lrn": lrn,
                   "max_pool": max_pool, "relu": _plain(C.relu), "sigmoid": _plain(C.sigmoid),
                   "softmax": _plain(C.softmax), "softmax_cross_entropy": softmax_cross_entropy,
                   "tanh": _plain(C.tanh)})
