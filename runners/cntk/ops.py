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


def _axes(graph, node):
    """(extent, windows, kernel, stride, pad before) of rows and columns."""
    a = node.attributes
    return zip(graph.shape_of(node.inputs[0])[1:], node.output_shape[1:], a["kernel"], a["stride"], a["pads"])


def _is_auto(graph, node):
    """Whether auto_padding makes the windows: one for each stride begun; each lies about a cell, of even kernels the
    odd cell behind, and these cells lie in the middle of the extent."""
    return all(windows == -(-extent // stride) and before == (kernel - 1) // 2 - (extent - 1) % stride // 2
               for extent, windows, kernel, stride, before in _axes(graph, node))


def _is_rounded_up(graph, node):
    """Whether ceil_out_dim makes the windows: the first begins on the first cell, the last may reach over the edge."""
    return all(before == 0 and windows == -(-(extent - kernel) // stride) + 1
               for extent, windows, kernel, stride, before in _axes(graph, node))


def _padded(x, pads, value):
    """For windows that CNTK itself does not make."""
    return C.pad(x, [(0, 0), *pads], mode=C.CONSTANT_PAD, constant_value=value)


def conv2d(context, node, inputs):
    a = node.attributes
    if max(a["dilation"]) > 1:
        raise Unsupported("conv2d with dilation")  # "not yet implemented" on the CPU
    x, windows = inputs[0], Windows(context.graph, node)
    # Even kernels need uneven pads, with which CNTK computes grouped convolutions wrongly.
    is_auto = windows.is_padded() and _is_auto(context.graph, node) and all(k % 2 for k in a["kernel"])
    if windows.is_padded() and not is_auto:
        x = _padded(x, windows.pads, 0)
    channels = 1 if a["groups"] > 1 else context.graph.shape_of(node.inputs[0])[0]
    result = C.convolution(context.parameters[node.name + ".weight"], x, strides=(channels,) + tuple(a["stride"]),
                           auto_padding=[False, is_auto, is_auto], groups=a["groups"])
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


def _own_padding(graph, node, windows):
    """Arguments with which CNTK's pooling makes the windows itself, or None."""
    if not windows.is_padded():
        return {"auto_padding": [False]}
    if _is_auto(graph, node):
        return {"auto_padding": [True]}
    return {"auto_padding": [False], "ceil_out_dim": True} if _is_rounded_up(graph, node) else None


def _pool(node, x, kind, **arguments):
    return C.pooling(x, kind, tuple(node.attributes["kernel"]), strides=tuple(node.attributes["stride"]), **arguments)


def max_pool(context, node, inputs):
    windows = Windows(context.graph, node)
    own = _own_padding(context.graph, node, windows)
    if own is not None:
        return _pool(node, inputs[0], C.MAX_POOLING, **own)
    return _pool(node, _padded(inputs[0], windows.pads, LOWEST), C.MAX_POOLING, auto_padding=[False])


def avg_pool(context, node, inputs):
    """CNTK divides by the cells inside the input, or by all of a kernel; another divisor is a factor per window."""
    windows, with_pads = Windows(context.graph, node), node.attributes["count_include_pad"]
    own = _own_padding(context.graph, node, windows)
    factors = windows.factors(with_pads)
    if own is not None and np.array_equal(windows.counts(with_pads), windows.counts(False)):
        return _pool(node, inputs[0], C.AVG_POOLING, **own)
    if own is not None and factors is None:
        return _pool(node, inputs[0], C.AVG_POOLING, include_pad=True, **own)
    pooled = _pool(node, _padded(inputs[0], windows.pads, 0), C.AVG_POOLING, auto_padding=[False])
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
