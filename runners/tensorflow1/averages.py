"""The recipe's moving averages of the weights, by tf.train.ExponentialMovingAverage, which has the ramp too."""
import tensorflow as tf


class Averages:
    """Of all trained variables of the present tf.Graph.

    follow: operator that is a step's `update` and then the averaging. restart: from the weights as they are.
    """

    def __init__(self, weight_ema, update):
        self._ema = tf.train.ExponentialMovingAverage(
            weight_ema["decay"], num_updates=tf.train.get_global_step() if weight_ema["ramp"] else None)
        self._of = tf.trainable_variables()
        with tf.control_dependencies([update]):
            self.follow = self._ema.apply(self._of)
        self.restart = tf.group(*[tf.assign(self._ema.average(v), v) for v in self._of])

    def read(self, variables):
        """All variables by name, with the averages where there are any."""
        return {name: self._ema.average(v) if v in self._of else v for name, v in variables.items()}
