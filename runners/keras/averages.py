"""The recipe's moving averages of the weights, by use_ema of Keras's optimizers, which makes an average the weight itself
after the step whose number is 0. So the steps are numbered from 1 and the averages begin where the weights do."""
import keras

from dlbench_runner import Unsupported

FIRST_STEP = 1


def are_wanted(recipe):
    return recipe["weight_ema"]["decay"] != 0


def averaging(of, recipe):
    """(class, settings) of an optimizer with averages."""
    if recipe["optimizer"]["name"] == "adam":
        raise Unsupported("weight_ema with adam: both go by the number of the step, one from 0, the other from 1")
    settings = {"use_ema": True, "ema_momentum": recipe["weight_ema"]["decay"]}
    return (_ramping(of) if recipe["weight_ema"]["ramp"] else of), settings


def _ramping(of):
    """The class with min(decay, (1 + t) / (10 + t)) for ema_momentum in the step t."""
    class Ramping(of):
        @property
        def ema_momentum(self):
            t = keras.ops.cast(self.iterations, "float32")
            return keras.ops.minimum(self._largest_momentum, (1.0 + t) / (10.0 + t))

        @ema_momentum.setter
        def ema_momentum(self, value):
            self._largest_momentum = value
    return Ramping


def of_optimizer(optimizer):
    """Its averages, in the order of the variables that it was built for; none without use_ema."""
    return [v for v in optimizer.variables if v.name.endswith("_average")] if optimizer.use_ema else []
