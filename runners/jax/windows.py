"""Operators that slide windows over pictures."""
import jax.numpy as jnp
import numpy as np
from jax import lax


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


def _pad_behind(node, extent, axis):
    """Padding behind an axis with which floor pooling makes exactly the graph's windows, ceil_mode or not."""
    attributes = node.attributes
    covered = (node.output_shape[axis + 1] - 1) * attributes["stride"][axis] + attributes["kernel"][axis]
    return max(covered - extent - attributes["pads"][axis], 0)


def _reduce_windows(node, picture, start, operation):
    attributes = node.attributes
    _, _, height, width = picture.shape
    padding = [(0, 0), (0, 0), (attributes["pads"][0], _pad_behind(node, height, 0)),
               (attributes["pads"][1], _pad_behind(node, width, 1))]
    return lax.reduce_window(picture, start, operation, (1, 1, *attributes["kernel"]), (1, 1, *attributes["stride"]),
                             padding)


def max_pool(_context, node, inputs):
    return _reduce_windows(node, inputs[0], -jnp.inf, lax.max)


def _counted_cells(node, extent, axis):
    """How many cells count in each window along one axis."""
    attributes = node.attributes
    before, after = attributes["pads"][axis], attributes["pads"][axis + 2]
    begin = np.arange(node.output_shape[axis + 1]) * attributes["stride"][axis] - before
    end = begin + attributes["kernel"][axis]
    if attributes["count_include_pad"]:
        return np.minimum(end, extent + after) - begin
    return np.minimum(end, extent) - np.maximum(begin, 0)


def avg_pool(_context, node, inputs):
    sums = _reduce_windows(node, inputs[0], 0.0, lax.add)
    _, _, height, width = inputs[0].shape
    cells = np.outer(_counted_cells(node, height, 0), _counted_cells(node, width, 1))
    return sums / cells.astype(np.float32)


def global_avg_pool(_context, _node, inputs):
    return jnp.mean(inputs[0], axis=(2, 3), keepdims=True)


def lrn(_context, node, inputs):
    attributes = node.attributes
    reach = attributes["size"] // 2
    sums = lax.reduce_window(jnp.square(inputs[0]), 0.0, lax.add, (1, attributes["size"], 1, 1), (1, 1, 1, 1),
                             [(0, 0), (reach, reach), (0, 0), (0, 0)])
    return inputs[0] * (attributes["k"] + attributes["alpha"] * sums) ** -attributes["beta"]
