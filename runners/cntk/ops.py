"""Operators of the neutral graph as CNTK functions. They are built once, at load."""
import math

import cntk as C
import numpy as np

import recurrent
from dlbench_runner import Table, Unsupported, Windows, selections

# Stands for minus infinity behind the edges: no float is less.
LOWEST = float(np.finfo(np.float32).min)


class Context:
    """Parameters by canonical name, how many batches each batch_norm node has seen, the rows of a batch, the target
    where there is a loss. cells: of lstm nodes, which networks share. Functions of dropout are kept, since they take
    seeds."""

    def __init__(self, graph, parameters, counts, cells, rows, target=None):
        self.graph = graph
        self.parameters = parameters
        self.counts = counts
        self.cells = cells
        self.rows = rows
        self.target = target
        self.dropouts = []


def _padded(x, pads, value):
    """CNTK's own padding knows only "same" and none."""
    if pads == ((0, 0), (0, 0)):
        return x
    return C.pad(x, [(0, 0), *pads], mode=C.CONSTANT_PAD, constant_value=value)


def conv2d(context, node, inputs):
    a = node.attributes
    if max(a["dilation"]) > 1:
        raise Unsupported("conv2d with dilation")  # "not yet implemented" on the CPU
    top, left, bottom, right = a["pads"]
    x = _padded(inputs[0], ((top, bottom), (left, right)), 0)
    channels = 1 if a["groups"] > 1 else context.graph.shape_of(node.inputs[0])[0]
    result = C.convolution(context.parameters[node.name + ".weight"], x, strides=(channels,) + tuple(a["stride"]),
                           auto_padding=[False, False, False], groups=a["groups"])
    bias = context.parameters.get(node.name + ".bias")
    return result if bias is None else result + C.reshape(bias, (-1, 1, 1))


def conv_table(context, node, inputs):
    """A full convolution whose missing connections are zeros: CNTK has no connection tables."""
    weight = context.parameters[node.name + ".weight"]
    reads = selections(context.graph, node)[..., None, None]
    full = sum(C.slice(weight, 1, r, r + 1) * C.constant(np.ascontiguousarray(reads[:, r])) for r in range(reads.shape[1]))
    result = C.convolution(full, inputs[0], strides=(reads.shape[2],) + tuple(node.attributes["stride"]),
                           auto_padding=[False, False, False])
    return result + C.reshape(context.parameters[node.name + ".bias"], (-1, 1, 1))


def _pool(node, x, kind):
    return C.pooling(x, kind, tuple(node.attributes["kernel"]), strides=tuple(node.attributes["stride"]),
                     auto_padding=[False])


def max_pool(context, node, inputs):
    return _pool(node, _padded(inputs[0], Windows(context.graph, node).pads, LOWEST), C.MAX_POOLING)


def avg_pool(context, node, inputs):
    """CNTK divides by the size of the kernel here; another divisor is a constant factor per window."""
    windows = Windows(context.graph, node)
    pooled = _pool(node, _padded(inputs[0], windows.pads, 0), C.AVG_POOLING)
    factors = windows.factors(node.attributes["count_include_pad"])
    return pooled if factors is None else pooled * C.constant(factors[None])


def global_avg_pool(context, node, inputs):
    return C.pooling(inputs[0], C.AVG_POOLING, tuple(context.graph.shape_of(node.inputs[0])[1:]), auto_padding=[False])


def dense(context, node, inputs):
    result = C.times(inputs[0], context.parameters[node.name + ".weight"])
    bias = context.parameters.get(node.name + ".bias")
    return result if bias is None else result + bias


def _is_sequence(context, node):
    return len(context.graph.shape_of(node.inputs[0])) == 2


def flatten(context, node, inputs):
    x = C.sequence.unpack(inputs[0], 0, no_mask_output=True) if _is_sequence(context, node) else inputs[0]
    return C.reshape(x, node.output_shape)


def concat(context, node, inputs):
    if _is_sequence(context, node):
        raise Unsupported("concat of positions")
    return C.splice(*inputs, axis=0)


def batch_norm(context, node, inputs):
    """CNTK forgets by time: the share of a batch is 1 - exp(-rows / time constant)."""
    scale, shift, mean, variance = [context.parameters[p.name] for p in node.parameters]
    time_constant = -context.rows / math.log(1 - node.attributes["momentum"])
    return C.batch_normalization(inputs[0], scale, shift, mean, variance, len(node.output_shape) == 3,
                                 normalization_time_constant=time_constant, epsilon=node.attributes["epsilon"],
                                 running_count=context.counts[node.name])


def dropout(context, node, inputs):
    context.dropouts.append(C.dropout(inputs[0], node.attributes["rate"]))
    return context.dropouts[-1]


def lrn(context, node, inputs):
    """CNTK divides alpha by the size, and computes something else where the size exceeds the channels."""
    a = node.attributes
    if a["size"] > context.graph.shape_of(node.inputs[0])[0]:
        raise Unsupported("lrn over more channels than there are")
    return C.local_response_normalization(inputs[0], depth_radius=a["size"] // 2, bias=a["k"],
                                          alpha=a["alpha"] * a["size"], beta=a["beta"])


def softmax_cross_entropy(context, node, inputs):
    if context.target is None:
        return inputs[0]
    classes = inputs[0].shape[0]
    wanted = C.reshape(C.one_hot(context.target, classes, sparse_output=False), (classes,))
    return C.cross_entropy_with_softmax(inputs[0], wanted)


def binary_cross_entropy(context, _node, inputs):
    """ln(1 + exp(x)) - x target: C.binary_cross_entropy adds a constant inside its logarithms."""
    return inputs[0] if context.target is None else C.softplus(inputs[0]) - inputs[0] * context.target


def _plain(function):
    return lambda _context, _node, inputs: function(*inputs)


OPS = Table("op", {"add": _plain(C.plus), "avg_pool": avg_pool, "batch_norm": batch_norm,
                   "binary_cross_entropy": binary_cross_entropy, "concat": concat, "conv2d": conv2d, "conv_table": conv_table, "dense": dense,
                   "dropout": dropout, "embedding": recurrent.embedding, "flatten": flatten,
                   "global_avg_pool": global_avg_pool, "lrn": lrn, "lstm": recurrent.lstm,
                   "max_pool": max_pool, "relu": _plain(C.relu), "sigmoid": _plain(C.sigmoid),
                   "softmax": _plain(C.softmax), "softmax_cross_entropy": softmax_cross_entropy,
                   "tanh": _plain(C.tanh)})
