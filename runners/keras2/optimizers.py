"""Optimizers of the recipe as Keras has them."""
import keras.backend as K
from keras import optimizers

from dlbench_runner import Table, Unsupported


class Sgd:
    """keras.optimizers.SGD: v <- momentum * v - rate * g; w <- w + v, the form rate_inside.

    With v = -rate * V the form rate_outside is this optimizer with the momentum scaled by the change of the rate. Decay
    is the business of the layers' penalties.
    """

    def __init__(self, wanted):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._momentum = wanted["momentum"]
        self._scales_momentum = wanted["form"] == "rate_outside" and self._momentum != 0
        self.keras = optimizers.SGD(lr=0.0, momentum=self._momentum)
        self.forget()

    def forget(self):
        """State as before the first step."""
        self._last_rate, self._momentum_in_force = None, None
        for velocity in self.keras.weights[1:]:  # the first counts steps
            K.set_value(velocity, 0 * K.get_value(velocity))

    def set_rate(self, rate):
        momentum = self._momentum
        if self._scales_momentum and self._last_rate is not None:
            if self._last_rate == 0:
                raise Unsupported("a rate that leaves 0 with momentum in the form rate_outside")
            momentum *= rate / self._last_rate
        if rate != self._last_rate:
            K.set_value(self.keras.lr, rate)
            self._last_rate = rate
        if momentum != self._momentum_in_force:
            K.set_value(self.keras.momentum, momentum)
            self._momentum_in_force = momentum


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
