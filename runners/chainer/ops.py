"""Operators of the neutral graph in Chainer."""
from functools import partial

import chainer
import chainer.functions as F
import chainer.links as L

import recurrent
import windows
from dlbench_runner import Table


def _plain(function):
    return lambda network, _node, inputs: network.add(function, inputs)


def batch_norm(network, node, inputs):
    """Chainer's decay is the share that the running statistics keep."""
    a = node.attributes
    link = L.BatchNormalization(node.output_shape[0], decay=1.0 - a["momentum"], eps=a["epsilon"])
    return network.add(network.add_layer(node, link), inputs)


def dense(network, node, inputs):
    *positions, features = network.graph.shape_of(node.inputs[0])
    link = L.Linear(features, node.attributes["out_features"], nobias=not node.attributes["bias"])
    network.add_layer(node, link)
    return network.add(partial(link, n_batch_axes=2) if positions else link, inputs)


def _on_numpy(function):
    """`function` on plain arrays, forward and backward, where iDeep's version of it is wrong."""
    def on_numpy(x):
        if chainer.config.use_ideep == "never":
            return function(x)
        plain = F.copy(x, "@numpy")
        with chainer.using_config("use_ideep", "never"):
            return F.copy(function(plain), "@intel64")
    return on_numpy


def dropout(network, node, inputs):
    """iDeep seeds each mask by the second, so that layers and steps share one."""
    rate = node.attributes["rate"]
    return network.add(_on_numpy(lambda x: F.dropout(x, rate)), inputs)


def flatten(network, node, inputs):
    features = node.output_shape[0]
    return network.add(lambda x: F.reshape(x, (x.shape[0], features)), inputs)


def global_avg_pool(network, _node, inputs):
    return network.add(lambda x: F.mean(x, axis=(2, 3), keepdims=True), inputs)


def lrn(network, node, inputs):
    """iDeep's gradient of an image in blocks of 8 or 16 channels, as a convolution leaves it, is wrong."""
    a = node.attributes
    normalise = _on_numpy(lambda x: F.local_response_normalization(x, a["size"], a["k"], a["alpha"], a["beta"]))
    return network.add(normalise, inputs)


def loss(_network, _node, inputs):
    """The session applies it: it alone has the target."""
    return inputs[0]


OPS = Table("op", {"add": _plain(lambda a, b: a + b), "avg_pool": windows.avg_pool,
                   "batch_norm": batch_norm, "binary_cross_entropy": loss,
                   "concat": _plain(lambda *xs: F.concat(xs, axis=1)),
                   "conv2d": windows.conv2d, "conv_table": windows.conv_table, "dense": dense, "dropout": dropout,
                   "embedding": recurrent.embedding, "flatten": flatten,
                   "global_avg_pool": global_avg_pool, "lrn": lrn, "lstm": recurrent.lstm,
                   "max_pool": windows.max_pool,
                   "relu": _plain(F.relu), "sigmoid": _plain(F.sigmoid), "softmax": _plain(F.softmax),
                   "softmax_cross_entropy": loss, "tanh": _plain(F.tanh)})
