"""Operators of the neutral graph in SINGA's autograd. Each entry returns a function of the values of its inputs."""
from singa import autograd, singa_wrap, tensor

import recurrent
import repairs
from dlbench_runner import Table, Unsupported, Windows


class Context:
    """A network for one number of rows: SINGA's handles are made for one. Values are numbered, 0 is the batch.

    A value with positions is a matrix with one row for each position of each row.
    """

    def __init__(self, graph, parameters, cells, rows):
        self.graph = graph
        self._calls = []
        self.parameters = parameters  # tensors by name, of all but the lstms
        self.cells = cells  # by name of the lstm
        self.by_position = {}  # number of the list with one tensor for each position, by name of the lstm
        self.rows = rows

    def add(self, function, inputs):
        """Number of the value that function(*inputs) will give."""
        self._calls.append((function, inputs))
        return len(self._calls)

    def run(self, x):
        """The logits."""
        values = [x]
        for function, inputs in self._calls:
            values.append(function(*[values[i] for i in inputs]))
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
                   "conv2d": conv2d, "dense": dense, "dropout": dropout, "embedding": embedding, "flatten": flatten,
                   "global_avg_pool": global_avg_pool, "lstm": recurrent.lstm, "max_pool": max_pool,
                   "relu": _plain(autograd.relu), "sigmoid": _plain(autograd.sigmoid),
                   "softmax": _plain(autograd.softmax), "softmax_cross_entropy": loss,
                   "tanh": _plain(autograd.tanh)})
