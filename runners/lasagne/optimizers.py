"""Optimizers of the recipe on lasagne.updates, which are expressions: {shared variable: its next value}."""
import math

import numpy as np
import theano
import theano.tensor as tt
from lasagne import updates

from dlbench_runner import Table, Unsupported

# Of total_norm_constraint, which adds it to the norm: the graph's formula has none.
_NO_EPSILON = 1e-30


def _gradients(recipe, loss, trained, decayed):
    """Clipped, then with decay: lasagne.updates take gradients in place of a loss."""
    gradients, clip = theano.grad(loss, trained), recipe["clip"]
    if clip["by"] == "element":
        gradients = [tt.clip(g, np.float32(-clip["limit"]), np.float32(clip["limit"])) for g in gradients]
    elif clip["by"] == "global_norm":
        gradients = updates.total_norm_constraint(gradients, clip["limit"], _NO_EPSILON)
    decay = np.float32(recipe["optimizer"]["weight_decay"])
    return [g + decay * v if decay and v in decayed else g for g, v in zip(gradients, trained)]


class Optimizer:
    """rate: an input of the training function. What is updated and is no parameter is state.

    Lasagne's velocity has the rate in it: v <- momentum * v - rate * d; w <- w + v, the form rate_inside. With
    v = -rate * V the form rate_outside is the same with the momentum scaled by the change of the rate.
    """

    def __init__(self, recipe, loss, trained, decayed):
        self._wanted = recipe["optimizer"]
        self.rate = tt.fscalar("rate")
        self._momentum = theano.shared(np.float32(0), "momentum")
        self._in_force = self._last_rate = None
        self._scales = self._wanted.get("momentum", 0) != 0 and self._wanted["form"] == "rate_outside"
        self._accumulators = set()  # that start at the recipe's initial_accumulator
        self.updates = self._make(_gradients(recipe, loss, trained, decayed), trained)
        self._states = [variable for variable in self.updates if variable not in set(trained)]

    def _make(self, gradients, trained):
        raise NotImplementedError

    def forget(self):
        """State as before the first step."""
        self._last_rate = None
        for state in self._states:
            start = self._wanted["initial_accumulator"] if state in self._accumulators else 0
            state.set_value(np.full_like(state.get_value(borrow=True), start), borrow=True)

    def _change(self, rate):
        """By what the velocities should be multiplied before a step at this rate."""
        last, self._last_rate = self._last_rate, rate
        if not self._scales or last is None:
            return 1.0
        if last == 0:
            raise Unsupported("a rate that leaves 0 with momentum in the form rate_outside")
        return rate / last

    def _set_momentum(self, momentum):
        if momentum != self._in_force:
            self._momentum.set_value(np.float32(momentum))
            self._in_force = momentum

    def prepare(self, rate):
        """Before a step at this rate."""
        self._set_momentum(self._wanted.get("momentum", 0) * self._change(rate))


class Sgd(Optimizer):
    def _make(self, gradients, trained):
        if not self._wanted["momentum"]:
            return updates.sgd(gradients, trained, self.rate)
        if not self._wanted["nesterov"]:
            return updates.momentum(gradients, trained, self.rate, self._momentum)
        result = updates.nesterov_momentum(gradients, trained, self.rate, self._momentum)
        change = tt.fscalar("change")
        self._rescale = theano.function([change], updates=[(v, change * v) for v in result if v not in set(trained)])
        return result

    def prepare(self, rate):
        """Nesterov's momentum looks ahead besides, so there the velocities themselves are multiplied."""
        if not self._wanted["nesterov"]:
            super().prepare(rate)
            return
        self._set_momentum(self._wanted["momentum"])
        change = self._change(rate)
        if change != 1:
            self._rescale(change)


class Adam(Optimizer):
    """Lasagne adds epsilon to the uncorrected root, so it is given one that shrinks with the correction."""

    _steps = 0  # since all was forgotten

    def _make(self, gradients, trained):
        """The betas as Theano takes powers of them, so that 1 - beta, taken in double precision, is the same beta's."""
        self._epsilon = theano.shared(np.float32(0), "epsilon")
        return updates.adam(gradients, trained, self.rate, float(np.float32(self._wanted["beta1"])),
                            float(np.float32(self._wanted["beta2"])), self._epsilon)

    def forget(self):
        super().forget()
        self._steps = 0

    def prepare(self, rate):
        self._steps += 1
        correction = math.sqrt(1.0 - self._wanted["beta2"] ** self._steps)
        self._epsilon.set_value(np.float32(self._wanted["epsilon"] * correction))


class Adadelta(Optimizer):
    def _make(self, gradients, trained):
        return updates.adadelta(gradients, trained, self.rate, self._wanted["rho"], self._wanted["epsilon"])


class Rmsprop(Optimizer):
    """Momentum is Lasagne's apply_momentum on top of it."""

    def _make(self, gradients, trained):
        if self._wanted["centered"]:
            raise Unsupported("rmsprop that is centered")
        if self._wanted["epsilon_place"] != "inside":
            raise Unsupported("rmsprop with epsilon outside the root")
        result = updates.rmsprop(gradients, trained, self.rate, self._wanted["rho"], self._wanted["epsilon"])
        self._accumulators = set(result) - set(trained)
        return updates.apply_momentum(result, trained, self._momentum) if self._wanted["momentum"] else result


OPTIMIZERS = Table("optimizer", {"adadelta": Adadelta, "adam": Adam, "rmsprop": Rmsprop, "sgd": Sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm"]
