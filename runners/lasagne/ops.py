"""Operators of the neutral graph as Lasagne's layers."""
import theano.tensor as tt
from lasagne import layers, nonlinearities, objectives

import recurrent
import windows
from dlbench_runner import Table


def dense(network, node, inputs):
    """DenseLayer flattens what has more axes than two: with positions, one row for each."""
    width, positions = node.attributes["out_features"], node.output_shape[:-1]
    rows = inputs[0]
    if positions:
        rows = layers.ReshapeLayer(rows, (-1, network.graph.shape_of(node.inputs[0])[-1]))
    result = layers.DenseLayer(rows, width, nonlinearity=None, **network.layer_weights(node))
    return layers.ReshapeLayer(result, (-1,) + positions + (width,)) if positions else result


def embedding(network, node, inputs):
    return layers.EmbeddingLayer(inputs[0], node.attributes["vocabulary"], node.attributes["features"],
                                 W=network.of(node)[0][0])


def dropout(_network, node, inputs):
    return layers.DropoutLayer(inputs[0], node.attributes["rate"])


def _rectify(x):
    """Not nonlinearities.rectify, whose gradient at 0 is 1/2."""
    return tt.switch(x > 0, x, 0)


def _activation(nonlinearity):
    return lambda _network, _node, inputs: layers.NonlinearityLayer(inputs[0], nonlinearity)


def add(_network, _node, inputs):
    return layers.ElemwiseSumLayer(inputs)


def concat(_network, _node, inputs):
    return layers.ConcatLayer(inputs)


def flatten(_network, _node, inputs):
    return layers.FlattenLayer(inputs[0])


def lrn(_network, node, inputs):
    """Lasagne does not divide alpha by the size either."""
    a = node.attributes
    return layers.LocalResponseNormalization2DLayer(inputs[0], alpha=a["alpha"], k=a["k"], beta=a["beta"], n=a["size"])


def logits_of_loss(_network, _node, inputs):
    """The session puts the loss on the output of the last layer, as Lasagne's users do."""
    return inputs[0]


def _softmax_cross_entropy(logits, target):
    """Theano makes one operator of both; its softmax takes a matrix: with positions, one row for each."""
    rows = logits if logits.ndim == 2 else logits.reshape((-1, logits.shape[-1]))
    return objectives.categorical_crossentropy(nonlinearities.softmax(rows), target.flatten()).mean()


def _binary_cross_entropy(logits, target):
    """Theano makes softplus of the logarithms, so that nothing overflows."""
    predictions = nonlinearities.sigmoid(logits.flatten())
    return objectives.binary_crossentropy(predictions, tt.cast(target, "float32")).mean()


LOSSES = {"softmax_cross_entropy": _softmax_cross_entropy, "binary_cross_entropy": _binary_cross_entropy}
OPS = Table("op", {"add": add, "avg_pool": windows.avg_pool, "concat": concat, "conv2d": windows.conv2d,
                   "conv_table": windows.conv_table,
                   "dense": dense, "dropout": dropout, "embedding": embedding, "flatten": flatten,
                   "global_avg_pool": windows.global_avg_pool, "lrn": lrn, "lstm": recurrent.lstm,
                   "max_pool": windows.max_pool, "relu": _activation(_rectify),
                   "sigmoid": _activation(nonlinearities.sigmoid), "softmax": _activation(nonlinearities.softmax),
                   "tanh": _activation(nonlinearities.tanh), **dict.fromkeys(LOSSES, logits_of_loss)})
