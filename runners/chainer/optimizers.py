"""Optimizers of the recipe on chainer.optimizers."""
import math

from chainer import optimizer_hooks, optimizers

from dlbench_runner import Table, Unsupported


class Optimizer:
    """One of chainer.optimizers; clipping and decay are its hooks, in this order.

    Chainer's velocity has the rate in it: v <- momentum * v - rate * d; w <- w + v, the form rate_inside. With
    v = -rate * V the form rate_outside is the same with the momentum scaled by the change of the rate.
    """

    accumulator = None  # what the optimizer's state calls that which the recipe's initial_accumulator fills

    def __init__(self, recipe, network):
        self._wanted = wanted = recipe["optimizer"]
        self._momentum = wanted.get("momentum", 0)
        self._scales_momentum = self._momentum != 0 and wanted["form"] == "rate_outside"
        self._last_rate = None
        self._chainer = self._make(wanted).setup(network)
        if recipe["clip"]["by"] == "element":
            self._chainer.add_hook(optimizer_hooks.GradientHardClipping(-recipe["clip"]["limit"], recipe["clip"]["limit"]))
        elif recipe["clip"]["by"] == "global_norm":
            self._chainer.add_hook(optimizer_hooks.GradientClipping(recipe["clip"]["limit"]))
        for parameter in network.graph.trained:
            rule = network.weights[parameter.name].update_rule
            if wanted["weight_decay"] and parameter.decays(wanted):
                rule.add_hook(optimizer_hooks.WeightDecay(wanted["weight_decay"]))
            if wanted.get("initial_accumulator"):
                _start_at(rule, self.accumulator, wanted["initial_accumulator"])

    def _make(self, wanted):
        """The optimizer; its rate is set before each step."""
        raise NotImplementedError

    def forget(self, weights):
        """State of one parameter as before the first step."""
        self._last_rate = None
        weights.update_rule.t = 0
        if weights.update_rule.state is not None:
            weights.update_rule.init_state(weights)

    def _set_rate(self, rate):
        self._chainer.lr = rate

    def update(self, rate):
        if self._scales_momentum:
            if rate == 0:
                raise Unsupported("rate 0 with momentum in the form rate_outside")
            self._chainer.momentum = self._momentum * (rate / self._last_rate if self._last_rate else 1)
        self._last_rate = rate
        self._set_rate(rate)
        self._chainer.update()


def _start_at(rule, accumulator, value):
    """Chainer's accumulators start at 0."""
    from_zero = rule.init_state

    def init_state(parameter):
        from_zero(parameter)
        rule.state[accumulator][...] = value
    rule.init_state = init_state


class Sgd(Optimizer):
    def _make(self, wanted):
        return optimizers.MomentumSGD(momentum=self._momentum) if self._momentum else optimizers.SGD()


class Adam(Optimizer):
    """Chainer adds eps to the uncorrected root, so it is given one that shrinks with the correction."""

    _steps = 0  # since all was forgotten

    def _make(self, wanted):
        return optimizers.Adam(beta1=wanted["beta1"], beta2=wanted["beta2"])

    def forget(self, weights):
        super().forget(weights)
        self._steps = 0

    def _set_rate(self, rate):
        self._steps += 1
        self._chainer.alpha = rate
        self._chainer.eps = self._wanted["epsilon"] * math.sqrt(1.0 - self._wanted["beta2"] ** self._steps)


class Adagrad(Optimizer):
    accumulator = "h"

    def _make(self, wanted):
        return optimizers.AdaGrad(eps=wanted["epsilon"])


class Rmsprop(Optimizer):
    """RMSprop has no momentum and no mean; RMSpropGraves has both and its epsilon inside the root."""

    def _make(self, wanted):
        inside = wanted["epsilon_place"] == "inside"
        if not wanted["centered"]:
            if self._momentum:
                raise Unsupported("rmsprop with momentum that is not centered")
            self.accumulator = "ms"
            return optimizers.RMSprop(alpha=wanted["rho"], eps=wanted["epsilon"], eps_inside_sqrt=inside)
        if not inside:
            raise Unsupported("centered rmsprop with epsilon outside the root")
        self.accumulator = "n"
        return optimizers.RMSpropGraves(alpha=wanted["rho"], momentum=self._momentum, eps=wanted["epsilon"])


OPTIMIZERS = Table("optimizer", {"adagrad": Adagrad, "adam": Adam, "rmsprop": Rmsprop, "sgd": Sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["clip=element", "clip=global_norm"]
