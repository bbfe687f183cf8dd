"""Operators of the neutral graph in Chainer."""
import chainer.functions as F
import chainer.links as L

import windows
from dlbench_runner import Table


def _plain(function):
    return lambda network, _node, inputs: network.add(function, inputs)


def dense(network, node, inputs):
    features = network.graph.shape_of(node.inputs[0])[0]
    link = L.Linear(features, node.attributes["out_features"], nobias=not node.attributes["bias"])
    return network.add(network.add_layer(node, link), inputs)


def flatten(network, node, inputs):
    features = node.output_shape[0]
    return network.add(lambda x: F.reshape(x, (x.shape[0], features)), inputs)


def global_avg_pool(network, _node, inputs):
    return network.add(lambda x: F.mean(x, axis=(2, 3), keepdims=True), inputs)


def lrn(network, node, inputs):
    a = node.attributes
    return network.add(lambda x: F.local_response_normalization(x, a["size"], a["k"], a["alpha"], a["beta"]), inputs)


def softmax_cross_entropy(_network, _node, inputs):
    """The session applies it: it alone has the target."""
    return inputs[0]


OPS = Table("op", {"add": _plain(lambda a, b: a + b), "avg_pool": windows.avg_pool,
                   "concat": _plain(lambda *xs: F.concat(xs, axis=1)), "conv2d": windows.conv2d,
                   "conv_table": windows.conv_table, "dense": dense, "flatten": flatten,
                   "global_avg_pool": global_avg_pool, "lrn": lrn, "max_pool": windows.max_pool,
                   "relu": _plain(F.relu), "sigmoid": _plain(F.sigmoid), "softmax": _plain(F.softmax),
                   "softmax_cross_entropy": softmax_cross_entropy, "tanh": _plain(F.tanh)})
