"""Optimizers of the recipe on paddle.optimizer, with Paddle's clipping before the decay, as Paddle orders them."""
import paddle

from dlbench_runner import Table, Unsupported

_ANY_RATE = 0.01  # the constructors want one; each step sets its own


def _sgd(wanted):
    """v <- momentum * v + g; w <- w - rate * v. That is rate_outside.

    With V = rate * v the form rate_inside is the same when v is divided by the change of the rate, where it changes.
    """
    if wanted["form"] not in ("rate_outside", "rate_inside"):
        raise Unsupported("sgd form %s" % wanted["form"])
    return paddle.optimizer.Momentum, {"momentum": wanted["momentum"], "use_nesterov": wanted["nesterov"]}


def _adam(wanted):
    return paddle.optimizer.Adam, {"beta1": wanted["beta1"], "beta2": wanted["beta2"], "epsilon": wanted["epsilon"]}


def _adadelta(wanted):
    return paddle.optimizer.Adadelta, {"rho": wanted["rho"], "epsilon": wanted["epsilon"]}


def _adagrad(wanted):
    return paddle.optimizer.Adagrad, {"epsilon": wanted["epsilon"],
                                      "initial_accumulator_value": wanted["initial_accumulator"]}


def _rmsprop(wanted):
    """Epsilon inside the root; v <- momentum * v + rate * d; w <- w - v. That is rate_inside."""
    if wanted["epsilon_place"] != "inside":
        raise Unsupported("rmsprop with epsilon outside the root")
    if wanted["initial_accumulator"] != 0:
        raise Unsupported("rmsprop with an initial accumulator")
    if wanted["form"] != "rate_inside" and wanted["momentum"] != 0:
        raise Unsupported("rmsprop with momentum in the form %s" % wanted["form"])
    return paddle.optimizer.RMSProp, {"rho": wanted["rho"], "epsilon": wanted["epsilon"],
                                      "momentum": wanted["momentum"], "centered": wanted["centered"]}


OPTIMIZERS = Table("optimizer", {"adadelta": _adadelta, "adagrad": _adagrad, "adam": _adam, "rmsprop": _rmsprop,
                                 "sgd": _sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm"]

_CLIPS = {"none": lambda limit: None, "element": paddle.nn.ClipGradByValue,
          "global_norm": paddle.nn.ClipGradByGlobalNorm}


class Optimizer:
    """One of paddle.optimizer on all trained parameters.

    They are one list and not groups with and without decay: Paddle takes the norm of each group by itself. So decay is a
    regularizer of the parameters, as paddle.ParamAttr sets it.
    """

    def __init__(self, recipe, parameters, tensors):
        wanted, self._clip = recipe["optimizer"], recipe["clip"]
        self._of, self._settings = OPTIMIZERS.at(wanted["name"])(wanted)
        self._divides_velocities = wanted["name"] == "sgd" and wanted["form"] == "rate_inside" and wanted["momentum"] != 0
        self._tensors = [tensors[p.name] for p in parameters]
        for parameter, tensor in zip(parameters, self._tensors):
            if parameter.decays(wanted) and wanted["weight_decay"] != 0:
                tensor.regularizer = paddle.regularizer.L2Decay(wanted["weight_decay"])
        self.forget()

    def forget(self):
        """State as before the first step, in which an optimizer makes it."""
        self._optimizer = self._of(learning_rate=_ANY_RATE, parameters=self._tensors,
                                   grad_clip=_CLIPS[self._clip["by"]](self._clip["limit"]), **self._settings)
        self._rate = None

    def clear_grad(self):
        self._optimizer.clear_grad()

    def step(self, rate):
        if rate != self._rate:
            if self._divides_velocities and self._rate is not None:
                self._divide_velocities(rate)
            self._optimizer.set_lr(rate)
            self._rate = rate
        self._optimizer.step()

    def _divide_velocities(self, rate):
        """They are all that Momentum keeps."""
        if rate == 0:
            raise Unsupported("rate 0 with momentum in the form rate_inside")
        for velocity in self._optimizer.state_dict().values():
            velocity.scale_(self._rate / rate)
