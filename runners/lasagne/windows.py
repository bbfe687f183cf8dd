"""Operators of the neutral graph that slide windows over pictures, as Lasagne's layers."""
import numpy as np
import theano.tensor as tt
from lasagne import layers

from dlbench_runner import Unsupported, Windows
from theano_names import convolution


class FactorsLayer(layers.Layer):
    """Multiplies each cell of a plane by a number of its own; Lasagne 0.1 has no layer for that."""

    def __init__(self, incoming, factors):
        super().__init__(incoming)
        self._factors = factors

    def get_output_for(self, input, **_arguments):  # pylint: disable=redefined-builtin
        return input * self._factors


def conv2d(network, node, inputs):
    attributes = node.attributes
    if attributes["groups"] != 1:
        raise Unsupported("conv2d with groups")
    if max(attributes["dilation"]) > 1:
        raise Unsupported("conv2d with dilation")
    top, left, bottom, right = attributes["pads"]
    picture, pads = inputs[0], (top, left)
    if (top, left) != (bottom, right):
        picture, pads = layers.PadLayer(picture, ((top, bottom), (left, right))), (0, 0)
    return layers.Conv2DLayer(picture, attributes["out_channels"], tuple(attributes["kernel"]),
                              stride=tuple(attributes["stride"]), pad=pads, nonlinearity=None, convolution=convolution,
                              **network.layer_weights(node))


class TableConv2DLayer(layers.Conv2DLayer):
    """A full convolution whose missing connections are zeros: Lasagne has no connection tables.

    W has the kernels of the connections; a layer's own W may not be made of other variables.
    """

    def __init__(self, incoming, table, **settings):
        self._table = np.asarray(table)
        super().__init__(incoming, len(table), nonlinearity=None, convolution=convolution, **settings)

    def get_W_shape(self):
        return self._table.shape + self.filter_size

    def get_output_for(self, input, **_arguments):  # pylint: disable=redefined-builtin
        shape = (len(self._table), self.input_shape[1]) + self.filter_size
        full = tt.set_subtensor(tt.zeros(shape)[np.arange(shape[0])[:, None], self._table], self.W)
        planes = self.convolution(input, full, image_shape=self.input_shape, filter_shape=shape,
                                  subsample=self.stride, border_mode="valid")
        return planes + self.b.dimshuffle("x", 0, "x", "x")


def conv_table(network, node, inputs):
    outputs, readings, *kernel = node.parameters[0].shape
    return TableConv2DLayer(inputs[0], np.reshape(node.attributes["table"], (outputs, readings)),
                            filter_size=tuple(kernel), stride=tuple(node.attributes["stride"]),
                            **network.layer_weights(node))


def _padded(picture, windows, value):
    return layers.PadLayer(picture, windows.pads, val=value) if windows.is_padded() else picture


def max_pool(network, node, inputs):
    windows = Windows(network.graph, node)
    picture, pads = inputs[0], windows.even_pads()
    if pads is None:
        picture, pads = _padded(picture, windows, -np.inf), (0, 0)
    return layers.MaxPool2DLayer(picture, tuple(node.attributes["kernel"]), tuple(node.attributes["stride"]), pad=pads)


def avg_pool(network, node, inputs):
    """Averages over whole windows; another divisor is a constant factor per window."""
    windows = Windows(network.graph, node)
    means = layers.Pool2DLayer(_padded(inputs[0], windows, 0), tuple(node.attributes["kernel"]),
                               tuple(node.attributes["stride"]), mode="average_inc_pad")
    factors = windows.factors(node.attributes["count_include_pad"])
    return means if factors is None else FactorsLayer(means, factors)


def global_avg_pool(_network, _node, inputs):
    return layers.DimshuffleLayer(layers.GlobalPoolLayer(inputs[0]), (0, 1, "x", "x"))
