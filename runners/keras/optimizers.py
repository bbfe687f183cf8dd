"""Optimizers of the recipe as Keras has them.

Their own weight_decay is another one, outside of the gradient. The recipe's is a penalty of the layers, or, where the recipe
clips, what `_after_clipping` adds.
"""
import keras
import numpy as np

import averages
from dlbench_runner import Table, Unsupported

_ANY_RATE = 0.01  # the constructors want one; the session sets that of each step


def _class_here(of):
    """What Keras makes of this class on the present back end: PyTorch has optimizers of its own."""
    return type(of(learning_rate=_ANY_RATE))


def _correcting(of):
    """Adam with an epsilon that shrinks with the correction, because Keras adds it to the uncorrected root."""
    class Correcting(of):
        @property
        def epsilon(self):
            power = keras.ops.power(self.beta_2, keras.ops.cast(self.iterations + 1, "float32"))
            return self._corrected_epsilon * keras.ops.sqrt(1.0 - power)

        @epsilon.setter
        def epsilon(self, value):
            self._corrected_epsilon = value
    return Correcting


def _single(beta):
    """As Keras takes its powers of it, so that 1 - beta, which it computes in double precision, is the same beta's."""
    return float(np.float32(beta))


def _sgd(wanted):
    """v <- momentum * v - rate * g; w <- w + v: the form rate_inside, whatever the recipe says (README.md)."""
    return keras.optimizers.SGD, {"momentum": float(wanted["momentum"]), "nesterov": wanted["nesterov"]}


def _adam(wanted):
    return _correcting(_class_here(keras.optimizers.Adam)), {
        "beta_1": _single(wanted["beta1"]), "beta_2": _single(wanted["beta2"]), "epsilon": wanted["epsilon"]}


def _adadelta(wanted):
    return keras.optimizers.Adadelta, {"rho": wanted["rho"], "epsilon": wanted["epsilon"]}


def _rmsprop(wanted):
    """Its momentum is that of rate_inside, as that of SGD."""
    if wanted["epsilon_place"] != "inside":
        raise Unsupported("rmsprop with epsilon outside the root")
    return keras.optimizers.RMSprop, {"rho": wanted["rho"], "epsilon": wanted["epsilon"],
                                      "momentum": float(wanted["momentum"]), "centered": wanted["centered"]}


OPTIMIZERS = Table("optimizer", {"adadelta": _adadelta, "adam": _adam, "rmsprop": _rmsprop, "sgd": _sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm", "weight_ema"]

_CLIPS = {"element": "clipvalue", "global_norm": "global_clipnorm"}


def _after_clipping(of, decayed, decay):
    """The class with a weight decay of these variables between the clipping and the update."""
    places = {id(variable) for variable in decayed}

    class AfterClipping(of):
        def _clip_gradients(self, grads):
            return [g + decay * v if id(v) in places else g
                    for g, v in zip(super()._clip_gradients(grads), self._trainable_variables)]
    return AfterClipping


def decays_after_clipping(recipe):
    """Whether the optimizer has the decay, because a penalty's gradient would be clipped too."""
    return recipe["clip"]["by"] != "none" and recipe["optimizer"]["weight_decay"] != 0


def make(recipe, decayed):
    """The recipe's optimizer, not yet built. decayed: the variables that decay."""
    of, settings = OPTIMIZERS.at(recipe["optimizer"]["name"])(recipe["optimizer"])
    of = _class_here(of)
    if recipe["clip"]["by"] != "none":
        settings[_CLIPS[recipe["clip"]["by"]]] = recipe["clip"]["limit"]
    if decays_after_clipping(recipe):
        of = _after_clipping(of, decayed, recipe["optimizer"]["weight_decay"])
    if averages.are_wanted(recipe):
        of, more = averages.averaging(of, recipe)
        settings.update(more)
    return of(learning_rate=_ANY_RATE, **settings)


def initial(recipe, variable):
    """The number that fills a variable of the state, averages but for, before the first step."""
    if variable.name == "iteration":
        return averages.FIRST_STEP if averages.are_wanted(recipe) else 0
    is_mean_square = recipe["optimizer"]["name"] == "rmsprop" and variable.name.endswith("_velocity")
    return recipe["optimizer"]["initial_accumulator"] if is_mean_square else 0
