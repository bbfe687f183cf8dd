"""Operators of the neutral graph as Keras layers, pictures channels-last as Keras has them unasked."""
import keras.backend as K
import tensorflow as tf
from keras import layers, regularizers

import windows
from dlbench_runner import Table, keeps_channels_last


class Network:
    """Layers with parameters by the name of their node. decay: L2 coefficient by role."""

    def __init__(self, graph, decay):
        self.graph = graph
        self.layers = {}
        self._decay = decay

    def penalties(self):
        """Arguments of a layer: Keras adds l * sum of w * w to the loss, whose gradient is 2 l w."""
        return {role: regularizers.l2(self._decay[key] / 2) if self._decay[key] else None
                for role, key in (("kernel_regularizer", "weight"), ("bias_regularizer", "bias"))}

    def add(self, node, layer, inputs):
        if node.parameters:
            self.layers[node.name] = layer
        return layer(inputs if len(inputs) > 1 else inputs[0])


def dense(network, node, inputs):
    layer = layers.Dense(node.attributes["out_features"], use_bias=node.attributes["bias"], **network.penalties())
    return network.add(node, layer, inputs)


def flatten(network, node, inputs):
    x = inputs[0]
    if not keeps_channels_last(network.graph, node):
        x = layers.Permute((3, 1, 2))(x)
    return layers.Flatten()(x)


def global_avg_pool(network, node, inputs):
    return network.add(node, layers.Lambda(lambda x: K.mean(x, axis=(1, 2), keepdims=True)), inputs)


def lrn(network, node, inputs):
    """Keras has no such layer; its back end has."""
    a = node.attributes
    return network.add(node, layers.Lambda(lambda x: tf.nn.local_response_normalization(
        x, depth_radius=a["size"] // 2, bias=a["k"], alpha=a["alpha"], beta=a["beta"])), inputs)


def softmax_cross_entropy(_network, _node, inputs):
    """The model is compiled with it."""
    return inputs[0]


def _plain(make):
    return lambda network, node, inputs: network.add(node, make(), inputs)


def _activation(name):
    return _plain(lambda: layers.Activation(name))


OPS = Table("op", {"add": _plain(layers.Add), "avg_pool": windows.avg_pool,
                   "concat": _plain(lambda: layers.Concatenate(axis=-1)), "conv2d": windows.conv2d, "dense": dense,
                   "flatten": flatten, "global_avg_pool": global_avg_pool, "lrn": lrn,
                   "max_pool": windows.max_pool, "relu": _activation("relu"), "sigmoid": _activation("sigmoid"),
                   "softmax": _activation("softmax"), "softmax_cross_entropy": softmax_cross_entropy,
                   "tanh": _activation("tanh")})
