"""Operators of the neutral graph in SINGA's autograd. Each entry returns a function of the values of its inputs."""
import functools

from singa import autograd, singa_wrap, tensor

import recurrent
import repairs
from dlbench_runner import Table, Unsupported, Windows, last_readings, selections


class Context:
    """A network for one number of rows: SINGA's handles are made for one. Values are numbered, 0 is the batch.

    A value with positions is a matrix with one row for each position of each row.
    """

    def __init__(self, graph, parameters, cells, rows):
        self.graph = graph
        self._calls = []
        self._dead = []  # per call the numbers of the values that no later one reads
        self.parameters = parameters  # tensors by name, of all but the lstms
        self.cells = cells  # by name of the lstm
        self.by_position = {}  # number of the list with one tensor for each position, by name of the lstm
        self.rows = rows

    def add(self, function, inputs):
        """Number of the value that function(*inputs) will give."""
        self._calls.append((function, inputs))
        return len(self._calls)

    def finish(self):
        """After the last `add`."""
        self._dead = last_readings([inputs for _, inputs in self._calls], kept=len(self._calls))

    def run(self, x):
        """The logits."""
        values = [x]
        for (function, inputs), dead in zip(self._calls, self._dead):
            values.append(function(*[values[i] for i in inputs]))
            for i in dead:
                values[i] = None
        return values[-1]

    def example(self, name):
        """A C++ tensor of the shape that a handle is made for."""
        return tensor.Tensor((self.rows,) + tuple(self.graph.shape_of(name))).data


def _pads(context, node):
    """(rows, columns): SINGA pads both sides alike and rounds down."""
    pads = Windows(context.graph, node).even_pads()
    if pads is None:
        raise Unsupported("%s with uneven pads or rounded up" % node.op)
    return pads


def conv2d(context, node, inputs):
    a = node.attributes
    if a["groups"] != 1 or tuple(a["dilation"]) != (1, 1):
        raise Unsupported("conv2d with %s" % ("groups" if a["groups"] != 1 else "dilation"))
    handle = singa_wrap.ConvHandle(context.example(node.inputs[0]), tuple(a["kernel"]), tuple(a["stride"]),
                                   _pads(context, node), context.graph.shape_of(node.inputs[0])[0],
                                   a["out_channels"], a["bias"], 1)
    weight, bias = context.parameters[node.name + ".weight"], context.parameters.get(node.name + ".bias")
    return context.add(lambda x: autograd.conv2d(handle, x, weight, bias), inputs)


def _swapped(x, shape):
    """With its first two extents swapped. SINGA transposes without moving anything, and what reads memory in order, as a
    copy and the update of a momentum do, would get the old order: reshaping moves, values here and gradients there."""
    turned = autograd.transpose(autograd.reshape(x, shape), [1, 0] + list(range(2, len(shape))))
    return autograd.reshape(turned, [shape[1], shape[0]] + list(shape[2:]))


def conv_table(context, node, inputs):
    """A full convolution whose missing connections are zeros: SINGA has neither tables nor groups on the CPU. Its kernels
    are put together from those of each reading, by a product with zeros and ones."""
    outputs, readings, *kernel = node.parameters[0].shape
    channels, reads = context.graph.shape_of(node.inputs[0])[0], selections(context.graph, node)
    places = [repairs.constant(reads[:, r, :, None, None]) for r in range(readings)]
    handle = singa_wrap.ConvHandle(context.example(node.inputs[0]), tuple(kernel), tuple(node.attributes["stride"]),
                                   (0, 0), channels, outputs, True, 1)
    weight, bias = context.parameters[node.name + ".weight"], context.parameters[node.name + ".bias"]

    def run(x):
        by_reading = _swapped(weight, [outputs, readings] + kernel)
        parts = repairs.Split(0, [1] * readings)(by_reading) if readings > 1 else [by_reading]
        terms = [autograd.mul(autograd.reshape(part, [outputs, 1] + kernel), place)
                 for part, place in zip(parts, places)]
        return autograd.conv2d(handle, x, functools.reduce(autograd.add, terms), bias)
    return context.add(run, inputs)


def _pool(context, node, inputs, is_max, kernel, stride, pads):
    handle = singa_wrap.PoolingHandle(context.example(node.inputs[0]), tuple(kernel), tuple(stride), pads, is_max)
    return context.add(lambda x: autograd.pooling_2d(handle, x), inputs)


def max_pool(context, node, inputs):
    return _pool(context, node, inputs, True, node.attributes["kernel"], node.attributes["stride"],
                 _pads(context, node))


def avg_pool(context, node, inputs):
    if any(node.attributes["pads"]):
        raise Unsupported("avg_pool with pads")
    return _pool(context, node, inputs, False, node.attributes["kernel"], node.attributes["stride"],
                 _pads(context, node))


def global_avg_pool(context, node, inputs):
    whole = context.graph.shape_of(node.inputs[0])[1:]
    return _pool(context, node, inputs, False, whole, whole, (0, 0))


def dense(context, node, inputs):
    weight, bias = context.parameters[node.name + ".weight"], context.parameters.get(node.name + ".bias")
    if bias is None:
        return context.add(lambda x: autograd.matmul(x, weight), inputs)
    return context.add(lambda x: autograd.add_bias(autograd.matmul(x, weight), bias, axis=0), inputs)


def concat(context, node, inputs):
    """The repaired operator knows the first extent only, so the second one stands there meanwhile."""
    shapes = [(context.rows,) + tuple(context.graph.shape_of(name)) for name in node.inputs]
    whole = (node.output_shape[0], context.rows) + tuple(node.output_shape[1:])

    def join(*xs):
        joined = _swapped(repairs.Concat(0)(*[_swapped(x, shape) for x, shape in zip(xs, shapes)])[0], whole)
        has_positions = len(whole) == 3
        return autograd.reshape(joined, (-1, whole[2])) if has_positions else joined
    return context.add(join, inputs)


def dropout(context, node, inputs):
    return context.add(lambda x: repairs.Dropout(node.attributes["rate"])(x)[0], inputs)


def embedding(context, node, inputs):
    """The batch holds one row of zeros and a one for each token, as in SINGA's example of a network of characters."""
    weight = context.parameters[node.name + ".weight"]
    return context.add(lambda x: autograd.matmul(x, weight), inputs)


def flatten(context, node, inputs):
    if len(context.graph.shape_of(node.inputs[0])) != 2:
        return context.add(autograd.flatten, inputs)
    return context.add(lambda x: autograd.reshape(x, (context.rows,) + tuple(node.output_shape)), inputs)


def loss(_context, _node, inputs):
    """The session applies it: it alone has the target."""
    return inputs[0]


_ZERO_AND_X = repairs.constant([[0, 1]])


def _binary(logits, target):
    """As two classes with the logits 0 and x, which is the same function and has the framework's stable operator."""
    return autograd.softmax_cross_entropy(autograd.matmul(logits, _ZERO_AND_X), target)


# What the session applies to logits and target.
LOSSES = {"binary_cross_entropy": _binary, "softmax_cross_entropy": autograd.softmax_cross_entropy}


def _plain(function):
    return lambda context, _node, inputs: context.add(function, inputs)


OPS = Table("op", {"add": _plain(autograd.add), "avg_pool": avg_pool, "binary_cross_entropy": loss,
                   "concat": concat, "conv2d": conv2d, "conv_table": conv_table, "dense": dense, "dropout": dropout, "embedding": embedding, "flatten": flatten,
                   "global_avg_pool": global_avg_pool, "lstm": recurrent.lstm, "max_pool": max_pool,
                   "relu": _plain(autograd.relu), "sigmoid": _plain(autograd.sigmoid),
                   "softmax": _plain(autograd.softmax), "softmax_cross_entropy": loss,
                   "tanh": _plain(autograd.tanh)})
