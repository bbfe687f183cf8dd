"""Operators that slide windows over pictures."""
import jax.numpy as jnp
import numpy as np
from jax import lax

from dlbench_runner import Windows


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


def conv_table(context, node, inputs):
    """A full convolution whose missing connections are zeros: JAX has no connection tables."""
    weight = _parameter(context, node, "weight")
    outputs, readings, height, width = weight.shape
    table = np.asarray(node.attributes["table"]).reshape(outputs, readings)
    full = jnp.zeros((outputs, inputs[0].shape[1], height, width), weight.dtype)
    full = full.at[np.arange(outputs)[:, None], table].set(weight)
    result = lax.conv_general_dilated(inputs[0], full, window_strides=node.attributes["stride"], padding="VALID",
                                      dimension_numbers=("NCHW", "OIHW", "NCHW"))
    return result + _parameter(context, node, "bias")[None, :, None, None]


def _reduce_windows(node, windows, picture, start, operation):
    kernel, stride = node.attributes["kernel"], node.attributes["stride"]
    return lax.reduce_window(picture, start, operation, (1, 1, *kernel), (1, 1, *stride),
                             [(0, 0), (0, 0), *windows.pads])


def max_pool(context, node, inputs):
    return _reduce_windows(node, Windows(context.graph, node), inputs[0], -jnp.inf, lax.max)


def avg_pool(context, node, inputs):
    windows = Windows(context.graph, node)
    sums = _reduce_windows(node, windows, inputs[0], 0.0, lax.add)
    return sums / windows.counts(node.attributes["count_include_pad"]).astype(np.float32)


def global_avg_pool(_context, _node, inputs):
    return jnp.mean(inputs[0], axis=(2, 3), keepdims=True)


def lrn(_context, node, inputs):
    attributes = node.attributes
    reach = attributes["size"] // 2
    sums = lax.reduce_window(jnp.square(inputs[0]), 0.0, lax.add, (1, attributes["size"], 1, 1), (1, 1, 1, 1),
                             [(0, 0), (reach, reach), (0, 0), (0, 0)])
    return inputs[0] * (attributes["k"] + attributes["alpha"] * sums) ** -attributes["beta"]
