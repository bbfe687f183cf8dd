"""Operators of the neutral graph in Gluon. Functions of F are traced once, when the network is hybridized."""
import numpy as np
from mxnet.gluon import loss, nn

import recurrent
import windows
from dlbench_runner import Table


def _plain(function):
    return lambda network, _node, inputs: network.add(function, inputs)


def batch_norm(network, node, inputs):
    """Gluon's momentum is the share that the running statistics keep."""
    a = node.attributes
    layer = nn.BatchNorm(momentum=1.0 - a["momentum"], epsilon=a["epsilon"], in_channels=node.output_shape[0],
                         prefix=node.name + "_")
    return network.add_layer(node, layer, inputs)


def dense(network, node, inputs):
    features = network.graph.shape_of(node.inputs[0])[-1]
    layer = nn.Dense(node.attributes["out_features"], in_units=features, use_bias=node.attributes["bias"],
                     flatten=False, prefix=node.name + "_")
    return network.add_layer(node, layer, inputs)


def dropout(network, node, inputs):
    return network.add_layer(node, nn.Dropout(node.attributes["rate"], prefix=node.name + "_"), inputs)


def global_avg_pool(network, node, inputs):
    return network.add_layer(node, nn.GlobalAvgPool2D(), inputs)


def lrn(network, node, inputs):
    """MXNet divides alpha by the size."""
    a = node.attributes
    return network.add(lambda F, x: F.LRN(x, alpha=a["alpha"] * a["size"], beta=a["beta"], knorm=a["k"],
                                          nsize=a["size"]), inputs)


def softmax_cross_entropy(network, _node, inputs):
    """The session applies it: Gluon keeps the loss outside the network."""
    network.loss = loss.SoftmaxCrossEntropyLoss
    return inputs[0]


def binary_cross_entropy(network, _node, inputs):
    network.loss = loss.SigmoidBinaryCrossEntropyLoss
    network.target_type = np.float32  # this loss multiplies by the target
    return inputs[0]


OPS = Table("op", {"add": _plain(lambda F, a, b: a + b), "avg_pool": windows.avg_pool, "batch_norm": batch_norm,
                   "binary_cross_entropy": binary_cross_entropy, "concat": _plain(lambda F, *xs: F.concat(*xs, dim=1)),
                   "conv2d": windows.conv2d, "conv_table": windows.conv_table, "dense": dense, "dropout": dropout,
                   "embedding": recurrent.embedding, "flatten": _plain(lambda F, x: F.flatten(x)),
                   "global_avg_pool": global_avg_pool, "lrn": lrn, "lstm": recurrent.lstm,
                   "max_pool": windows.max_pool, "relu": _plain(lambda F, x: F.relu(x)),
                   "sigmoid": _plain(lambda F, x: F.sigmoid(x)), "softmax": _plain(lambda F, x: F.softmax(x)),
                   "softmax_cross_entropy": softmax_cross_entropy, "tanh": _plain(lambda F, x: F.tanh(x))})
