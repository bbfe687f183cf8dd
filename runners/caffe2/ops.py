"""Operators of the neutral graph in Caffe2."""
import numpy as np
from caffe2.python import workspace

from dlbench_runner import Table, Windows


def conv2d(network, node, inputs):
    a = node.attributes
    return network.add("Conv", node, inputs + [p.name for p in node.parameters], kernels=a["kernel"],
                       strides=a["stride"], pads=a["pads"], dilations=a["dilation"], group=a["groups"], order="NCHW",
                       no_bias=int(not a["bias"]))


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
    weights = [p.name for p in node.parameters]
    if node.attributes["bias"]:
        return network.add("FC", node, inputs + weights)
    return network.add("MatMul", node, inputs + weights, trans_b=1)


def relu(network, node, inputs):
    return network.add("Relu", node, inputs, inputs[0] if network.may_overwrite(node) else None)


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
    network.net.SoftmaxWithLoss([inputs[0], network.target], [node.name + ".softmax", node.name])
    return node.name


def _plain(operator, **arguments):
    return lambda network, node, inputs: network.add(operator, node, inputs, **arguments)


OPS = Table("op", {"add": _plain("Add"), "avg_pool": avg_pool, "concat": concat, "conv2d": conv2d, "dense": dense,
                   "flatten": _plain("Flatten"), "global_avg_pool": global_avg_pool, "lrn": lrn, "max_pool": max_pool,
                   "relu": relu, "sigmoid": _plain("Sigmoid"), "softmax": _plain("Softmax"),
                   "softmax_cross_entropy": softmax_cross_entropy, "tanh": _plain("Tanh")})
