"""Operators of the neutral graph as Keras layers."""
import keras
import numpy as np
from keras import layers

from dlbench_runner import Table, Unsupported, Windows, keeps_channels_last, selections
from losses import LOSSES


def _padding(windows):
    """"valid" or "same" where one of them makes the windows, else None."""
    if not windows.is_padded():
        return "valid"
    return "same" if windows.is_same() else None


def conv2d(network, node, inputs):
    attributes = node.attributes
    if max(attributes["stride"]) > 1 and max(attributes["dilation"]) > 1:
        raise Unsupported("conv2d with stride and dilation")
    windows = Windows(network.graph, node)
    x, padding = inputs[0], _padding(windows)
    if padding is None:
        x, padding = layers.ZeroPadding2D(windows.pads)(x), "valid"
    layer = layers.Conv2D(attributes["out_channels"], attributes["kernel"], strides=attributes["stride"],
                          padding=padding, dilation_rate=attributes["dilation"], groups=attributes["groups"],
                          use_bias=attributes["bias"], **network.regularizers(node))
    return network.add(node, layer, x)


class TableConv2D(layers.Layer):
    """A full convolution whose missing connections are zeros: Keras has no connection tables, and a group for each output
    channel would go a way through XLA on TensorFlow that takes seconds a step.

    reads[o, r, i]: 1 where output channel o reads input channel i as its reading r, else 0.
    """

    def __init__(self, node, reads, kernel_regularizer=None, bias_regularizer=None):
        super().__init__()
        outputs, readings, *extents = node.parameters[0].shape
        self._reads, self._stride = reads, node.attributes["stride"]
        self._weight = {"name": "kernel", "shape": (*extents, readings, outputs), "regularizer": kernel_regularizer}
        self._offset = {"name": "bias", "shape": (outputs,), "regularizer": bias_regularizer}

    def build(self, _input_shape):
        self.kernel = self.add_weight(**self._weight)
        self.bias = self.add_weight(**self._offset)

    def call(self, inputs):
        full = keras.ops.einsum("hwro,ori->hwio", self.kernel, self._reads)
        return keras.ops.conv(inputs, full, self._stride, padding="valid", data_format="channels_last") + self.bias


def conv_table(network, node, inputs):
    layer = TableConv2D(node, selections(network.graph, node), **network.regularizers(node))
    return network.add(node, layer, inputs[0])


def _padded(x, windows, value):
    if not windows.is_padded():
        return x
    return keras.ops.pad(x, ((0, 0), *windows.pads, (0, 0)), constant_values=value)


def max_pool(network, node, inputs):
    windows = Windows(network.graph, node)
    x, padding = inputs[0], _padding(windows)
    if padding is None:
        x, padding = _padded(x, windows, -np.inf), "valid"
    return layers.MaxPooling2D(node.attributes["kernel"], node.attributes["stride"], padding)(x)


def _averages_same(node, windows):
    """Whether "same" averages over the cells inside the input. On PyTorch, where the windows want more pads behind than
    before, Keras repeats the last cells and averages over these too (keras/src/backend/torch/nn.py)."""
    if keras.backend.backend() == "torch" and any(before != behind for before, behind in windows.pads):
        return False
    return np.array_equal(windows.counts(node.attributes["count_include_pad"]), windows.counts(False))


def avg_pool(network, node, inputs):
    """Keras divides by the number of cells inside the input; other divisors are a constant factor per window."""
    kernel, stride = node.attributes["kernel"], node.attributes["stride"]
    windows, with_pads = Windows(network.graph, node), node.attributes["count_include_pad"]
    padding = _padding(windows) if _averages_same(node, windows) else None
    if padding is not None:
        return layers.AveragePooling2D(kernel, stride, padding)(inputs[0])
    means = layers.AveragePooling2D(kernel, stride)(_padded(inputs[0], windows, 0.0))
    factors = windows.factors(with_pads)
    return means if factors is None else means * factors[None, :, :, None]


def global_avg_pool(_network, _node, inputs):
    return layers.GlobalAveragePooling2D(keepdims=True)(inputs[0])


def batch_norm(network, node, inputs):
    # Keras's momentum is the share of the old running statistics.
    layer = layers.BatchNormalization(momentum=1.0 - node.attributes["momentum"], epsilon=node.attributes["epsilon"],
                                      **network.regularizers(node))
    return network.add(node, layer, inputs[0])


def lrn(network, node, inputs):
    """Keras has no such layer; this is the sum of shifted squares that its users write."""
    attributes, channels = node.attributes, network.graph.shape_of(node.inputs[0])[0]
    reach = attributes["size"] // 2
    whole = keras.ops.pad(keras.ops.square(inputs[0]), ((0, 0), (0, 0), (0, 0), (reach, reach)))
    sums = sum(whole[..., i:i + channels] for i in range(attributes["size"]))
    return inputs[0] / (attributes["k"] + attributes["alpha"] * sums) ** attributes["beta"]


def dropout(_network, node, inputs):
    return layers.Dropout(node.attributes["rate"])(inputs[0])


def dense(network, node, inputs):
    layer = layers.Dense(node.attributes["out_features"], use_bias=node.attributes["bias"],
                         **network.regularizers(node))
    return network.add(node, layer, inputs[0])


def flatten(network, node, inputs):
    x = inputs[0]
    if not keeps_channels_last(network.graph, node):
        x = layers.Permute((3, 1, 2))(x)
    return layers.Flatten()(x)


def embedding(network, node, inputs):
    layer = layers.Embedding(node.attributes["vocabulary"], node.attributes["features"],
                             **network.regularizers(node, {"weight": "embeddings_regularizer"}))
    result = layer(inputs[0])
    network.bind(node, layer, {"weight": "embeddings"})
    return result


def lstm(network, node, inputs):
    """Gates are i, f, c, o, which are the graph's i, f, g, o; one bias. The layer's cell holds the variables."""
    layer = layers.LSTM(node.attributes["hidden"], return_sequences=not node.attributes["last_only"],
                        **network.regularizers(node))
    result = layer(inputs[0])
    network.bind(node, layer.cell)
    return result


def concat(_network, node, inputs):
    """Channels and features come last; positions come before these."""
    return layers.Concatenate(axis=1 if len(node.output_shape) == 2 else -1)(inputs)


def logits_of_loss(_network, _node, inputs):
    """The session computes the loss, and only where there are targets: here the value is just the logits."""
    return inputs[0]


def _activation(name):
    return lambda _network, _node, inputs: layers.Activation(name)(inputs[0])


def softmax(network, node, inputs):
    if node.name == network.graph.logits and keras.backend.backend() == "tensorflow":
        # That back end's cross entropy finds out that its input is a softmax's output and takes the softmax's input
        # instead, whatever from_logits says: the loss would be that of another network.
        raise Unsupported("softmax right before the loss: Keras's TensorFlow back end takes it off again")
    return layers.Activation("softmax")(inputs[0])


OPS = Table("op", {
    "add": lambda _network, _node, inputs: layers.Add()(inputs), "avg_pool": avg_pool, "batch_norm": batch_norm,
    "concat": concat, "conv2d": conv2d, "conv_table": conv_table, "dense": dense, "dropout": dropout, "embedding": embedding,
    "flatten": flatten, "global_avg_pool": global_avg_pool, "lrn": lrn, "lstm": lstm, "max_pool": max_pool,
    "relu": _activation("relu"), "sigmoid": _activation("sigmoid"), "softmax": softmax,
    "tanh": _activation("tanh"), **dict.fromkeys(LOSSES, logits_of_loss)})
