"""Operators of the neutral graph that slide windows over pictures, in Theano."""
import numpy as np
import theano.tensor as tt
from theano.tensor.nnet.abstract_conv import conv2d as theano_conv2d
from theano.tensor.signal.pool import pool_2d


class Axis:
    """The windows along one axis: pads, and how far the last window reaches behind the input (0 when it ends before)."""

    def __init__(self, node, extent, axis):
        attributes = node.attributes
        self.extent = extent
        self.windows = node.output_shape[axis + 1]
        self.kernel, self.stride = attributes["kernel"][axis], attributes["stride"][axis]
        self.before, self.after = attributes["pads"][axis], attributes["pads"][axis + 2]
        self.behind = max((self.windows - 1) * self.stride + self.kernel - extent - self.before, 0)

    def cells(self, with_pads):
        """How many cells count in each window."""
        low, high = (-self.before, self.extent + self.after) if with_pads else (0, self.extent)
        begin = np.arange(self.windows) * self.stride - self.before
        return np.minimum(begin + self.kernel, high) - np.maximum(begin, low)


def axes(context, node):
    shape = context.shape_of(node.inputs[0])
    return [Axis(node, shape[1], 0), Axis(node, shape[2], 1)]


def conv2d(context, node, inputs):
    attributes = node.attributes
    top, left, bottom, right = attributes["pads"]
    weight = context.parameters[node.name + ".weight"]
    result = theano_conv2d(inputs[0], weight, input_shape=(None,) + tuple(context.shape_of(node.inputs[0])),
                           filter_shape=node.parameters[0].shape, border_mode=((top, bottom), (left, right)),
                           subsample=tuple(attributes["stride"]), filter_flip=False,
                           filter_dilation=tuple(attributes["dilation"]), num_groups=attributes["groups"])
    return _with_bias(context, node, result)


def _with_bias(context, node, value):
    bias = context.parameters.get(node.name + ".bias")
    return value if bias is None else value + bias.dimshuffle("x", 0, "x", "x")


def conv_table(context, node, inputs):
    """A full convolution whose missing connections are zeros: Theano's nnet has no connection tables."""
    outputs, readings, height, width = node.parameters[0].shape
    shape = tuple(context.shape_of(node.inputs[0]))
    table = np.asarray(node.attributes["table"]).reshape(outputs, readings)
    full = tt.zeros((outputs, shape[0], height, width))
    full = tt.set_subtensor(full[np.arange(outputs)[:, None], table], context.parameters[node.name + ".weight"])
    result = theano_conv2d(inputs[0], full, input_shape=(None,) + shape,
                           filter_shape=(outputs, shape[0], height, width), border_mode="valid",
                           subsample=tuple(node.attributes["stride"]), filter_flip=False)
    return _with_bias(context, node, result)


def _padded(picture, both, value):
    """The picture with the cells around it that the windows reach."""
    rows, columns = both
    if not (rows.before or rows.behind or columns.before or columns.behind):
        return picture
    whole = tt.alloc(np.float32(value), picture.shape[0], picture.shape[1], rows.before + rows.extent + rows.behind,
                     columns.before + columns.extent + columns.behind)
    inside = whole[:, :, rows.before:rows.before + rows.extent, columns.before:columns.before + columns.extent]
    return tt.set_subtensor(inside, picture)


def max_pool(context, node, inputs):
    both = axes(context, node)
    kernel, stride = tuple(node.attributes["kernel"]), tuple(node.attributes["stride"])
    pads = tuple(axis.before for axis in both)
    if all(axis.behind <= axis.before for axis in both) and all(
            (axis.extent + 2 * axis.before - axis.kernel) // axis.stride + 1 == axis.windows for axis in both):
        return pool_2d(inputs[0], kernel, ignore_border=True, stride=stride, pad=pads, mode="max")
    return pool_2d(_padded(inputs[0], both, -np.inf), kernel, ignore_border=True, stride=stride, mode="max")


def avg_pool(context, node, inputs):
    both = axes(context, node)
    kernel, stride = tuple(node.attributes["kernel"]), tuple(node.attributes["stride"])
    if not any(axis.before or axis.behind for axis in both):
        return pool_2d(inputs[0], kernel, ignore_border=True, stride=stride, mode="average_inc_pad")
    cells = np.outer(*[axis.cells(node.attributes["count_include_pad"]) for axis in both]).astype(np.float32)
    sums = pool_2d(_padded(inputs[0], both, 0.0), kernel, ignore_border=True, stride=stride, mode="sum")
    return sums / cells


def global_avg_pool(_context, _node, inputs):
    return inputs[0].mean(axis=(2, 3), keepdims=True)


def lrn(context, node, inputs):
    """Theano has no such operator; this is the sum of shifted squares that its users write."""
    attributes = node.attributes
    channels, reach = context.shape_of(node.inputs[0])[0], attributes["size"] // 2
    x = inputs[0]
    squares = tt.sqr(x)
    whole = tt.alloc(np.float32(0), x.shape[0], channels + 2 * reach, x.shape[2], x.shape[3])
    whole = tt.set_subtensor(whole[:, reach:reach + channels], squares)
    sums = whole[:, :channels]
    for i in range(1, attributes["size"]):
        sums = sums + whole[:, i:i + channels]
    return x / (np.float32(attributes["k"]) + np.float32(attributes["alpha"]) * sums) ** np.float32(attributes["beta"])
