"""Operators of the neutral graph as ONNX operators."""
import numpy as np

import recurrent
from dlbench_runner import Table, Windows, selections


def _parameters(node):
    return [parameter.name for parameter in node.parameters]


def conv2d(network, node, inputs):
    attributes = node.attributes
    return network.add("Conv", [inputs[0], *_parameters(node)], kernel_shape=attributes["kernel"],
                       strides=attributes["stride"], pads=attributes["pads"], dilations=attributes["dilation"],
                       group=attributes["groups"])


def conv_table(network, node, inputs):
    """A full convolution whose missing connections are zeros: a product with zeros and ones spreads the kernels."""
    outputs, readings, *kernel = node.parameters[0].shape
    weight, bias = _parameters(node)
    reads = selections(network.graph, node).transpose(0, 2, 1)
    rows = network.add("Reshape", [weight, network.constant(np.array([outputs, readings, -1]))])
    spread = network.add("MatMul", [network.constant(reads), rows])
    full = network.add("Reshape", [spread, network.constant(np.array([outputs, reads.shape[1], *kernel]))])
    return network.add("Conv", [inputs[0], full, bias], kernel_shape=kernel, strides=node.attributes["stride"])


def _pads(windows):
    """In ONNX's order, all in front before all behind."""
    (top, bottom), (left, right) = windows.pads
    return [top, left, bottom, right]


def max_pool(network, node, inputs):
    return network.add("MaxPool", inputs, kernel_shape=node.attributes["kernel"], strides=node.attributes["stride"],
                       pads=_pads(Windows(network.graph, node)))


def batch_norm(network, node, inputs):
    statistics = [parameter.name for parameter in node.parameters if parameter.is_statistic]
    updates = [name + ".new" for name in statistics] if network.is_training else []
    network.updates.update(zip(statistics, updates))
    # ONNX's momentum is the share of the old running statistics.
    return network.add("BatchNormalization", [inputs[0], *_parameters(node)], updates,
                       epsilon=node.attributes["epsilon"], momentum=1.0 - node.attributes["momentum"],
                       training_mode=int(network.is_training))


def dropout(network, node, inputs):
    """Its masks are correlated from step to step, which the gate says: see README.md."""
    rate = network.constant(np.float32(node.attributes["rate"]))
    # Its gradient reads the mask.
    return network.add("Dropout", [inputs[0], rate, network.constant(np.bool_(network.is_training))],
                       [node.name + ".mask"])


def dense(network, node, inputs):
    """Positions are rows of the product: Gemm takes matrices only."""
    *positions, in_features = network.graph.shape_of(node.inputs[0])
    if not positions:
        return network.add("Gemm", [inputs[0], *_parameters(node)], transB=1)
    product = network.add("Gemm", [_reshape(network, inputs[0], [-1, in_features]), *_parameters(node)], transB=1)
    return _reshape(network, product, [-1, *node.output_shape])


def _reshape(network, value, shape):
    return network.add("Reshape", [value, network.constant(np.array(shape))])


def loss(network, _node, inputs):
    """ONNX Runtime adds it when it makes the training model: here the value is what it reads, a row for each target."""
    *positions, classes = network.graph.logits_shape
    return _reshape(network, inputs[0], [-1, classes]) if positions else inputs[0]


def _same(kind, **attributes):
    """Entry of an operator without attributes and parameters of its own."""
    return lambda network, _node, inputs: network.add(kind, inputs, **attributes)


OPS = Table("op", {
    "add": _same("Add"), "batch_norm": batch_norm, "binary_cross_entropy": loss, "concat": _same("Concat", axis=1),
    "conv2d": conv2d, "conv_table": conv_table, "dense": dense, "dropout": dropout, "embedding": recurrent.embedding, "flatten": _same("Flatten"),
    "global_avg_pool": _same("GlobalAveragePool"), "lstm": recurrent.lstm, "max_pool": max_pool,
    "relu": _same("Relu"), "sigmoid": _same("Sigmoid"), "softmax": _same("Softmax", axis=1),
    "softmax_cross_entropy": loss, "tanh": _same("Tanh")})
