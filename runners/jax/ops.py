"""Operators of the neutral graph in JAX. The walk runs while JAX traces, so each entry is called once per compilation."""
import jax
import jax.numpy as jnp

from dlbench_runner import Table
import windows


class Context:
    """What the entries need besides their inputs: the graph, parameters by name, and the target where there is a loss."""

    def __init__(self, graph, parameters, target=None):
        self.graph = graph
        self.parameters = parameters
        self.target = target


def dense(context, node, inputs):
    result = inputs[0] @ context.parameters[node.name + ".weight"].T
    bias = context.parameters.get(node.name + ".bias")
    return result if bias is None else result + bias


def relu(_context, _node, inputs):
    return jax.nn.relu(inputs[0])


def sigmoid(_context, _node, inputs):
    return jax.nn.sigmoid(inputs[0])


def tanh(_context, _node, inputs):
    return jnp.tanh(inputs[0])


def softmax(_context, _node, inputs):
    return jax.nn.softmax(inputs[0])


def add(_context, _node, inputs):
    return inputs[0] + inputs[1]


def concat(_context, _node, inputs):
    return jnp.concatenate(inputs, axis=1)


def flatten(_context, _node, inputs):
    return inputs[0].reshape(inputs[0].shape[0], -1)


def softmax_cross_entropy(context, _node, inputs):
    if context.target is None:
        return inputs[0]
    log_probabilities = jax.nn.log_softmax(inputs[0])
    return -jnp.mean(jnp.take_along_axis(log_probabilities, context.target[:, None], axis=1))


OPS = Table("op", {"add": add, "avg_pool": windows.avg_pool, "concat": concat, "conv2d": windows.conv2d,
                   "conv_table": windows.conv_table, "dense": dense, "flatten": flatten,
                   "global_avg_pool": windows.global_avg_pool, "lrn": windows.lrn, "max_pool": windows.max_pool,
                   "relu": relu, "sigmoid": sigmoid, "softmax": softmax,
                   "softmax_cross_entropy": softmax_cross_entropy, "tanh": tanh})
