"""Operators of the neutral graph in Theano. The walk makes symbols; Theano compiles them afterwards."""
import theano.tensor as tt

import windows
from dlbench_runner import Table


class Context:
    """What the entries need besides their inputs: shared variables by name, shapes, the target where there is a loss."""

    def __init__(self, graph, parameters, target=None):
        self.graph = graph
        self.parameters = parameters
        self.target = target


def dense(context, node, inputs):
    result = tt.dot(inputs[0], context.parameters[node.name + ".weight"])
    bias = context.parameters.get(node.name + ".bias")
    return result if bias is None else result + bias


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


def softmax_cross_entropy(context, _node, inputs):
    if context.target is None:
        return inputs[0]
    return tt.nnet.categorical_crossentropy(tt.nnet.softmax(inputs[0]), context.target).mean()


OPS = Table("op", {"add": add, "avg_pool": windows.avg_pool, "concat": concat, "conv2d": windows.conv2d,
                   "conv_table": windows.conv_table, "dense": dense, "flatten": flatten,
                   "global_avg_pool": windows.global_avg_pool, "lrn": windows.lrn, "max_pool": windows.max_pool,
                   "relu": relu, "sigmoid": sigmoid, "softmax": softmax,
                   "softmax_cross_entropy": softmax_cross_entropy, "tanh": tanh})
