"""Operators of the neutral graph that slide windows over pictures, as Keras layers."""
import numpy as np
import keras.backend as K
from keras import layers

from backend import BACKEND
from dlbench_runner import Unsupported, Windows, selections

# Axes of a batch of pictures.
CHANNELS, PLACES = (3, (1, 2)) if BACKEND.DATA_FORMAT == "channels_last" else (1, (2, 3))


def _picture(channels, rows, columns):
    """In the order of the axes."""
    return (rows, columns, channels) if CHANNELS == 3 else (channels, rows, columns)


def _padding(graph, node, geometry):
    """"valid" or "same" where one of them makes the windows, else None."""
    if not geometry.is_padded():
        return "valid"
    return "same" if BACKEND.makes_same(graph, node) else None


def conv2d(network, node, inputs):
    a = node.attributes
    if a["groups"] != 1:
        raise Unsupported("conv2d with groups")
    if max(a["stride"]) > 1 and max(a["dilation"]) > 1:
        raise Unsupported("conv2d with stride and dilation")
    geometry = Windows(network.graph, node)
    padding = _padding(network.graph, node, geometry)
    if padding is None:
        inputs = [layers.ZeroPadding2D(geometry.pads)(inputs[0])]
    layer = layers.Conv2D(a["out_channels"], tuple(a["kernel"]), strides=tuple(a["stride"]),
                          padding=padding or "valid", dilation_rate=tuple(a["dilation"]), use_bias=a["bias"],
                          **network.penalties())
    return network.add(node, layer, inputs)


class TableConv2D(layers.Layer):
    """A full convolution whose missing connections are zeros: Keras has no connection tables.

    reads[i, o, r]: 1 where output channel o reads input channel i as its reading r, else 0.
    """

    def __init__(self, node, reads, penalties):
        super().__init__()
        outputs, readings, *extents = node.parameters[0].shape
        self._reads, self._stride = reads, tuple(node.attributes["stride"])
        self._shape, self._output = tuple(extents) + (readings, outputs), _picture(*node.output_shape)
        self._penalties = penalties

    def build(self, input_shape):
        self.kernel = self.add_weight("kernel", self._shape, initializer="zeros",
                                      regularizer=self._penalties["kernel_regularizer"])
        self.bias = self.add_weight("bias", self._shape[-1:], initializer="zeros",
                                    regularizer=self._penalties["bias_regularizer"])
        super().build(input_shape)

    def call(self, inputs):
        # A slice, a product and a sum for each reading: what all back ends have.
        full = sum(BACKEND.single(self.kernel[:, :, r:r + 1, :], 2) * self._reads[None, None, :, :, r]
                   for r in range(self._shape[2]))
        return K.bias_add(K.conv2d(inputs, full, strides=self._stride, padding="valid"), self.bias)

    def compute_output_shape(self, input_shape):
        return input_shape[:1] + self._output


def conv_table(network, node, inputs):
    reads = selections(network.graph, node).transpose(2, 0, 1)
    return network.add(node, TableConv2D(node, reads, network.penalties()), inputs)


def function(node, of):
    """A layer with neither parameters nor a name in Keras. Not every back end infers a function's shape."""
    return layers.Lambda(of, output_shape=_picture(*node.output_shape))


def _padded(network, node, geometry, value, x):
    if not geometry.is_padded():
        return x
    channels, height, width = network.graph.shape_of(node.inputs[0])
    rows, columns = geometry.pads
    pads = [(0, 0), *_picture((0, 0), rows, columns)]
    shape = _picture(channels, height + sum(rows), width + sum(columns))
    return layers.Lambda(lambda picture: BACKEND.pad(picture, pads, value), output_shape=shape)(x)


def max_pool(network, node, inputs):
    geometry = Windows(network.graph, node)
    x, padding = inputs[0], _padding(network.graph, node, geometry)
    if padding is None:
        x, padding = _padded(network, node, geometry, -np.inf, x), "valid"
    return layers.MaxPooling2D(tuple(node.attributes["kernel"]), tuple(node.attributes["stride"]), padding)(x)


def avg_pool(network, node, inputs):
    """Keras divides by the cells inside the input; another divisor is a constant factor per window."""
    kernel, stride = tuple(node.attributes["kernel"]), tuple(node.attributes["stride"])
    geometry, with_pads = Windows(network.graph, node), node.attributes["count_include_pad"]
    padding = _padding(network.graph, node, geometry)
    if padding is not None and np.array_equal(geometry.counts(with_pads), geometry.counts(False)):
        return layers.AveragePooling2D(kernel, stride, padding)(inputs[0])
    means = layers.AveragePooling2D(kernel, stride)(_padded(network, node, geometry, 0.0, inputs[0]))
    factors = geometry.factors(with_pads)
    if factors is None:
        return means
    # Without an axis for the batch, which is none in CNTK: it would become one of the picture.
    spread = np.expand_dims(factors, CHANNELS - 1)
    return function(node, lambda x: x * spread)(means)
