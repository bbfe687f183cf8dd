"""Operators of the neutral graph as Keras layers, pictures in the back end's data format."""
import keras.backend as K
from keras import layers, regularizers

import windows
from backend import BACKEND
from dlbench_runner import Table, Unsupported, keeps_channels_last

# Of a layer by the role of a parameter.
_VARIABLES = {"weight": "kernel", "recurrent": "recurrent_kernel", "bias": "bias"}


class Network:
    """variables: Keras's, by the graph's parameter names. decay: L2 coefficient by role."""

    def __init__(self, graph, decay):
        self.graph = graph
        self.variables = {}
        self._decay = decay

    def penalty(self, role):
        """Keras adds l * sum of w * w to the loss, whose gradient is 2 l w."""
        return regularizers.l2(self._decay[role] / 2) if self._decay[role] else None

    def penalties(self):
        """Arguments of a layer."""
        return {"kernel_regularizer": self.penalty("weight"), "bias_regularizer": self.penalty("bias")}

    def add(self, node, layer, inputs):
        result = layer(inputs if len(inputs) > 1 else inputs[0])
        self.bind(node, layer)
        return result

    def bind(self, node, owner, names=None):
        """The built owner's variables hold the node's parameters."""
        for parameter in node.parameters:
            self.variables[parameter.name] = getattr(owner, (names or _VARIABLES)[parameter.role])


def dense(network, node, inputs):
    layer = layers.Dense(node.attributes["out_features"], use_bias=node.attributes["bias"], **network.penalties())
    return network.add(node, layer, inputs)


def embedding(network, node, inputs):
    layer = layers.Embedding(node.attributes["vocabulary"], node.attributes["features"],
                             embeddings_regularizer=network.penalty("weight"))
    result = layer(inputs[0])
    network.bind(node, layer, {"weight": "embeddings"})
    return result


def lstm(network, node, inputs):
    """Gates are i, f, c, o, which are the graph's i, f, g, o; one bias. Unasked Keras 2 takes a hard sigmoid."""
    layer = layers.LSTM(node.attributes["hidden"], recurrent_activation="sigmoid",
                        return_sequences=not node.attributes["last_only"],
                        recurrent_regularizer=network.penalty("weight"), **network.penalties(), **BACKEND.LSTM)
    result = layer(inputs[0])
    network.bind(node, layer.cell)
    return result


def concat(network, node, inputs):
    """Of pictures the channels; features are the last axis, positions the one before these."""
    is_picture = len(node.output_shape) == 3
    return network.add(node, layers.Concatenate(axis=windows.CHANNELS if is_picture else 1), inputs)


def batch_norm(_network, _node, _inputs):
    raise Unsupported("batch_norm: " + BACKEND.BATCH_NORM)


def dropout(network, node, inputs):
    """Without a seed, as programs write it: Keras then draws a large one for each layer from numpy's generator."""
    return network.add(node, layers.Dropout(node.attributes["rate"]), inputs)


def flatten(network, node, inputs):
    """Keras's Flatten puts the channels last, whatever the data format; told "channels_last" it moves nothing."""
    x = inputs[0]
    is_picture = len(network.graph.shape_of(node.inputs[0])) == 3
    if is_picture and keeps_channels_last(network.graph, node):
        return layers.Flatten()(x)
    if is_picture and windows.CHANNELS == 3:
        x = layers.Permute((3, 1, 2))(x)
    # On TensorFlow Flatten forgets how wide it is, and a loss right behind it asks for that.
    is_last = network.graph.nodes[-1].inputs[0] == node.name
    return (layers.Reshape(node.output_shape) if is_last else layers.Flatten("channels_last"))(x)


def global_avg_pool(_network, node, inputs):
    return windows.function(node, lambda x: K.mean(x, axis=windows.PLACES, keepdims=True))(inputs[0])


def lrn(_network, node, inputs):
    """Keras has no such layer; its back end has."""
    return windows.function(node, lambda x: BACKEND.lrn(x, node.attributes))(inputs[0])


def logits_of_loss(_network, _node, inputs):
    """The model is compiled with it."""
    return inputs[0]


def _plain(make):
    return lambda network, node, inputs: network.add(node, make(), inputs)


def _activation(name):
    return _plain(lambda: layers.Activation(name))


OPS = Table("op", {"add": _plain(layers.Add), "avg_pool": windows.avg_pool, "batch_norm": batch_norm,
                   "concat": concat, "conv2d": windows.conv2d, "conv_table": windows.conv_table, "dense": dense, "dropout": dropout,
                   "embedding": embedding, "flatten": flatten, "global_avg_pool": global_avg_pool, "lrn": lrn,
                   "lstm": lstm, "max_pool": windows.max_pool, "relu": _activation(BACKEND.RELU),
                   "sigmoid": _activation("sigmoid"), "softmax": _activation("softmax"),
                   "tanh": _activation("tanh"), **dict.fromkeys(BACKEND.LOSSES, logits_of_loss)})
