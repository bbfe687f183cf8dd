"""Operators of the neutral graph in Theano. The walk makes symbols; Theano compiles them afterwards."""
import numpy as np
import theano.tensor as tt
from theano.sandbox.rng_mrg import MRG_RandomStreams

import recurrent
import windows
from dlbench_runner import Table, Unsupported


class Context:
    """What the entries need besides their inputs: shared variables by name, shapes, in training target and seed.

    The entries add to `updates` what a training step does to statistics: pairs (shared variable, its next value).
    """

    def __init__(self, graph, parameters, target=None, seed=None):
        self.graph = graph
        self.parameters = parameters
        self.target = target
        self.random = None if seed is None else MRG_RandomStreams(seed)
        self.updates = []


def _epsilon(node):
    """Theano takes no less than 1e-5, and the float32 next to that is less: there the one above it."""
    epsilon = np.float32(node.attributes["epsilon"])
    if node.attributes["epsilon"] < 1e-5:
        raise Unsupported("batch_norm with epsilon less than 1e-5")
    return epsilon if float(epsilon) >= 1e-5 else np.nextafter(epsilon, np.float32(1))


def batch_norm(context, node, inputs):
    scale, shift, mean, variance = [context.parameters[p.name] for p in node.parameters]
    if context.target is None:
        return tt.nnet.bn.batch_normalization_test(inputs[0], scale, shift, mean, variance, "spatial", _epsilon(node))
    result, _, _, next_mean, next_variance = tt.nnet.bn.batch_normalization_train(
        inputs[0], scale, shift, "spatial", _epsilon(node), np.float32(node.attributes["momentum"]), mean, variance)
    context.updates += [(mean, next_mean), (variance, next_variance)]
    return result


def dense(context, node, inputs):
    result = tt.dot(inputs[0], context.parameters[node.name + ".weight"])
    bias = context.parameters.get(node.name + ".bias")
    return result if bias is None else result + bias


def dropout(context, node, inputs):
    if context.target is None:
        return inputs[0]
    kept = np.float32(1 - node.attributes["rate"])
    return inputs[0] / kept * context.random.binomial(inputs[0].shape, p=kept, dtype="float32")


def relu(_context, _node, inputs):
    """Not nnet.relu, whose gradient at 0 is 1/2."""
    return tt.switch(inputs[0] > 0, inputs[0], 0)


def sigmoid(_context, _node, inputs):
    return tt.nnet.sigmoid(inputs[0])


def tanh(_context, _node, inputs):
    return tt.tanh(inputs[0])


def softmax(_context, _node, inputs):
    return tt.nnet.softmax(inputs[0])


def add(_context, _node, inputs):
    return inputs[0] + inputs[1]


def concat(_context, _node, inputs):
    return tt.concatenate(inputs, axis=1)


def flatten(_context, _node, inputs):
    return inputs[0].flatten(2)


def embedding(context, node, inputs):
    """One index for each token, so that the gradient adds up whole rows; it is as dense as the weights."""
    rows = context.parameters[node.name + ".weight"][inputs[0].flatten()]
    return rows.reshape((inputs[0].shape[0],) + node.output_shape)


def binary_cross_entropy(context, _node, inputs):
    """Theano's optimizer makes softplus of the logarithms, so that nothing overflows."""
    if context.target is None:
        return inputs[0]
    target = tt.cast(context.target, "float32")
    return tt.nnet.binary_crossentropy(tt.nnet.sigmoid(inputs[0].flatten()), target).mean()


def softmax_cross_entropy(context, node, inputs):
    """Theano's softmax takes a matrix: with positions, one row for each."""
    if context.target is None:
        return inputs[0]
    classes = context.graph.shape_of(node.inputs[0])[-1]
    logits = inputs[0] if inputs[0].ndim == 2 else inputs[0].reshape((-1, classes))
    return tt.nnet.categorical_crossentropy(tt.nnet.softmax(logits), context.target.flatten()).mean()


OPS = Table("op", {"add": add, "avg_pool": windows.avg_pool, "batch_norm": batch_norm,
                   "binary_cross_entropy": binary_cross_entropy, "concat": concat, "conv2d": windows.conv2d,
                   "conv_table": windows.conv_table, "dense": dense, "dropout": dropout, "embedding": embedding,
                   "flatten": flatten, "global_avg_pool": windows.global_avg_pool, "lrn": windows.lrn,
                   "lstm": recurrent.lstm, "max_pool": windows.max_pool, "relu": relu, "sigmoid": sigmoid,
                   "softmax": softmax, "softmax_cross_entropy": softmax_cross_entropy, "tanh": tanh})
