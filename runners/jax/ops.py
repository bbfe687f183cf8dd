"""Operators of the neutral graph in JAX. The walk runs while JAX traces, so each entry is called once per compilation."""
import jax
import jax.numpy as jnp
from jax import lax

from dlbench_runner import Table


class Context:
    """What the entries need besides their inputs: parameters by name, and the target where there is a loss."""

    def __init__(self, parameters, target=None):
        self.parameters = parameters
        self.target = target


def _parameter(context, node, name):
    return context.parameters.get("%s.%s" % (node.name, name))


def conv2d(context, node, inputs):
    attributes = node.attributes
    top, left, bottom, right = attributes["pads"]
    result = lax.conv_general_dilated(
        inputs[0], _parameter(context, node, "weight"), window_strides=attributes["stride"],
        padding=[(top, bottom), (left, right)], rhs_dilation=attributes["dilation"],
        dimension_numbers=("NCHW", "OIHW", "NCHW"), feature_group_count=attributes["groups"])
    bias = _parameter(context, node, "bias")
    return result if bias is None else result + bias[None, :, None, None]


def _pad_behind(node, extent, axis):
    """Padding behind an axis with which floor pooling makes exactly the graph's windows, ceil_mode or not."""
    attributes = node.attributes
    covered = (node.output_shape[axis + 1] - 1) * attributes["stride"][axis] + attributes["kernel"][axis]
    return max(covered - extent - attributes["pads"][axis], 0)


def max_pool(_, node, inputs):
    attributes = node.attributes
    _, _, height, width = inputs[0].shape
    padding = [(0, 0), (0, 0), (attributes["pads"][0], _pad_behind(node, height, 0)),
               (attributes["pads"][1], _pad_behind(node, width, 1))]
    return lax.reduce_window(inputs[0], -jnp.inf, lax.max, (1, 1, *attributes["kernel"]),
                             (1, 1, *attributes["stride"]), padding)


def dense(context, node, inputs):
    result = inputs[0] @ _parameter(context, node, "weight").T
    bias = _parameter(context, node, "bias")
    return result if bias is None else result + bias


def relu(_context, _node, inputs):
    return jax.nn.relu(inputs[0])


def flatten(_context, _node, inputs):
    return inputs[0].reshape(inputs[0].shape[0], -1)


def softmax_cross_entropy(context, _node, inputs):
    if context.target is None:
        return inputs[0]
    log_probabilities = jax.nn.log_softmax(inputs[0])
    return -jnp.mean(jnp.take_along_axis(log_probabilities, context.target[:, None], axis=1))


OPS = Table("op", {"conv2d": conv2d, "max_pool": max_pool, "dense": dense, "relu": relu, "flatten": flatten,
                   "softmax_cross_entropy": softmax_cross_entropy})
