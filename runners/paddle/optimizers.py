"""Optimizers of the recipe on paddle.optimizer."""
import paddle

from dlbench_runner import Table, Unsupported


class Sgd:
    """paddle.optimizer.Momentum: v <- momentum * v + (g + decay * w); w <- w - rate * v. That is rate_outside."""

    def __init__(self, wanted, parameters, tensors):
        if wanted["form"] != "rate_outside" and wanted["momentum"] != 0:
            raise Unsupported("sgd form %s" % wanted["form"])
        decayed = [p for p in parameters if p.role == "weight" or wanted["decay_bias"]]
        spared = [p for p in parameters if p not in decayed]
        groups = [{"params": [tensors[p.name] for p in group], "weight_decay": float(decay)}
                  for group, decay in ((decayed, wanted["weight_decay"]), (spared, 0.0)) if group]
        self._optimizer = paddle.optimizer.Momentum(learning_rate=0.01, momentum=wanted["momentum"], parameters=groups)
        self._rate = None
        self.clear_grad = self._optimizer.clear_grad

    def step(self, rate):
        if rate != self._rate:
            self._optimizer.set_lr(rate)
            self._rate = rate
        self._optimizer.step()

    def forget(self):
        """State as before the first step."""
        for value in self._optimizer.state_dict().values():
            if isinstance(value, paddle.Tensor):
                value.zero_()


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
