"""Optimizers of the recipe on torch.optim."""
import torch

from dlbench_runner import Table, Unsupported


class Sgd:
    """torch.optim.SGD: v <- momentum * v + (g + decay * w); w <- w - rate * v, dampening 0. That is rate_outside.

    With V = rate * v the form rate_inside, V <- momentum * V + rate * (g + decay * w), w <- w - V, is this optimizer with
    the momentum scaled by the change of the rate: exactly equal.
    """

    def __init__(self, wanted, parameters, tensors):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._momentum = wanted["momentum"]
        self._scales_momentum = wanted["form"] == "rate_inside" and self._momentum != 0
        self._last_rate = None
        decayed = [p for p in parameters if p.role == "weight" or wanted["decay_bias"]]
        spared = [p for p in parameters if p not in decayed]
        groups = [{"params": [tensors[p.name] for p in group], "weight_decay": decay}
                  for group, decay in ((decayed, wanted["weight_decay"]), (spared, 0.0)) if group]
        self._optimizer = torch.optim.SGD(groups, lr=0.01, momentum=self._momentum)  # the rate is set in each step
        self.zero_grad = self._optimizer.zero_grad

    def step(self, rate):
        momentum = self._momentum_at(rate) if self._scales_momentum else self._momentum
        for group in self._optimizer.param_groups:
            group["lr"] = rate
            group["momentum"] = momentum
        self._optimizer.step()

    def _momentum_at(self, rate):
        last, self._last_rate = self._last_rate, rate
        if rate == 0:
            raise Unsupported("rate 0 with momentum in the form rate_inside")
        return self._momentum if last is None else self._momentum * last / rate

    def forget(self):
        """State as before the first step."""
        self._optimizer.state.clear()
        self._last_rate = None


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
