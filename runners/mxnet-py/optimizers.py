"""Optimizers of the recipe on gluon.Trainer."""
import mxnet as mx

from dlbench_runner import Table, Unsupported


class Sgd:
    """mx.optimizer.SGD: v <- momentum * v - rate * (g + decay * w); w <- w + v, the form rate_inside.

    With v = -rate * V the form rate_outside is this optimizer with the momentum scaled by the change of the rate.
    """

    def __init__(self, wanted, graph, weights):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._wanted = wanted
        self._scales_momentum = wanted["form"] == "rate_outside" and wanted["momentum"] != 0
        self._parameters = [weights[p.name] for p in graph.parameters]
        for parameter in graph.parameters:
            if parameter.role != "weight" and not wanted["decay_bias"]:
                weights[parameter.name].wd_mult = 0.0
        self.forget()

    def forget(self):
        """State as before the first step."""
        self._last_rate = None
        self._optimizer = mx.optimizer.SGD(momentum=self._wanted["momentum"], wd=self._wanted["weight_decay"])
        self._trainer = mx.gluon.Trainer(self._parameters, self._optimizer)

    def step(self, rows, rate):
        if self._scales_momentum:
            if rate == 0:
                raise Unsupported("rate 0 with momentum in the form rate_outside")
            change = 1 if self._last_rate is None else rate / self._last_rate
            self._optimizer.momentum = self._wanted["momentum"] * change
            self._last_rate = rate
        self._trainer.set_learning_rate(rate)
        self._trainer.step(rows)


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
