"""Optimizers of the recipe as pure functions: update(parameters, gradients, state, rate) -> (parameters, state)."""
import jax.numpy as jnp

from dlbench_runner import Table, Unsupported


class Sgd:
    """Momentum as in jax.example_libraries.optimizers: v <- mass * v + g; w <- w - rate * v.

    The form rate_inside keeps rate * g in the velocity instead; both are exact.
    """

    def __init__(self, optimizer, parameters):
        if optimizer["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % optimizer["form"])
        self._momentum = optimizer["momentum"]
        self._rate_inside = optimizer["form"] == "rate_inside"
        self._decay = {p.name: optimizer["weight_decay"] if p.role == "weight" or optimizer["decay_bias"] else 0.0
                       for p in parameters}

    def initial(self, value):
        """State of one parameter before the first step."""
        return jnp.zeros_like(value) if self._momentum else None

    def update(self, parameters, gradients, state, rate):
        new_parameters, new_state = {}, {}
        for name, value in parameters.items():
            gradient = gradients[name] + self._decay[name] * value if self._decay[name] else gradients[name]
            step = rate * gradient if self._rate_inside else gradient
            if self._momentum:
                step = self._momentum * state[name] + step
                new_state[name] = step
            else:
                new_state[name] = None
            new_parameters[name] = value - step if self._rate_inside else value - rate * step
        return new_parameters, new_state


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
