"""Operators on sequences: [batch, positions, features]."""
import jax
import jax.numpy as jnp
from jax import lax


def embedding(context, node, inputs):
    return jnp.take(context.parameters[node.name + ".weight"], inputs[0], axis=0)


def lstm(context, node, inputs):
    """One lax.scan over the positions; what the input brings to the gates is one product before it."""
    weight, recurrent, bias = [context.parameters[p.name] for p in node.parameters]
    start = jnp.zeros((inputs[0].shape[0], node.attributes["hidden"]), inputs[0].dtype)

    def cell(carry, from_input):
        h, c = carry
        i, f, g, o = jnp.split(from_input + h @ recurrent.T, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), None if node.attributes["last_only"] else h

    from_inputs = inputs[0] @ weight.T + bias
    (last, _), every = lax.scan(cell, (start, start), from_inputs.swapaxes(0, 1))
    return last if every is None else every.swapaxes(0, 1)
