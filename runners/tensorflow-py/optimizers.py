"""Optimizers of the recipe on TensorFlow 2's update operators, which change variables in place."""
import tensorflow as tf

from dlbench_runner import Table, Unsupported


class Sgd:
    """rate_outside is ResourceApplyMomentum, rate_inside is ResourceApplyKerasMomentum: both exact."""

    def __init__(self, wanted, parameters, variables):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._momentum = wanted["momentum"]
        self._update = (tf.raw_ops.ResourceApplyMomentum if wanted["form"] == "rate_outside"
                        else tf.raw_ops.ResourceApplyKerasMomentum)
        self._variables = [variables[p.name] for p in parameters]
        self._decays = [wanted["weight_decay"] if p.role == "weight" or wanted["decay_bias"] else 0.0
                        for p in parameters]
        self._velocities = [tf.Variable(tf.zeros(v.shape)) for v in self._variables] if self._momentum else []
        self.rate = tf.Variable(0.0, dtype=tf.float32)

    def apply(self, gradients):
        """Within a tf.function: one step with `rate`."""
        gradients = [g + decay * v if decay else g for g, decay, v in zip(gradients, self._decays, self._variables)]
        if not self._momentum:
            for variable, gradient in zip(self._variables, gradients):
                tf.raw_ops.ResourceApplyGradientDescent(var=variable.handle, alpha=self.rate, delta=gradient)
        for variable, velocity, gradient in zip(self._variables, self._velocities, gradients):
            self._update(var=variable.handle, accum=velocity.handle, lr=self.rate, grad=gradient,
                         momentum=self._momentum)

    def forget(self):
        """State as before the first step."""
        for velocity in self._velocities:
            velocity.assign(tf.zeros_like(velocity))


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
