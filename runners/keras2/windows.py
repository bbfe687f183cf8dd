"""Operators of the neutral graph that slide windows over pictures, as Keras layers."""
import numpy as np
from keras import layers

from backend import BACKEND
from dlbench_runner import Unsupported, Windows


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
    return means if factors is None else function(node, lambda x: x * factors[:, :, None])(means)
