"""Optimizers of the recipe on chainer.optimizers."""
import chainer

from dlbench_runner import Table, Unsupported


class Sgd:
    """MomentumSGD: v <- momentum * v - rate * g; w <- w + v, the form rate_inside.

    With v = -rate * V the form rate_outside is this optimizer with the momentum scaled by the change of the rate.
    """

    def __init__(self, wanted, network):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._momentum = wanted["momentum"]
        self._scales_momentum = wanted["form"] == "rate_outside" and self._momentum != 0
        self._last_rate = None
        self._optimizer = (chainer.optimizers.MomentumSGD(momentum=self._momentum) if self._momentum
                           else chainer.optimizers.SGD()).setup(network)
        if wanted["weight_decay"]:
            for parameter in network.graph.parameters:
                if parameter.role == "weight" or wanted["decay_bias"]:
                    hook = chainer.optimizer_hooks.WeightDecay(wanted["weight_decay"])
                    network.weights[parameter.name].update_rule.add_hook(hook)

    def forget(self, weights):
        """State of one parameter as before the first step."""
        self._last_rate = None
        if weights.update_rule.state is not None:
            weights.update_rule.init_state(weights)

    def update(self, rate):
        if self._scales_momentum and rate != self._last_rate:
            if rate == 0:
                raise Unsupported("rate 0 with momentum in the form rate_outside")
            change = 1 if self._last_rate is None else rate / self._last_rate
            self._optimizer.momentum = self._momentum * change
            self._last_rate = rate
        elif self._scales_momentum:
            self._optimizer.momentum = self._momentum
        self._optimizer.lr = rate
        self._optimizer.update()


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
