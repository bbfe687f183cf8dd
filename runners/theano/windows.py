"""Operators of the neutral graph that slide windows over pictures, in Theano."""
import numpy as np
import theano.tensor as tt
from theano.tensor.nnet.abstract_conv import conv2d as theano_conv2d
from theano.tensor.signal.pool import Pool, pool_2d

from dlbench_runner import Windows


def conv2d(context, node, inputs):
    attributes = node.attributes
    top, left, bottom, right = attributes["pads"]
    weight = context.parameters[node.name + ".weight"]
    result = theano_conv2d(inputs[0], weight, input_shape=(None,) + tuple(context.graph.shape_of(node.inputs[0])),
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
    shape = tuple(context.graph.shape_of(node.inputs[0]))
    table = np.asarray(node.attributes["table"]).reshape(outputs, readings)
    full = tt.zeros((outputs, shape[0], height, width))
    full = tt.set_subtensor(full[np.arange(outputs)[:, None], table], context.parameters[node.name + ".weight"])
    result = theano_conv2d(inputs[0], full, input_shape=(None,) + shape,
                           filter_shape=(outputs, shape[0], height, width), border_mode="valid",
                           subsample=tuple(node.attributes["stride"]), filter_flip=False)
    return _with_bias(context, node, result)


def _padded(picture, shape, windows, outside):
    """The picture [channels, height, width] with the cells around it that the windows reach."""
    (top, bottom), (left, right) = windows.pads
    _, height, width = shape
    whole = tt.alloc(np.float32(outside), picture.shape[0], picture.shape[1], top + height + bottom,
                     left + width + right)
    return tt.set_subtensor(whole[:, :, top:top + height, left:left + width], picture)


def _is_rounded_up(shape, node, windows):
    """Whether ignore_border=False makes the windows: they start in the picture, and the last one may hang over."""
    (top, _), (left, _) = windows.pads
    made = Pool.out_shape(shape, node.attributes["kernel"], ignore_border=False, stride=node.attributes["stride"])
    return (top, left) == (0, 0) and tuple(made[1:]) == tuple(node.output_shape[1:])


def _placed(context, node, picture, outside):
    """What pool_2d needs to make the graph's windows: a picture and arguments.

    It pads both sides alike and rounds up only without pads; other pictures get their pads beforehand.
    """
    windows, shape = Windows(context.graph, node), context.graph.shape_of(node.inputs[0])
    if windows.even_pads() is not None:
        return picture, {"ignore_border": True, "pad": windows.even_pads()}
    if _is_rounded_up(shape, node, windows):
        return picture, {"ignore_border": False}
    return _padded(picture, shape, windows, outside), {"ignore_border": True}


def max_pool(context, node, inputs):
    picture, placing = _placed(context, node, inputs[0], -np.inf)
    return pool_2d(picture, tuple(node.attributes["kernel"]), stride=tuple(node.attributes["stride"]), mode="max",
                   **placing)


def avg_pool(context, node, inputs):
    """Theano divides by all cells of a window or, where it rounds up, by those inside; for another divisor it sums."""
    windows = Windows(context.graph, node)
    kernel, stride = tuple(node.attributes["kernel"]), tuple(node.attributes["stride"])
    picture, placing = _placed(context, node, inputs[0], 0)
    mode, divisors = "average_inc_pad", kernel[0] * kernel[1]
    if not placing["ignore_border"]:
        mode, divisors = "average_exc_pad", windows.counts(False)
    wanted = windows.counts(node.attributes["count_include_pad"])
    if np.all(wanted == divisors):
        return pool_2d(picture, kernel, stride=stride, mode=mode, **placing)
    return pool_2d(picture, kernel, stride=stride, mode="sum", **placing) / wanted.astype(np.float32)


def global_avg_pool(_context, _node, inputs):
    return inputs[0].mean(axis=(2, 3), keepdims=True)


def lrn(context, node, inputs):
    """Theano has no such operator; this is the sum of shifted squares that its users write."""
    attributes = node.attributes
    channels, reach = context.graph.shape_of(node.inputs[0])[0], attributes["size"] // 2
    x = inputs[0]
    squares = tt.sqr(x)
    whole = tt.alloc(np.float32(0), x.shape[0], channels + 2 * reach, x.shape[2], x.shape[3])
    whole = tt.set_subtensor(whole[:, reach:reach + channels], squares)
    sums = whole[:, :channels]
    for i in range(1, attributes["size"]):
        sums = sums + whole[:, i:i + channels]
    return x / (np.float32(attributes["k"]) + np.float32(attributes["alpha"]) * sums) ** np.float32(attributes["beta"])
