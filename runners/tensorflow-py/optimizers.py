"""Optimizers of the recipe on TensorFlow 2's update operators, which change variables in place."""
import numpy as np
import tensorflow as tf

from dlbench_runner import Table, Unsupported


class Optimizer:
    """One update operator on every trained variable, after TensorFlow's clipping and the decay.

    Subclasses make their slots, one variable for each parameter, in `build`, and have `update`.
    """

    def __init__(self, recipe, parameters, variables):
        self.wanted, self._clip = recipe["optimizer"], recipe["clip"]
        self._variables = [variables[p.name] for p in parameters]
        self._decays = [self.wanted["weight_decay"] if p.decays(self.wanted) else 0.0 for p in parameters]
        self._initial = []  # (variable of the state, the number that fills it before the first step)
        self.rate = tf.Variable(0.0, dtype=tf.float32)
        self._slots = list(zip(*self.build())) or [()] * len(parameters)

    def build(self):
        """The slots of every parameter, kind by kind in the order in which `update` takes them."""
        raise NotImplementedError

    def update(self, variable, gradient, numbers, *slots):
        """Within a tf.function: one step of one variable. numbers: what `numbers` returned for this step."""
        raise NotImplementedError

    def numbers(self):
        """Within a tf.function: what all parameters share in this step."""
        return None

    def slot(self, initial=0.0):
        """One kind of slot."""
        return [self.state(initial, v.shape) for v in self._variables]

    def state(self, initial, shape=(), dtype=tf.float32):
        """A variable that `forget` fills with this number again."""
        variable = tf.Variable(tf.fill(shape, tf.constant(initial, dtype)))
        self._initial.append((variable, initial))
        return variable

    def set_rate(self, rate):
        """Before a step whose rate is another one."""
        self.rate.assign(rate)

    def apply(self, gradients):
        """Within a tf.function: one step with `rate`."""
        numbers = self.numbers()
        for variable, slots, gradient in zip(self._variables, self._slots, self._changed(gradients)):
            self.update(variable, gradient, numbers, *slots)

    def _changed(self, gradients):
        """Clipped and with the decay added. An embedding's slices become dense unless `takes_slices`."""
        if self._clip["by"] != "none" or not self.takes_slices():
            gradients = [tf.convert_to_tensor(g) for g in gradients]
        limit = self._clip["limit"]
        if self._clip["by"] == "element":
            gradients = [tf.clip_by_value(g, -limit, limit) for g in gradients]
        elif self._clip["by"] == "global_norm":
            gradients, _ = tf.clip_by_global_norm(gradients, limit)
        return [g + decay * v if decay else g for g, decay, v in zip(gradients, self._decays, self._variables)]

    def takes_slices(self):
        """Whether a row without a gradient stays where it is."""
        return False

    def forget(self):
        """State as before the first step."""
        for variable, initial in self._initial:
            variable.assign(tf.fill(variable.shape, tf.constant(initial, variable.dtype)))


def _require_form(wanted):
    if wanted["form"] not in ("rate_outside", "rate_inside"):
        raise Unsupported("%s form %s" % (wanted["name"], wanted["form"]))


class Sgd(Optimizer):
    """rate_outside is ResourceApplyMomentum, rate_inside is ResourceApplyKerasMomentum: both exact."""

    def build(self):
        _require_form(self.wanted)
        self._operator = (tf.raw_ops.ResourceApplyMomentum if self.wanted["form"] == "rate_outside"
                          else tf.raw_ops.ResourceApplyKerasMomentum)
        return [self.slot()] if self.wanted["momentum"] else []

    def takes_slices(self):
        return not self.wanted["momentum"]

    def update(self, variable, gradient, numbers, *slots):
        if slots:
            self._operator(var=variable.handle, accum=slots[0].handle, lr=self.rate, grad=gradient,
                           momentum=self.wanted["momentum"], use_nesterov=self.wanted["nesterov"])
        elif isinstance(gradient, tf.IndexedSlices):  # as TensorFlow's GradientDescentOptimizer
            variable.scatter_sub(tf.IndexedSlices(self.rate * gradient.values, gradient.indices))
        else:
            tf.raw_ops.ResourceApplyGradientDescent(var=variable.handle, alpha=self.rate, delta=gradient)


class Adam(Optimizer):
    """ResourceApplyAdam adds epsilon to the uncorrected root and corrects the bias in single precision.

    So it gets a rate and an epsilon that hold the corrections, made in double precision of the betas that it takes, and
    no powers of them.
    """

    def build(self):
        self._steps = self.state(0.0, dtype=tf.float64)
        self._betas = [float(np.float32(self.wanted[name])) for name in ("beta1", "beta2")]
        return [self.slot(), self.slot()]

    def numbers(self):
        self._steps.assign_add(1.0)
        mean, square = (1.0 - tf.pow(tf.constant(beta, tf.float64), self._steps) for beta in self._betas)
        root = tf.sqrt(square)
        return (self.rate * tf.cast(root / mean, tf.float32), tf.cast(self.wanted["epsilon"] * root, tf.float32))

    def update(self, variable, gradient, numbers, *slots):
        rate, epsilon = numbers
        mean, square = slots
        tf.raw_ops.ResourceApplyAdam(var=variable.handle, m=mean.handle, v=square.handle, beta1_power=0.0,
                                     beta2_power=0.0, lr=rate, beta1=self._betas[0], beta2=self._betas[1],
                                     epsilon=epsilon, grad=gradient)


class Adadelta(Optimizer):
    def build(self):
        return [self.slot(), self.slot()]

    def update(self, variable, gradient, numbers, *slots):
        squares, moves = slots
        tf.raw_ops.ResourceApplyAdadelta(var=variable.handle, accum=squares.handle, accum_update=moves.handle,
                                         lr=self.rate, rho=self.wanted["rho"], epsilon=self.wanted["epsilon"],
                                         grad=gradient)


class Adagrad(Optimizer):
    def build(self):
        return [self.slot(self.wanted["initial_accumulator"])]

    def update(self, variable, gradient, numbers, *slots):
        tf.raw_ops.ResourceApplyAdagradV2(var=variable.handle, accum=slots[0].handle, lr=self.rate,
                                          epsilon=self.wanted["epsilon"], grad=gradient)


class Rmsprop(Optimizer):
    """ResourceApplyRMSProp has epsilon inside the root, and its momentum is that of rate_inside.

    With v = V / rate the form rate_outside, v <- momentum * v + d, w <- w - rate * v, is the same with the momentum
    scaled by the change of the rate: exactly equal.
    """

    def build(self):
        _require_form(self.wanted)
        if self.wanted["epsilon_place"] != "inside":
            raise Unsupported("rmsprop with epsilon outside the root")
        self._scales_momentum = self.wanted["form"] == "rate_outside" and self.wanted["momentum"] != 0
        self._last_rate = self.state(1.0)  # any but 0: there is no velocity yet
        centered = [self.slot()] if self.wanted["centered"] else []
        return [self.slot(self.wanted["initial_accumulator"]), self.slot(), *centered]

    def set_rate(self, rate):
        if rate == 0 and self._scales_momentum:
            raise Unsupported("rate 0 with rmsprop's momentum in the form rate_outside")
        super().set_rate(rate)

    def numbers(self):
        momentum = tf.constant(self.wanted["momentum"])
        if self._scales_momentum:
            momentum = tf.math.divide_no_nan(momentum * self.rate, self._last_rate)  # 0 / 0 before the first rate
            self._last_rate.assign(self.rate)
        return momentum

    def update(self, variable, gradient, numbers, *slots):
        square, velocity, *centre = [slot.handle for slot in slots]
        settings = {"var": variable.handle, "ms": square, "mom": velocity, "lr": self.rate, "momentum": numbers,
                    "rho": self.wanted["rho"], "epsilon": self.wanted["epsilon"], "grad": gradient}
        if centre:
            tf.raw_ops.ResourceApplyCenteredRMSProp(mg=centre[0], **settings)
        else:
            tf.raw_ops.ResourceApplyRMSProp(**settings)


OPTIMIZERS = Table("optimizer", {"adadelta": Adadelta, "adagrad": Adagrad, "adam": Adam, "rmsprop": Rmsprop,
                                 "sgd": Sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm", "weight_ema"]
