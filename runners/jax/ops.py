"""Operators of the neutral graph in JAX. The walk runs while JAX traces, so each entry is called once per compilation."""
import jax
import jax.numpy as jnp

from dlbench_runner import Table
import recurrent
import windows


class Context:
    """What the entries need besides their inputs: the graph, parameters by name, and the target in training.

    `carried` goes from step to step beside the trained parameters: statistics by name, and the random key as "key"
    where something is drawn. In training the entries replace what is in it.
    """

    def __init__(self, graph, parameters, carried, target=None):
        self.graph = graph
        self.parameters = parameters
        self.carried = dict(carried)
        self.target = target

    def new_key(self):
        self.carried["key"], key = jax.random.split(self.carried["key"])
        return key


def _share_of(context, name, share, value):
    """The running statistic becomes its next value."""
    context.carried[name] = (1 - share) * context.carried[name] + share * value


def batch_norm(context, node, inputs):
    x, names = inputs[0], [p.name for p in node.parameters]
    axes = (0,) + tuple(range(2, x.ndim))
    mean, variance = context.carried[names[2]], context.carried[names[3]]
    if context.target is not None:
        mean, variance = jnp.mean(x, axes), jnp.var(x, axes)
        count = x.size // x.shape[1]
        _share_of(context, names[2], node.attributes["momentum"], mean)
        _share_of(context, names[3], node.attributes["momentum"], variance * (count / max(count - 1, 1)))
    scale, shift, mean, variance = (jnp.expand_dims(value, axes) for value in
                                    (context.parameters[names[0]], context.parameters[names[1]], mean, variance))
    return scale * jax.nn.standardize(x, axes, mean, variance, node.attributes["epsilon"]) + shift


def dense(context, node, inputs):
    result = inputs[0] @ context.parameters[node.name + ".weight"].T
    bias = context.parameters.get(node.name + ".bias")
    return result if bias is None else result + bias


def dropout(context, node, inputs):
    """As jax.example_libraries.stax.Dropout."""
    if context.target is None:
        return inputs[0]
    kept = 1 - node.attributes["rate"]
    mask = jax.random.bernoulli(context.new_key(), kept, inputs[0].shape)
    return jnp.where(mask, inputs[0] / kept, 0)


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
    return -jnp.mean(jnp.take_along_axis(log_probabilities, context.target[..., None], axis=-1))


def binary_cross_entropy(context, _node, inputs):
    """ln(1 + exp(x)) - x target by jax.nn.softplus, which is stable: JAX has this loss in no library of its own."""
    if context.target is None:
        return inputs[0]
    logits = inputs[0][:, 0]
    return jnp.mean(jax.nn.softplus(logits) - logits * context.target)


OPS = Table("op", {"add": add, "avg_pool": windows.avg_pool, "batch_norm": batch_norm,
                   "binary_cross_entropy": binary_cross_entropy, "concat": concat, "conv2d": windows.conv2d,
                   "conv_table": windows.conv_table, "dense": dense, "dropout": dropout,
                   "embedding": recurrent.embedding, "flatten": flatten, "global_avg_pool": windows.global_avg_pool,
                   "lrn": windows.lrn, "lstm": recurrent.lstm, "max_pool": windows.max_pool, "relu": relu,
                   "sigmoid": sigmoid, "softmax": softmax, "softmax_cross_entropy": softmax_cross_entropy,
                   "tanh": tanh})
