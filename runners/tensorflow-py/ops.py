"""Operators of the neutral graph in TensorFlow. Each entry is called once per traced function."""
import numpy as np
import tensorflow as tf

import recurrent
from dlbench_runner import Table, Unsupported, Windows, keeps_channels_last, lower


class Context:
    """What the entries need besides their inputs: the graph, its variables by name, the target of a training step.

    xla: whether XLA compiles it. Gradients of convolutions with groups or dilation exist there and not on the plain CPU.
    """

    def __init__(self, graph, variables, target=None, xla=False):
        self.graph = graph
        self.variables = variables
        self.target = target
        self.xla = xla


def run(context, x):
    """(logits, loss) of a canonical batch; the loss is None without a target."""
    shape = context.graph.input_shape
    if len(shape) == 3 and shape[0] == 1:
        x = tf.reshape(x, [-1, shape[1], shape[2], 1])
    elif len(shape) == 3:
        x = tf.transpose(x, [0, 2, 3, 1])
    return lower(context.graph, OPS, context, x)


def _with_bias(context, node, value):
    return tf.nn.bias_add(value, context.variables[node.name + ".bias"]) if node.attributes["bias"] else value


def _pads(windows):
    """Of a channels-last batch, so that VALID makes the windows."""
    return [[0, 0], *[list(pad) for pad in windows.pads], [0, 0]]


def _padding(windows):
    """"VALID" or "SAME" where one of them makes the windows, else None."""
    if not windows.is_padded():
        return "VALID"
    return "SAME" if windows.is_same() else None


def _padded(x, windows, value):
    return tf.pad(x, _pads(windows), constant_values=value) if windows.is_padded() else x


def _convolve(x, weight, node, windows):
    stride, dilation = list(node.attributes["stride"]), list(node.attributes["dilation"])
    return tf.nn.conv2d(x, weight, stride, _padding(windows) or _pads(windows), dilations=dilation)


def _depthwise(x, weight, node, windows):
    stride = node.attributes["stride"]
    kernel_height, kernel_width, _, out_channels = weight.shape.as_list()
    in_channels = x.shape.as_list()[3]
    weight = tf.reshape(weight, [kernel_height, kernel_width, in_channels, out_channels // in_channels])
    return tf.nn.depthwise_conv2d(_padded(x, windows, 0.0), weight, [1] + list(stride) + [1], "VALID")


def conv2d(context, node, inputs):
    attributes = node.attributes
    weight = tf.convert_to_tensor(context.variables[node.name + ".weight"])
    windows = Windows(context.graph, node)
    is_square = attributes["stride"][0] == attributes["stride"][1] and list(attributes["dilation"]) == [1, 1]
    if attributes["groups"] > 1 and list(attributes["dilation"]) != [1, 1] and not context.xla:
        raise Unsupported("conv2d with groups and dilation")  # on the CPU only one of both has a gradient
    is_depthwise = attributes["groups"] == context.graph.shape_of(node.inputs[0])[0] > 1 and is_square
    if is_depthwise and not context.xla:
        result = _depthwise(inputs[0], weight, node, windows)
    else:
        result = _convolve(inputs[0], weight, node, windows)
    return _with_bias(context, node, result)


def conv_table(context, node, inputs):
    """A full convolution whose missing connections are zeros: TensorFlow has no connection tables."""
    outputs, readings, height, width = node.parameters[0].shape
    channels = context.graph.shape_of(node.inputs[0])[0]
    places = np.stack([np.reshape(node.attributes["table"], -1), np.repeat(np.arange(outputs), readings)], axis=1)
    weight = tf.transpose(context.variables[node.name + ".weight"], [3, 2, 0, 1])
    full = tf.scatter_nd(places, tf.reshape(weight, [outputs * readings, height, width]),
                         np.array([channels, outputs, height, width]))
    result = tf.nn.conv2d(inputs[0], tf.transpose(full, [2, 3, 0, 1]), list(node.attributes["stride"]), "VALID")
    return tf.nn.bias_add(result, context.variables[node.name + ".bias"])


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


def global_avg_pool(_context, _node, inputs):
    return tf.reduce_mean(inputs[0], axis=[1, 2], keepdims=True)


def lrn(_context, node, inputs):
    attributes = node.attributes
    return tf.nn.local_response_normalization(inputs[0], depth_radius=attributes["size"] // 2, bias=attributes["k"],
                                              alpha=attributes["alpha"], beta=attributes["beta"])


def batch_norm(context, node, inputs):
    """The operator behind tf.compat.v1.nn.fused_batch_norm, which itself would raise epsilon to 1.001e-5 for cuDNN."""
    names = ("scale", "shift", "mean", "variance")
    scale, shift, mean, variance = [context.variables["%s.%s" % (node.name, name)] for name in names]
    is_picture = len(node.output_shape) == 3
    x = inputs[0] if is_picture else tf.reshape(inputs[0], [-1, 1, 1, node.output_shape[0]])
    is_training = context.target is not None
    momentum = node.attributes["momentum"] if is_training else 1.0
    result = tf.raw_ops.FusedBatchNormV3(x=x, scale=scale, offset=shift, mean=mean, variance=variance,
                                         epsilon=node.attributes["epsilon"], exponential_avg_factor=momentum,
                                         is_training=is_training)
    if is_training:
        mean.assign(result.batch_mean)
        variance.assign(result.batch_variance)
    return result.y if is_picture else tf.reshape(result.y, [-1, node.output_shape[0]])


def dropout(context, node, inputs):
    return inputs[0] if context.target is None else tf.nn.dropout(inputs[0], node.attributes["rate"])


def dense(context, node, inputs):
    weight = tf.convert_to_tensor(context.variables[node.name + ".weight"])
    # For positions one product of all of them: matmul would take a batch of products.
    product = tf.matmul(inputs[0], weight) if len(node.output_shape) == 1 else tf.tensordot(inputs[0], weight, 1)
    return _with_bias(context, node, product)


def flatten(context, node, inputs):
    x = inputs[0]
    if not keeps_channels_last(context.graph, node):
        x = tf.transpose(x, [0, 3, 1, 2])
    return tf.reshape(x, [-1] + list(node.output_shape))


def add(_context, _node, inputs):
    return inputs[0] + inputs[1]


def concat(_context, node, inputs):
    return tf.concat(inputs, axis=1 if len(node.output_shape) == 2 else -1)  # channels and features come last


def softmax_cross_entropy(context, _node, inputs):
    if context.target is None:
        return None
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=context.target, logits=inputs[0])
    return tf.reduce_mean(losses)


def binary_cross_entropy(context, _node, inputs):
    if context.target is None:
        return None
    logits = inputs[0][:, 0]
    losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.cast(context.target, logits.dtype), logits=logits)
    return tf.reduce_mean(losses)


def _plain(function):
    return lambda _context, _node, inputs: function(inputs[0])


OPS = Table("op", {
    "add": add, "avg_pool": avg_pool, "batch_norm": batch_norm, "binary_cross_entropy": binary_cross_entropy,
    "concat": concat, "conv2d": conv2d, "conv_table": conv_table, "dense": dense, "dropout": dropout,
    "embedding": recurrent.embedding, "flatten": flatten, "global_avg_pool": global_avg_pool, "lrn": lrn,
    "lstm": recurrent.lstm, "max_pool": max_pool, "relu": _plain(tf.nn.relu), "sigmoid": _plain(tf.nn.sigmoid),
    "softmax": _plain(tf.nn.softmax), "softmax_cross_entropy": softmax_cross_entropy, "tanh": _plain(tf.nn.tanh)})
