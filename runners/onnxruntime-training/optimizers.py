"""Optimizers of the recipe on ONNX Runtime's optimizer models."""
import numpy as np

from accumulators import Accumulator
from dlbench_runner import Table, Unsupported


class Sgd:
    """v <- momentum * v + (g + decay * w); w <- w - rate * v from ONNX Runtime's plain SGD and its accumulators.

    A training step adds the new gradient to the accumulator. So if the accumulator, instead of being reset, is scaled
    by the momentum before the step (and decay * w added), it holds v after it, and plain SGD with v as its gradient is
    the step. Those two lines of numpy are the runner's own code. With V = rate * v the form rate_inside is the same with
    the momentum scaled by the change of the rate.
    """

    def __init__(self, wanted, parameters, state, module, optimizer):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._momentum = np.float32(wanted["momentum"])
        self._scales_momentum = wanted["form"] == "rate_inside"
        self._decays = [np.float32(wanted["weight_decay"] if p.decays(wanted) else 0.0)
                        for p in parameters]
        self._state, self._parameters, self._module, self._optimizer = state, parameters, module, optimizer
        self._is_plain = wanted["momentum"] == 0 and not any(self._decays)
        self._accumulators = None if self._is_plain else [Accumulator(state, p) for p in parameters]
        self._rate = None
        self.forget()

    def before_step(self, rate):
        """Makes the accumulators ready for the gradients of a step at this rate."""
        if self._is_plain:
            self._module.lazy_reset_grad()
            return
        momentum = self._momentum_at(rate)
        for accumulator, decay in zip(self._accumulators, self._decays):
            np.multiply(accumulator.gradient, momentum, out=accumulator.gradient)
            if decay:
                accumulator.gradient += decay * accumulator.weight

    def step(self, rate):
        if rate != self._rate:
            self._optimizer.set_learning_rate(rate)
            self._rate = rate
        self._optimizer.step()

    def _momentum_at(self, rate):
        if not self._scales_momentum or self._rate is None:
            return self._momentum
        if rate == 0:
            raise Unsupported("rate 0 with momentum in the form rate_inside")
        return np.float32(self._momentum * self._rate / rate)

    def forget(self):
        """State as before the first step."""
        self._rate = None
        for accumulator in self._accumulators or []:
            accumulator.gradient[...] = 0


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
