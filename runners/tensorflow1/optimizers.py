"""Optimizers of the recipe as tf.train has them."""
import tensorflow as tf

from dlbench_runner import Table, Unsupported


class _Adagrad(tf.train.AdagradOptimizer):
    """With an epsilon and without an accumulator to begin with: TensorFlow's operator has both, its class neither."""

    def __init__(self, rate, initial_accumulator, epsilon):
        super().__init__(rate)
        self._initial_accumulator_value = initial_accumulator
        self._epsilon = epsilon

    def _apply_dense(self, grad, var):
        return tf.raw_ops.ApplyAdagradV2(var=var, accum=self.get_slot(var, "accumulator"), grad=grad,
                                         lr=self._learning_rate_tensor, epsilon=self._epsilon)


def _sgd(wanted, rate, _steps):
    """MomentumOptimizer is rate_outside. At rate 1 and with gradients multiplied by the rate it is rate_inside."""
    if wanted["form"] not in ("rate_outside", "rate_inside"):
        raise Unsupported("sgd form %s" % wanted["form"])
    if wanted["momentum"] == 0:
        return tf.train.GradientDescentOptimizer(rate)
    return tf.train.MomentumOptimizer(1.0 if _scales_gradients(wanted) else rate, wanted["momentum"],
                                      use_nesterov=wanted["nesterov"])


def _scales_gradients(wanted):
    return wanted["name"] == "sgd" and wanted["form"] == "rate_inside" and wanted["momentum"] != 0


def _adam(wanted, rate, steps):
    """TensorFlow adds epsilon to the uncorrected root, so it is given one that shrinks with the correction."""
    correction = 1.0 - tf.pow(tf.constant(wanted["beta2"], tf.float64), tf.cast(steps + 1, tf.float64))
    epsilon = tf.cast(wanted["epsilon"] * tf.sqrt(correction), tf.float32)
    return tf.train.AdamOptimizer(rate, wanted["beta1"], wanted["beta2"], epsilon)


def _adadelta(wanted, rate, _steps):
    return tf.train.AdadeltaOptimizer(rate, wanted["rho"], wanted["epsilon"])


def _adagrad(wanted, rate, _steps):
    return _Adagrad(rate, wanted["initial_accumulator"], wanted["epsilon"])


def _rmsprop(wanted, rate, _steps):
    if wanted["epsilon_place"] != "inside":
        raise Unsupported("rmsprop with epsilon outside the root")
    if wanted["initial_accumulator"] != 1.0:
        raise Unsupported("rmsprop with an initial accumulator other than 1")
    if wanted["momentum"] != 0 and wanted["form"] != "rate_inside":
        raise Unsupported("rmsprop with momentum in the form %s" % wanted["form"])
    return tf.train.RMSPropOptimizer(rate, wanted["rho"], wanted["momentum"], wanted["epsilon"],
                                     centered=wanted["centered"])


OPTIMIZERS = Table("optimizer", {"adadelta": _adadelta, "adagrad": _adagrad, "adam": _adam, "rmsprop": _rmsprop,
                                 "sgd": _sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm", "weight_ema"]


class Trainer:
    """The update of a training step, in the present tf.Graph.

    rate: a variable, that of the next step. update: operator of one step. reset: puts the state before the first step.
    """

    def __init__(self, recipe, loss, decayed):
        self._wanted, self._clip, self._decayed = recipe["optimizer"], recipe["clip"], decayed
        self.rate = tf.Variable(0.0, trainable=False, name="rate")
        steps = tf.train.get_or_create_global_step()
        optimizer = OPTIMIZERS.at(self._wanted["name"])(self._wanted, self.rate, steps)
        # compute_gradients gates by GATE_OP unasked: who gets an operator's gradients gets all of them together. So no
        # weight moves before back-propagation has read it, see README.md.
        gradients, variables = zip(*optimizer.compute_gradients(loss))
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            self.update = optimizer.apply_gradients(zip(self._changed(gradients, variables), variables), steps)
        self.reset = tf.variables_initializer(optimizer.variables() + [steps])

    def _changed(self, gradients, variables):
        """Clipped, with the decay added, multiplied by the rate: what of these the recipe wants."""
        if not self._takes_slices():
            gradients = [tf.convert_to_tensor(g) for g in gradients]
        limit = self._clip["limit"]
        if self._clip["by"] == "element":
            gradients = [tf.clip_by_value(g, -limit, limit) for g in gradients]
        elif self._clip["by"] == "global_norm":
            gradients, _ = tf.clip_by_global_norm(gradients, limit)
        decay = self._wanted["weight_decay"]
        if decay != 0:
            gradients = [g + decay * v if v in self._decayed else g for g, v in zip(gradients, variables)]
        return [g * self.rate for g in gradients] if _scales_gradients(self._wanted) else gradients

    def _takes_slices(self):
        """An embedding's gradient is slices. Only plain descent leaves the other rows where the formula leaves them."""
        plain = self._wanted["name"] == "sgd" and self._wanted["momentum"] == 0
        return plain and self._wanted["weight_decay"] == 0 and self._clip["by"] == "none"
