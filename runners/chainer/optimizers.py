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


class Nesterov(Optimizer):
    """NesterovAG, which changes its velocity first and then looks ahead with the new one, where the formula has the old one.

    v <- m v - h g; w <- w + m^2 v - (1 + m) h g. With v = -s V, s = 1 / (1 + m), h = s * rate and an m for which
    m^2 = momentum * (1 + m), the second is w <- w - (momentum * V + rate * g), as it should be. The first is
    V <- momentum * V + rate * g when v, before it, is multiplied by momentum / m; that lies in a hook, with the change of
    the rate that makes the form rate_outside.
    """

    def __init__(self, recipe, network):
        super().__init__(recipe, network)
        self._factor = 1.0
        for parameter in network.graph.trained:
            network.weights[parameter.name].update_rule.add_hook(self._scale_velocity)

    def _make(self, wanted):
        momentum = wanted["momentum"]
        self._own_momentum = (momentum + math.sqrt(momentum**2 + 4 * momentum)) / 2
        return optimizers.NesterovAG(momentum=self._own_momentum)

    def _scale_velocity(self, rule, _parameter):
        rule.state["v"] *= self._factor

    def update(self, rate):
        if self._scales_momentum and self._last_rate == 0:
            raise Unsupported("a rate that leaves 0 with momentum in the form rate_outside")
        change = rate / self._last_rate if self._scales_momentum and self._last_rate else 1
        self._factor = self._momentum / self._own_momentum * change
        self._last_rate = rate
        self._chainer.lr = rate / (1 + self._own_momentum)
        self._chainer.update()


def _sgd(recipe, network):
    has_nesterov = recipe["optimizer"]["nesterov"] and recipe["optimizer"]["momentum"]
    return (Nesterov if has_nesterov else Sgd)(recipe, network)


class Adadelta(Optimizer):
    """AdaDelta has no rate: it takes the whole step, of which the rest is given back."""

    def __init__(self, recipe, network):
        super().__init__(recipe, network)
        self._weights = [network.weights[p.name] for p in network.graph.trained]

    def _make(self, wanted):
        return optimizers.AdaDelta(rho=wanted["rho"], eps=wanted["epsilon"])

    def update(self, rate):
        if rate == 1:
            self._chainer.update()
            return
        before = [weights.array.copy() for weights in self._weights]
        self._chainer.update()
        for weights, old in zip(self._weights, before):
            weights.array += (1 - rate) * (old - weights.array)


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


OPTIMIZERS = Table("optimizer", {"adadelta": Adadelta, "adagrad": Adagrad, "adam": Adam, "rmsprop": Rmsprop,
                                 "sgd": _sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm"]
