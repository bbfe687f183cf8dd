"""Operators of the neutral graph that slide windows over pictures, as Keras layers."""
import numpy as np
import keras.backend as K
from keras import layers

from backend import BACKEND
from dlbench_runner import Unsupported, Windows, selections


def conv2d(network, node, inputs):
    a = node.attributes
    top, left, bottom, right = a["pads"]
    if a["groups"] != 1:
        raise Unsupported("conv2d with groups")
    if max(a["stride"]) > 1 and max(a["dilation"]) > 1:
        raise Unsupported("conv2d with stride and dilation")
    if any(a["pads"]):
        inputs = [layers.ZeroPadding2D(((top, bottom), (left, right)))(inputs[0])]
    layer = layers.Conv2D(a["out_channels"], tuple(a["kernel"]), strides=tuple(a["stride"]), padding="valid",
                          dilation_rate=tuple(a["dilation"]), use_bias=a["bias"], **network.penalties())
    return network.add(node, layer, inputs)


class TableConv2D(layers.Layer):
    """A full convolution whose missing connections are zeros: Keras has no connection tables.

    reads[i, o, r]: 1 where output channel o reads input channel i as its reading r, else 0.
    """

    def __init__(self, node, reads, penalties):
        super().__init__()
        outputs, readings, *extents = node.parameters[0].shape
        self._reads, self._stride = reads, tuple(node.attributes["stride"])
        self._shape, self._output = tuple(extents) + (readings, outputs), _channels_last(node.output_shape)
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


def _channels_last(shape):
    return tuple(shape[1:]) + (shape[0],)


def function(node, of):
    """A layer with neither parameters nor a name in Keras. Not every back end infers a function's shape."""
    return layers.Lambda(of, output_shape=_channels_last(node.output_shape))


def _padded(network, node, windows, value, x):
    if not windows.is_padded():
        return x
    pads = [[0, 0]] + [list(pad) for pad in windows.pads] + [[0, 0]]
    height, width, channels = _channels_last(network.graph.shape_of(node.inputs[0]))
    shape = (height + sum(pads[1]), width + sum(pads[2]), channels)
    return layers.Lambda(lambda picture: BACKEND.pad(picture, pads, value), output_shape=shape)(x)


def max_pool(network, node, inputs):
    layer = layers.MaxPooling2D(tuple(node.attributes["kernel"]), tuple(node.attributes["stride"]))
    return layer(_padded(network, node, Windows(network.graph, node), -np.inf, inputs[0]))


def avg_pool(network, node, inputs):
    """Averages over whole windows; another divisor is a constant factor per window."""
    windows = Windows(network.graph, node)
    layer = layers.AveragePooling2D(tuple(node.attributes["kernel"]), tuple(node.attributes["stride"]))
    means = layer(_padded(network, node, windows, 0.0, inputs[0]))
    factors = windows.factors(node.attributes["count_include_pad"])
    # Without an axis for the batch, which is none in CNTK: it would become one of the picture.
    return means if factors is None else function(node, lambda x: x * factors[:, :, None])(means)
