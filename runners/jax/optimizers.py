"""Optimizers of the recipe as pure functions: update(parameters, gradients, state, numbers) -> (parameters, state).

State is a tuple of arrays for each parameter. `numbers` are traced scalars that the session makes for each step, rate
first: whatever depends on the number of the step is computed in double precision before it becomes one.
"""
import jax.numpy as jnp

from dlbench_runner import Table


def clipped(clip, gradients):
    """As the recipe says, before decay and optimizer."""
    if clip["by"] == "element":
        return {name: jnp.clip(g, -clip["limit"], clip["limit"]) for name, g in gradients.items()}
    if clip["by"] == "global_norm":
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in gradients.values()))
        factor = clip["limit"] / jnp.maximum(norm, clip["limit"])
        return {name: g * factor for name, g in gradients.items()}
    return gradients


class Optimizer:
    """One formula on every parameter; subclasses have `initial`, `step` and, beyond the rate, `numbers`."""

    def __init__(self, recipe, parameters):
        self.values = recipe["optimizer"]
        self._clip = recipe["clip"]
        self._decay = {p.name: self.values["weight_decay"] if p.decays(self.values) else 0.0
                       for p in parameters}

    def initial(self, value):
        """State of one parameter before the first step."""
        raise NotImplementedError

    def numbers(self, rate, step):
        """What all parameters share in this step (1, 2, ...)."""
        del step
        return (rate,)

    def step(self, g, state, numbers):
        """What is subtracted from the parameter, and its new state."""
        raise NotImplementedError

    def update(self, parameters, gradients, state, numbers):
        gradients = clipped(self._clip, gradients)
        new_parameters, new_state = {}, {}
        for name, value in parameters.items():
            g = gradients[name] + self._decay[name] * value if self._decay[name] else gradients[name]
            move, new_state[name] = self.step(g, state[name], numbers)
            new_parameters[name] = value - move
        return new_parameters, new_state

    def velocity_step(self, d, velocity, rate):
        """Momentum in both forms, with or without Nesterov's look ahead; `velocity` is a tuple, () without momentum."""
        momentum, inside = self.values["momentum"], self.values["form"] == "rate_inside"
        into = rate * d if inside else d
        if not velocity:
            return rate * d, ()
        v = momentum * velocity[0] + into
        out = into + momentum * v if self.values.get("nesterov") else v
        return (out if inside else rate * out), (v,)

    def initial_velocity(self, value):
        return (jnp.zeros_like(value),) if self.values["momentum"] else ()


class Sgd(Optimizer):
    """As jax.example_libraries.optimizers.momentum and nesterov: v <- mass * v + g; w <- w - rate * v."""

    def initial(self, value):
        return self.initial_velocity(value)

    def step(self, g, state, numbers):
        return self.velocity_step(g, state, numbers[0])


class Adam(Optimizer):
    """As jax.example_libraries.optimizers.adam, whose 1 - beta ** step is a number of single precision there."""

    def initial(self, value):
        return jnp.zeros_like(value), jnp.zeros_like(value)

    def numbers(self, rate, step):
        return (rate, 1.0 - self.values["beta1"] ** step, 1.0 - self.values["beta2"] ** step)

    def step(self, g, state, numbers):
        rate, kept_mean, kept_square = numbers
        beta1, beta2 = self.values["beta1"], self.values["beta2"]
        m = (1 - beta1) * g + beta1 * state[0]
        s = (1 - beta2) * jnp.square(g) + beta2 * state[1]
        return rate * (m / kept_mean) / (jnp.sqrt(s / kept_square) + self.values["epsilon"]), (m, s)


class Adadelta(Optimizer):
    def initial(self, value):
        return jnp.zeros_like(value), jnp.zeros_like(value)

    def step(self, g, state, numbers):
        rho, epsilon = self.values["rho"], self.values["epsilon"]
        s = rho * state[0] + (1 - rho) * jnp.square(g)
        d = jnp.sqrt(state[1] + epsilon) / jnp.sqrt(s + epsilon) * g
        return numbers[0] * d, (s, rho * state[1] + (1 - rho) * jnp.square(d))


class Adagrad(Optimizer):
    def initial(self, value):
        return (jnp.full_like(value, self.values["initial_accumulator"]),)

    def step(self, g, state, numbers):
        s = state[0] + jnp.square(g)
        return numbers[0] * g / (jnp.sqrt(s) + self.values["epsilon"]), (s,)


class Rmsprop(Optimizer):
    def initial(self, value):
        mean = (jnp.zeros_like(value),) if self.values["centered"] else ()
        return (jnp.full_like(value, self.values["initial_accumulator"]), mean, self.initial_velocity(value))

    def step(self, g, state, numbers):
        rho, epsilon = self.values["rho"], self.values["epsilon"]
        square, mean, velocity = state
        s = rho * square + (1 - rho) * jnp.square(g)
        mean = tuple(rho * a + (1 - rho) * g for a in mean)
        q = s - jnp.square(mean[0]) if mean else s
        inside = self.values["epsilon_place"] == "inside"
        d = g / (jnp.sqrt(q + epsilon) if inside else jnp.sqrt(q) + epsilon)
        move, velocity = self.velocity_step(d, velocity, numbers[0])
        return move, (s, mean, velocity)


OPTIMIZERS = Table("optimizer", {"sgd": Sgd, "adam": Adam, "adadelta": Adadelta, "adagrad": Adagrad,
                                 "rmsprop": Rmsprop})
# What every one of them can do besides.
ALSO = ["nesterov", "clip=element", "clip=global_norm", "weight_ema"]
