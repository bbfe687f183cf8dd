"""Operators of the neutral graph as ONNX operators."""
from dlbench_runner import Table, Windows


def _parameters(node):
    return [parameter.name for parameter in node.parameters]


def conv2d(network, node, inputs):
    attributes = node.attributes
    return network.add("Conv", [inputs[0], *_parameters(node)], kernel_shape=attributes["kernel"],
                       strides=attributes["stride"], pads=attributes["pads"], dilations=attributes["dilation"],
                       group=attributes["groups"])


def _pads(windows):
    """In ONNX's order, all in front before all behind."""
    (top, bottom), (left, right) = windows.pads
    return [top, left, bottom, right]


def max_pool(network, node, inputs):
    return network.add("MaxPool", inputs, kernel_shape=node.attributes["kernel"], strides=node.attributes["stride"],
                       pads=_pads(Windows(network.graph, node)))


def dense(network, node, inputs):
    return network.add("Gemm", [inputs[0], *_parameters(node)], transB=1)


def softmax_cross_entropy(_network, _node, inputs):
    """ONNX Runtime adds the loss when it makes the training model: here the value is just the logits."""
    return inputs[0]


def _same(kind, **attributes):
    """Entry of an operator without attributes and parameters of its own."""
    return lambda network, _node, inputs: network.add(kind, inputs, **attributes)


OPS = Table("op", {
    "add": _same("Add"), "concat": _same("Concat", axis=1), "conv2d": conv2d, "dense": dense,
    "flatten": _same("Flatten"), "global_avg_pool": _same("GlobalAveragePool"), "max_pool": max_pool,
    "relu": _same("Relu"), "sigmoid": _same("Sigmoid"), "softmax": _same("Softmax", axis=1),
    "softmax_cross_entropy": softmax_cross_entropy, "tanh": _same("Tanh")})
