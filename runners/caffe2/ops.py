"""Operators of the neutral graph in Caffe2."""
import numpy as np
from caffe2.python import workspace

import recurrent
from dlbench_runner import Table, Windows, selections


def conv2d(network, node, inputs):
    a = node.attributes
    return network.add("Conv", node, inputs + [p.name for p in node.parameters], kernels=a["kernel"],
                       strides=a["stride"], pads=a["pads"], dilations=a["dilation"], group=a["groups"], order="NCHW",
                       no_bias=int(not a["bias"]), no_gradient_to_input=int(node.inputs[0] == "input"))


def conv_table(network, node, inputs):
    """A full convolution whose missing connections are zeros: a product with zeros and ones spreads the kernels."""
    outputs, readings, *kernel = node.parameters[0].shape
    weight, bias = [p.name for p in node.parameters]
    reads, rows, spread, full = [node.name + suffix for suffix in (".reads", ".rows", ".spread", ".full")]
    chosen = selections(network.graph, node).transpose(0, 2, 1)
    workspace.FeedBlob(reads, np.ascontiguousarray(chosen))
    network.net.Reshape(weight, [rows, rows + ".old_shape"], shape=[outputs, readings, -1])
    network.net.BatchMatMul([reads, rows], spread)
    network.net.Reshape(spread, [full, full + ".old_shape"], shape=[outputs, chosen.shape[1], *kernel])
    return network.add("Conv", node, [inputs[0], full, bias], kernels=kernel, strides=node.attributes["stride"],
                       pads=[0] * 4, order="NCHW", no_gradient_to_input=int(node.inputs[0] == "input"))


def _pool(network, node, inputs, operator, windows):
    """The pool whose pads reach exactly as far as the windows."""
    (top, bottom), (left, right) = windows.pads
    return network.add(operator, node, inputs, kernels=node.attributes["kernel"], strides=node.attributes["stride"],
                       pads=[top, left, bottom, right], order="NCHW")


def max_pool(network, node, inputs):
    return _pool(network, node, inputs, "MaxPool", Windows(network.graph, node))


def avg_pool(network, node, inputs):
    """Caffe2 divides by the cells inside the input; another divisor is a constant factor per window."""
    windows = Windows(network.graph, node)
    pooled = _pool(network, node, inputs, "AveragePool", windows)
    inside, wanted = windows.counts(False), windows.counts(node.attributes["count_include_pad"])
    if np.array_equal(inside, wanted):
        return pooled
    factors = node.name + ".factors"
    workspace.FeedBlob(factors, (inside / wanted).astype(np.float32))
    return network.add("Mul", node, [pooled, factors], node.name + ".scaled", broadcast=1)


def global_avg_pool(network, node, inputs):
    return network.add("AveragePool", node, inputs, global_pooling=1, order="NCHW")


def dense(network, node, inputs):
    """One product for each position, where there are several; MatMul would forget them, so FC gets zeros to add."""
    weights, axis = [p.name for p in node.parameters], len(node.output_shape)
    if not node.attributes["bias"]:
        if axis == 1:
            return network.add("MatMul", node, inputs + weights, trans_b=1)
        weights.append(node.name + ".zeros")
        workspace.FeedBlob(weights[1], np.zeros(node.output_shape[-1], np.float32))
    return network.add("FC", node, inputs + weights, axis=axis)


def embedding(network, node, inputs):
    """With a dense gradient, which a decay of all rows needs; that of Gather wants its indices in one row."""
    tokens = network.add("FlattenToVec", node, inputs, node.name + ".tokens")
    network.add("Gather", node, [node.parameters[0].name, tokens], dense_gradient=True)
    network.net.Reshape([node.name], [node.name, node.name + ".shape"], shape=(-1,) + node.output_shape)
    return node.name


def batch_norm(network, node, inputs):
    """Caffe2's momentum is the share of the old statistics. It wants at least one extent behind the channels."""
    if len(node.output_shape) == 3:
        return _spatial_bn(network, node, inputs[0], node.name)
    row = network.add("ExpandDims", node, inputs, node.name + ".row", dims=[2])
    return network.add("Squeeze", node, [_spatial_bn(network, node, row, node.name + ".normalised")], dims=[2])


def _spatial_bn(network, node, source, output):
    parameters = [p.name for p in node.parameters]
    kept = []
    if network.is_training:  # it writes the running statistics where it reads them, and keeps the batch's
        kept = parameters[2:] + [node.name + ".batch_mean", node.name + ".batch_deviation"]
    a = node.attributes
    network.net.SpatialBN([source] + parameters, [output] + kept, epsilon=a["epsilon"], momentum=1 - a["momentum"],
                          is_test=int(not network.is_training), order="NCHW")
    return output


def dropout(network, node, inputs):
    """Each operator has a generator of its own, so each needs another seed."""
    seed = (network.seed + network.graph.nodes.index(node)) % 2**32
    network.net.Dropout(inputs, [node.name, node.name + ".mask"], ratio=node.attributes["rate"],
                        is_test=int(not network.is_training), random_seed=seed)
    return node.name


def lrn(network, node, inputs):
    """Caffe2 divides alpha by the size."""
    a = node.attributes
    return network.add("LRN", node, inputs, size=a["size"], alpha=a["alpha"] * a["size"], beta=a["beta"], bias=a["k"],
                       order="NCHW")


def concat(network, node, inputs):
    network.net.Concat(inputs, [node.name, node.name + ".shapes"], axis=1)
    return node.name


def softmax_cross_entropy(network, node, inputs):
    if network.target is None:
        return inputs[0]
    network.net.SoftmaxWithLoss([inputs[0], network.target], [node.name + ".softmax", node.name],
                                axis=len(network.graph.logits_shape))
    return node.name


def binary_cross_entropy(network, node, inputs):
    if network.target is None:
        return inputs[0]
    losses = network.add("SigmoidCrossEntropyWithLogits", node, [inputs[0], network.target], node.name + ".rows")
    return network.add("AveragedLoss", node, [losses])


def _plain(operator, **arguments):
    return lambda network, node, inputs: network.add(operator, node, inputs, **arguments)


def _activation(operator):
    return lambda network, node, inputs: network.add(operator, node, inputs,
                                                     inputs[0] if network.may_overwrite(node) else None)


OPS = Table("op", {"add": _plain("Add"), "avg_pool": avg_pool, "batch_norm": batch_norm,
                   "binary_cross_entropy": binary_cross_entropy, "concat": concat, "conv2d": conv2d, "conv_table": conv_table, "dense": dense,
                   "dropout": dropout, "embedding": embedding, "flatten": _plain("Flatten"),
                   "global_avg_pool": global_avg_pool, "lrn": lrn, "lstm": recurrent.lstm, "max_pool": max_pool,
                   "relu": _activation("Relu"), "sigmoid": _activation("Sigmoid"), "softmax": _plain("Softmax"),
                   "softmax_cross_entropy": softmax_cross_entropy, "tanh": _activation("Tanh")})

# What each loss takes as its target.
TARGETS = {"binary_cross_entropy": lambda target: target.astype(np.float32)[:, None],
           "softmax_cross_entropy": lambda target: target.astype(np.int32)}
