"""Operators of the neutral graph that slide windows over pictures, channels-last, in TensorFlow 1."""
import numpy as np
import tensorflow as tf

from dlbench_runner import Unsupported, Windows


def _pads(windows):
    """Of a channels-last batch, so that VALID makes the windows."""
    return [[0, 0]] + [list(pad) for pad in windows.pads] + [[0, 0]]


def _padding(windows):
    """"VALID" or "SAME" where one of them makes the windows, else None."""
    if not windows.is_padded():
        return "VALID"
    return "SAME" if windows.is_same() else None


def _padded(x, windows, value):
    return tf.pad(x, _pads(windows), constant_values=value) if windows.is_padded() else x


def _steps(pair):
    return [1] + list(pair) + [1]


def _convolve(x, weight, node, windows):
    stride, dilation = list(node.attributes["stride"]), list(node.attributes["dilation"])
    if dilation == [1, 1]:
        return tf.nn.conv2d(x, weight, _steps(stride), _padding(windows) or _pads(windows))
    if max(stride) > 1:
        raise Unsupported("conv2d with stride and dilation")
    # conv2d's gradient knows no dilation on the CPU; this one spreads the picture over the batch.
    return tf.nn.convolution(_padded(x, windows, 0.0), weight, "VALID", dilation_rate=dilation)


def _depthwise(x, weight, node, windows):
    kernel_height, kernel_width, _, out_channels = weight.shape.as_list()
    in_channels = x.shape.as_list()[3]
    weight = tf.reshape(weight, [kernel_height, kernel_width, in_channels, out_channels // in_channels])
    return tf.nn.depthwise_conv2d(_padded(x, windows, 0.0), weight, _steps(node.attributes["stride"]), "VALID")


def _in_groups(x, weight, node, windows):
    """One convolution per group, as the programs of TensorFlow 1 have it: its conv2d knows no groups."""
    groups = node.attributes["groups"]
    parts = zip(tf.split(x, groups, axis=3), tf.split(weight, groups, axis=3))
    return tf.concat([_convolve(part, kernel, node, windows) for part, kernel in parts], axis=3)


def conv2d(context, node, inputs):
    attributes, weight = node.attributes, context.parameter(node, "weight")
    windows = Windows(context.graph, node)
    is_square = attributes["stride"][0] == attributes["stride"][1] and list(attributes["dilation"]) == [1, 1]
    if attributes["groups"] == 1:
        result = _convolve(inputs[0], weight, node, windows)
    elif attributes["groups"] == context.graph.shape_of(node.inputs[0])[0] and is_square:
        result = _depthwise(inputs[0], weight, node, windows)
    else:
        result = _in_groups(inputs[0], weight, node, windows)
    return context.with_bias(node, result)


def conv_table(context, node, inputs):
    """A full convolution whose missing connections are zeros: TensorFlow has no connection tables."""
    outputs, readings, height, width = node.parameters[0].shape
    channels = context.graph.shape_of(node.inputs[0])[0]
    places = np.stack([np.reshape(node.attributes["table"], -1), np.repeat(np.arange(outputs), readings)], axis=1)
    weight = tf.transpose(context.parameter(node, "weight"), [3, 2, 0, 1])
    full = tf.scatter_nd(places, tf.reshape(weight, [outputs * readings, height, width]),
                         np.array([channels, outputs, height, width]))
    result = tf.nn.conv2d(inputs[0], tf.transpose(full, [2, 3, 0, 1]), _steps(node.attributes["stride"]), "VALID")
    return tf.nn.bias_add(result, context.parameter(node, "bias"))


def max_pool(context, node, inputs):
    windows = Windows(context.graph, node)
    x, padding = inputs[0], _padding(windows)
    if padding is None:
        x, padding = _padded(x, windows, -np.inf), "VALID"
    return tf.nn.max_pool2d(x, node.attributes["kernel"], node.attributes["stride"], padding)


def avg_pool(context, node, inputs):
    """TensorFlow divides by the number of cells inside the input; other divisors are a constant factor per window."""
    kernel, stride = node.attributes["kernel"], node.attributes["stride"]
    windows, with_pads = Windows(context.graph, node), node.attributes["count_include_pad"]
    is_its_divisor = np.array_equal(windows.counts(with_pads), windows.counts(False))
    padding = _padding(windows) if is_its_divisor else None
    if padding is not None:
        return tf.nn.avg_pool2d(inputs[0], kernel, stride, padding)
    means = tf.nn.avg_pool2d(_padded(inputs[0], windows, 0.0), kernel, stride, "VALID")
    factors = windows.factors(with_pads)
    return means if factors is None else means * factors[None, :, :, None]
