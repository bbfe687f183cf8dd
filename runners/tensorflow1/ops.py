"""Operators of the neutral graph in TensorFlow 1. Each entry is called once for training and once for evaluation."""
import tensorflow as tf

import recurrent
import windows
from dlbench_runner import Table, keeps_channels_last, lower


class Context:
    """What the entries need besides their inputs: the graph, its variables by name, the target of a training step."""

    def __init__(self, graph, variables, target=None):
        self.graph = graph
        self.variables = variables
        self.target = target

    def parameter(self, node, role):
        return self.variables["%s.%s" % (node.name, role)]

    def with_bias(self, node, value):
        return tf.nn.bias_add(value, self.parameter(node, "bias")) if node.attributes["bias"] else value


def run(context, x):
    """(logits, loss) of a canonical batch; the loss is None without a target."""
    shape = context.graph.input_shape
    if len(shape) == 3 and shape[0] == 1:
        x = tf.reshape(x, [-1, shape[1], shape[2], 1])
    elif len(shape) == 3:
        x = tf.transpose(x, [0, 2, 3, 1])
    return lower(context.graph, OPS, context, x)


def global_avg_pool(_context, _node, inputs):
    return tf.reduce_mean(inputs[0], axis=[1, 2], keepdims=True)


def lrn(_context, node, inputs):
    attributes = node.attributes
    return tf.nn.local_response_normalization(inputs[0], depth_radius=attributes["size"] // 2, bias=attributes["k"],
                                              alpha=attributes["alpha"], beta=attributes["beta"])


def batch_norm(context, node, inputs):
    """The operator behind tf.nn.fused_batch_norm, which itself would raise epsilon to 1.001e-5 for cuDNN."""
    scale, shift, mean, variance = [context.parameter(node, role) for role in ("scale", "shift", "mean", "variance")]
    is_picture, is_training = len(node.output_shape) == 3, context.target is not None
    x = inputs[0] if is_picture else tf.reshape(inputs[0], [-1, 1, 1, node.output_shape[0]])
    result = tf.raw_ops.FusedBatchNormV3(x=x, scale=scale, offset=shift, epsilon=node.attributes["epsilon"],
                                         mean=[] if is_training else mean,
                                         variance=[] if is_training else variance, is_training=is_training)
    if is_training:
        for running, batch in ((mean, result.batch_mean), (variance, result.batch_variance)):
            update = tf.assign_sub(running, (running - batch) * node.attributes["momentum"])
            tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update)
    return result.y if is_picture else tf.reshape(result.y, [-1, node.output_shape[0]])


def dropout(context, node, inputs):
    return inputs[0] if context.target is None else tf.nn.dropout(inputs[0], rate=node.attributes["rate"])


def dense(context, node, inputs):
    weight = context.parameter(node, "weight")
    # For positions one product of all of them: matmul would take a batch of products.
    product = tf.matmul(inputs[0], weight) if len(node.output_shape) == 1 else tf.tensordot(inputs[0], weight, 1)
    return context.with_bias(node, product)


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
    "add": add, "avg_pool": windows.avg_pool, "batch_norm": batch_norm, "binary_cross_entropy": binary_cross_entropy,
    "concat": concat, "conv2d": windows.conv2d, "conv_table": windows.conv_table, "dense": dense, "dropout": dropout,
    "embedding": recurrent.embedding, "flatten": flatten, "global_avg_pool": global_avg_pool, "lrn": lrn,
    "lstm": recurrent.lstm, "max_pool": windows.max_pool, "relu": _plain(tf.nn.relu), "sigmoid": _plain(tf.nn.sigmoid),
    "softmax": _plain(tf.nn.softmax), "softmax_cross_entropy": softmax_cross_entropy, "tanh": _plain(tf.nn.tanh)})
