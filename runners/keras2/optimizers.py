"""Optimizers of the recipe on keras.optimizers."""
import keras.backend as K
import numpy as np
from keras import optimizers

from backend import BACKEND
from dlbench_runner import Table, Unsupported

_CLIPS = {"element": "clipvalue", "global_norm": "clipnorm"}


def decays_after_clipping(recipe):
    """Whether the optimizer has the decay, because the gradient of a layer's penalty would be clipped too."""
    return recipe["clip"]["by"] != "none" and recipe["optimizer"]["weight_decay"] != 0


def _after_clipping(of, decayed, decay):
    """The class with a weight decay of these variables between the clipping and the update."""
    class AfterClipping(of):
        def get_gradients(self, loss, params):
            gradients = super(AfterClipping, self).get_gradients(loss, params)
            return [g + decay * v if v in decayed else g for g, v in zip(gradients, params)]
    return AfterClipping


class Optimizer:
    """One of keras.optimizers. Decay without clipping is the business of the layers' penalties."""

    def __init__(self, recipe, decayed):
        self._wanted = recipe["optimizer"]
        of, settings = self._choose()
        if decays_after_clipping(recipe):
            of = _after_clipping(of, set(decayed), self._wanted["weight_decay"])
        if recipe["clip"]["by"] != "none":
            settings[_CLIPS[recipe["clip"]["by"]]] = recipe["clip"]["limit"]
        self.keras = of(lr=0.0, **settings)
        self._rate, self._is_fresh = None, False

    def _choose(self):
        """Class and arguments."""
        raise NotImplementedError

    def finish(self):
        """Makes what steps need, once Keras has made the state."""

    def forget(self):
        """State as before the first step."""
        if self._is_fresh:
            return
        self._rate, self._is_fresh = None, True
        for state in self.keras.weights:
            K.set_value(state, np.full_like(K.get_value(state), self._wanted.get("initial_accumulator", 0)))

    def set_rate(self, rate):
        if rate != self._rate:
            K.set_value(self.keras.lr, rate)
        self._rate, self._is_fresh = rate, False


class Sgd(Optimizer):
    """v <- momentum * v - rate * g; w <- w + v, the form rate_inside.

    With v = -rate * V the form rate_outside is this optimizer with the momentum scaled by the change of the rate; where
    Nesterov's momentum looks ahead besides, v itself is multiplied by that change.
    """

    _momentum_in_force = _rescale = None

    def _choose(self):
        if self._wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % self._wanted["form"])
        self._scales = self._wanted["form"] == "rate_outside" and self._wanted["momentum"] != 0
        return optimizers.SGD, {"momentum": self._wanted["momentum"], "nesterov": self._wanted["nesterov"]}

    def set_rate(self, rate):
        change = 1
        if self._scales and self._rate is not None:
            if self._rate == 0:
                raise Unsupported("a rate that leaves 0 with momentum in the form rate_outside")
            change = rate / self._rate
        if self._wanted["nesterov"]:
            self._multiply(change)
        else:
            self._set_momentum(self._wanted["momentum"] * change)
        super().set_rate(rate)

    def finish(self):
        if self._scales and self._wanted["nesterov"]:
            self._rescale = BACKEND.scaling(self.keras.weights[1:])

    def _multiply(self, change):
        if change != 1:
            self._rescale(change)

    def _set_momentum(self, momentum):
        if momentum != self._momentum_in_force:
            K.set_value(self.keras.momentum, momentum)
            self._momentum_in_force = momentum


class Adadelta(Optimizer):
    def _choose(self):
        return optimizers.Adadelta, {"rho": self._wanted["rho"], "epsilon": self._wanted["epsilon"]}


class Adagrad(Optimizer):
    def _choose(self):
        return optimizers.Adagrad, {"epsilon": self._wanted["epsilon"]}


class Rmsprop(Optimizer):
    def _choose(self):
        if self._wanted["centered"] or self._wanted["momentum"]:
            raise Unsupported("rmsprop that is centered or has momentum")
        if self._wanted["epsilon_place"] != "outside":
            raise Unsupported("rmsprop with epsilon inside the root")
        return optimizers.RMSprop, {"rho": self._wanted["rho"], "epsilon": self._wanted["epsilon"]}


OPTIMIZERS = Table("optimizer", {"adadelta": Adadelta, "adagrad": Adagrad, "rmsprop": Rmsprop, "sgd": Sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm"]
