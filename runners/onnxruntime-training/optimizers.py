"""Optimizers of the recipe on ONNX Runtime's optimizer models."""
import numpy as np

from accumulators import Accumulator
from dlbench_runner import Table, Unsupported
from training_api import onnxblock


class Optimizer:
    """One of ONNX Runtime's, whose gradients are made ready in their accumulators before a training step adds to them.

    What is done there with numpy is the runner's own code: a plain optimizer needs none of it.
    """

    def __init__(self, wanted, parameters, state, module, optimizer):
        self._decays = [np.float32(wanted["weight_decay"] if p.decays(wanted) else 0.0) for p in parameters]
        self._module, self._optimizer = module, optimizer
        self._is_plain = not wanted.get("momentum", 0) and not any(self._decays)
        self._accumulators = [] if self._is_plain else [Accumulator(state, p) for p in parameters]
        self._rate = None

    @staticmethod
    def block(wanted):
        """What artifacts.generate_artifacts makes the optimizer model of."""
        raise NotImplementedError

    def before_step(self, rate):
        """Makes the accumulators ready for the gradients of a step at this rate."""
        if self._is_plain:
            self._module.lazy_reset_grad()
        else:
            self._fill_accumulators(rate)

    def _fill_accumulators(self, rate):
        raise NotImplementedError

    def step(self, rate):
        if rate != self._rate:
            self._optimizer.set_learning_rate(rate)
            self._rate = rate
        self._optimizer.step()

    def forget(self):
        """Puts the state before the first step; False: that takes a new optimizer."""
        raise NotImplementedError


class Sgd(Optimizer):
    """v <- momentum * v + (g + decay * w); w <- w - rate * v from ONNX Runtime's plain SGD and its accumulators.

    A training step adds the new gradient to the accumulator. So if the accumulator, instead of being reset, is scaled
    by the momentum before the step (and decay * w added), it holds v after it, and plain SGD with v as its gradient is
    the step. With V = rate * v the form rate_inside is the same with the momentum scaled by the change of the rate.
    """

    def __init__(self, wanted, parameters, state, module, optimizer):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        super().__init__(wanted, parameters, state, module, optimizer)
        self._momentum = np.float32(wanted["momentum"])
        self._scales_momentum = wanted["form"] == "rate_inside"

    @staticmethod
    def block(wanted):
        return onnxblock.optim.SGD()

    def _fill_accumulators(self, rate):
        momentum = self._momentum_at(rate)
        for accumulator, decay in zip(self._accumulators, self._decays):
            np.multiply(accumulator.gradient, momentum, out=accumulator.gradient)
            if decay:
                accumulator.gradient += decay * accumulator.weight

    def _momentum_at(self, rate):
        if not self._scales_momentum or self._rate is None:
            return self._momentum
        if rate == 0:
            raise Unsupported("rate 0 with momentum in the form rate_inside")
        return np.float32(self._momentum * self._rate / rate)

    def forget(self):
        self._rate = None
        for accumulator in self._accumulators:
            accumulator.gradient[...] = 0
        return True


class _PlainAdam(onnxblock.optim.AdamW):
    """AdamW adds its epsilon to the uncorrected root; the other mode of its operator corrects the root first."""

    def _optimizer_specific_logic(self, *inputs):
        flag = super()._optimizer_specific_logic(*inputs)
        mode = next(a for a in self.base.graph.node[-1].attribute if a.name == "adam_mode")
        mode.i = 0
        return flag


class Adam(Optimizer):
    """AdamW without its decay, which lies beside the step: the recipe's is in the gradient."""

    _steps = 0

    @staticmethod
    def block(wanted):
        return _PlainAdam(betas=(wanted["beta1"], wanted["beta2"]), eps=wanted["epsilon"])

    def _fill_accumulators(self, rate):
        for accumulator, decay in zip(self._accumulators, self._decays):
            np.multiply(accumulator.weight, decay, out=accumulator.gradient)

    def step(self, rate):
        self._steps += 1
        super().step(rate)

    def forget(self):
        """Moments and the count of steps are out of Python's reach."""
        return self._steps == 0


OPTIMIZERS = Table("optimizer", {"adam": Adam, "sgd": Sgd})
