"""Optimizers of the recipe on gluon.Trainer."""
import math

import mxnet as mx
import numpy as np

from dlbench_runner import Table, Unsupported


class Optimizer:
    """One of mx.optimizer in a Trainer.

    MXNet's velocity has the rate in it: v <- momentum * v - rate * d; w <- w + v, the form rate_inside. With
    v = -rate * V the form rate_outside is the same with the momentum scaled by the change of the rate.
    """

    clips_elements = False  # whether MXNet's own clip_gradient comes before the decay
    decays = True  # whether MXNet's own wd is the recipe's decay

    def __init__(self, recipe, graph, weights):
        self._wanted, self._clip = recipe["optimizer"], recipe["clip"]
        self._momentum = self._wanted.get("momentum", 0)
        self._has_outer_rate = self._momentum != 0 and self._wanted["form"] == "rate_outside"
        self._parameters = [weights[p.name] for p in graph.trained]
        self._decayed = [weights[p.name] for p in graph.trained if p.decays(self._wanted)]
        for parameter in self._parameters:
            parameter.wd_mult = float(parameter in self._decayed)
        self.forget()

    def _make(self, wanted, common):
        """The optimizer, with the keyword arguments `common` that every one has."""
        raise NotImplementedError

    def forget(self):
        """State as before the first step."""
        self._last_rate = None
        common = {"wd": self._wanted["weight_decay"] if self.decays else 0.0}
        if self._clip["by"] == "element" and self.clips_elements:
            common["clip_gradient"] = self._clip["limit"]
        self._mx = self._make(self._wanted, common)
        self._trainer = mx.gluon.Trainer(self._parameters, self._mx)

    def _change_gradients(self, rows):
        """Clips, and adds the decay, where the optimizer does not do so itself. Gluon's gradients are sums over rows."""
        limit = self._clip["limit"] * rows
        if self._clip["by"] == "global_norm":
            mx.gluon.utils.clip_global_norm([p.grad() for p in self._parameters], limit, check_isfinite=False)
        elif self._clip["by"] == "element" and not self.clips_elements:
            for parameter in self._parameters:
                mx.nd.clip(parameter.grad(), -limit, limit, out=parameter.grad())
        if self._wanted["weight_decay"] and not self.decays:
            for parameter in self._decayed:
                gradient = parameter.grad()
                gradient += self._wanted["weight_decay"] * rows * parameter.data()

    def _change_rate(self, change):
        """Makes the form rate_outside of the next step, whose rate is `change` times the last one's."""
        self._mx.momentum = self._momentum * change

    def step(self, rows, rate):
        if self._has_outer_rate:
            if rate == 0:
                raise Unsupported("rate 0 with momentum in the form rate_outside")
            self._change_rate(rate / self._last_rate if self._last_rate else 1)
        self._last_rate = rate
        self._trainer.set_learning_rate(rate)
        self._change_gradients(rows)
        self._trainer.step(rows)


class Sgd(Optimizer):
    clips_elements = True

    def _make(self, wanted, common):
        return mx.optimizer.SGD(momentum=self._momentum, **common)


class _RememberingNag(mx.optimizer.NAG):
    """Lets its velocities be changed."""

    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.velocities = []

    def create_state(self, index, weight):
        self.velocities.append(super().create_state(index, weight))
        return self.velocities[-1]


class Nag(Optimizer):
    """Looks ahead by the momentum itself, so where the rate changes the velocities are multiplied by the change.

    nag_mom_update reads the weight again after it has written it, and would decay the velocity by the new one.
    """

    decays = False

    def _make(self, wanted, common):
        return _RememberingNag(momentum=self._momentum, **common)

    def _change_rate(self, change):
        if change != 1:
            for velocity in self._mx.velocities:
                velocity *= change


def _sgd(recipe, graph, weights):
    has_nag = recipe["optimizer"]["nesterov"] and recipe["optimizer"]["momentum"]
    return (Nag if has_nag else Sgd)(recipe, graph, weights)


class Adam(Optimizer):
    """MXNet adds epsilon to the uncorrected root, so it is given one that shrinks with the correction.

    The operator takes 1 - beta in single precision. Only corrections by the same beta go with that.
    """

    _steps = 0  # since all was forgotten

    def _make(self, wanted, common):
        self._steps = 0
        return mx.optimizer.Adam(beta1=float(np.float32(wanted["beta1"])), beta2=float(np.float32(wanted["beta2"])),
                                 **common)

    def step(self, rows, rate):
        self._steps += 1
        self._mx.epsilon = self._wanted["epsilon"] * math.sqrt(1.0 - self._wanted["beta2"] ** self._steps)
        super().step(rows, rate)


class _RatedAdadelta(mx.optimizer.AdaDelta):
    """AdaDelta has no rate: it takes the whole step, of which the rest is given back."""

    def update(self, index, weight, grad, state):
        rate = self._get_lr(index)
        if rate == 1:
            super().update(index, weight, grad, state)
            return
        before = weight.copy()
        super().update(index, weight, grad, state)
        weight += (1 - rate) * (before - weight)


class Adadelta(Optimizer):
    """AdaDelta's own wd takes a share of the weight beside the step."""

    decays = False

    def _make(self, wanted, common):
        return _RatedAdadelta(rho=wanted["rho"], epsilon=wanted["epsilon"], **common)


class _StartedRmsprop(mx.optimizer.RMSProp):
    """Whose mean square does not start at 0."""

    def __init__(self, start, **arguments):
        super().__init__(**arguments)
        self._start = start

    def create_state(self, index, weight):
        state = super().create_state(index, weight)
        state[0][:] = self._start
        return state


class Rmsprop(Optimizer):
    def _make(self, wanted, common):
        if wanted["epsilon_place"] != "inside":
            raise Unsupported("rmsprop with epsilon outside the root")
        if self._momentum and not wanted["centered"]:
            raise Unsupported("rmsprop with momentum that is not centered")
        return _StartedRmsprop(wanted["initial_accumulator"], gamma1=wanted["rho"], gamma2=self._momentum,
                               epsilon=wanted["epsilon"], centered=wanted["centered"], **common)

    def _change_rate(self, change):
        self._mx.gamma2 = self._momentum * change


OPTIMIZERS = Table("optimizer", {"adadelta": Adadelta, "adam": Adam, "rmsprop": Rmsprop, "sgd": _sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm"]
