"""The recipe's moving averages of the weights, by tf.train.ExponentialMovingAverage, which has the ramp too."""
import tensorflow as tf


class Averages:
    """of: {name: variable} of what is trained. `read` has the averages in the place of these."""

    def __init__(self, of, weight_ema):
        self._variables = of
        self._steps = tf.Variable(0.0) if weight_ema["ramp"] else None
        self._ema = tf.train.ExponentialMovingAverage(weight_ema["decay"], num_updates=self._steps)

    def follow(self):
        """Within the tf.function, after the update."""
        if self._steps is not None:
            self._steps.assign_add(1.0)
        self._ema.apply(list(self._variables.values()))

    def read(self, variables):
        """All variables by name, with the averages where there are any. After the first `follow`."""
        return {name: self._ema.average(v) if name in self._variables else v for name, v in variables.items()}

    def restart(self):
        """From the weights as they are."""
        if self._steps is not None:
            self._steps.assign(0.0)
        for variable in self._variables.values():
            self._ema.average(variable).assign(variable)
