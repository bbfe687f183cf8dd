"""Operators of the neutral graph that slide windows over pictures, as Lasagne's layers."""
import numpy as np
import theano.tensor as tt
from lasagne import layers
from lasagne.layers.pool import pool_output_length

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


def _is_rounded_up(network, node, windows):
    """Whether ignore_border=False makes the windows: they start in the picture, and the last one may hang over."""
    (top, _), (left, _) = windows.pads
    axes = zip(network.graph.shape_of(node.inputs[0])[1:], node.attributes["kernel"], node.attributes["stride"])
    made = tuple(pool_output_length(*axis, pad=0, ignore_border=False) for axis in axes)
    return (top, left) == (0, 0) and made == tuple(node.output_shape[1:])


def _placed(network, node, picture, outside):
    """What a pool needs to make the graph's windows: a layer to read and arguments.

    It pads both sides alike and rounds up only without pads; other pictures get their pads beforehand.
    """
    windows = Windows(network.graph, node)
    if windows.even_pads() is not None:
        return picture, {"ignore_border": True, "pad": windows.even_pads()}
    if _is_rounded_up(network, node, windows):
        return picture, {"ignore_border": False}
    return layers.PadLayer(picture, windows.pads, val=outside), {"ignore_border": True}


def max_pool(network, node, inputs):
    picture, placing = _placed(network, node, inputs[0], -np.inf)
    return layers.MaxPool2DLayer(picture, tuple(node.attributes["kernel"]), tuple(node.attributes["stride"]), **placing)


def avg_pool(network, node, inputs):
    """Averages over all cells of a window or, where it is rounded up, those inside; other divisors are factors."""
    windows, kernel = Windows(network.graph, node), tuple(node.attributes["kernel"])
    picture, placing = _placed(network, node, inputs[0], 0)
    mode, divisors = "average_inc_pad", kernel[0] * kernel[1]
    if not placing["ignore_border"]:
        mode, divisors = "average_exc_pad", windows.counts(False)
    means = layers.Pool2DLayer(picture, kernel, tuple(node.attributes["stride"]), mode=mode, **placing)
    wanted = windows.counts(node.attributes["count_include_pad"])
    return means if np.all(wanted == divisors) else FactorsLayer(means, (divisors / wanted).astype(np.float32))


def global_avg_pool(_network, _node, inputs):
    return layers.DimshuffleLayer(layers.GlobalPoolLayer(inputs[0]), (0, 1, "x", "x"))
