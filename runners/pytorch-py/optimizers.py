"""Optimizers of the recipe on torch.optim, with the clipping of torch.nn.utils before them."""
import torch
from torch.nn.utils import clip_grad_value_, clip_grads_with_norm_, get_total_norm

from dlbench_runner import Table, Unsupported

_ANY_RATE = 0.01  # the constructors want one; each step sets its own


def _clip_norm(tensors, limit):
    """clip_grads_with_norm_ divides by the norm plus 1e-6, so it is told a norm that is less by that."""
    norm = get_total_norm([tensor.grad for tensor in tensors])
    clip_grads_with_norm_(tensors, limit, norm - 1e-6)


_CLIPS = {"none": None, "element": clip_grad_value_, "global_norm": _clip_norm}


class Optimizer:
    """One of torch.optim on all trained parameters; those without decay are a group of their own.

    Subclasses have `make`, and `prepare` where a step needs more than its rate.
    """

    def __init__(self, recipe, parameters, tensors):
        self.wanted, self._limit = recipe["optimizer"], recipe["clip"]["limit"]
        self._clip = _CLIPS[recipe["clip"]["by"]]
        self.tensors = [tensors[p.name] for p in parameters]
        decays = [p.decays(self.wanted) for p in parameters]
        groups = (([t for t, d in zip(self.tensors, decays) if d], self.wanted["weight_decay"]),
                  ([t for t, d in zip(self.tensors, decays) if not d], 0.0))
        self.optimizer = self.make([{"params": group, "weight_decay": decay} for group, decay in groups if group])

    def make(self, groups):
        """The optimizer of torch.optim for these parameter groups."""
        raise NotImplementedError

    def prepare(self, rate):
        """Before each update: settings that change with it."""
        self.set("lr", rate)

    def set(self, setting, value):
        for group in self.optimizer.param_groups:
            group[setting] = value

    def zero_grad(self):
        self.optimizer.zero_grad()

    def step(self, rate):
        if self._clip is not None:
            self._clip(self.tensors, self._limit)
        self.prepare(rate)
        self.optimizer.step()

    def forget(self):
        """State as before the first step."""
        self.optimizer.state.clear()


class WithMomentum(Optimizer):
    """v <- momentum * v + d; w <- w - rate * v: that is rate_outside.

    With V = rate * v the form rate_inside, V <- momentum * V + rate * d, w <- w - V, is the same with the momentum
    scaled by the change of the rate: exactly equal.
    """

    def __init__(self, recipe, parameters, tensors):
        wanted = recipe["optimizer"]
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("%s form %s" % (wanted["name"], wanted["form"]))
        self.is_inside = wanted["form"] == "rate_inside" and wanted["momentum"] != 0
        self._last_rate = None
        super().__init__(recipe, parameters, tensors)

    def prepare(self, rate):
        super().prepare(rate)
        if self.is_inside:
            self.set("momentum", self._momentum_at(rate))

    def _momentum_at(self, rate):
        last, self._last_rate = self._last_rate, rate
        if rate == 0:
            raise Unsupported("rate 0 with momentum in the form rate_inside")
        return self.wanted["momentum"] * (1.0 if last is None else last / rate)

    def forget(self):
        super().forget()
        self._last_rate = None


class Sgd(WithMomentum):
    def __init__(self, recipe, parameters, tensors):
        super().__init__(recipe, parameters, tensors)
        if self.is_inside and self.wanted["nesterov"]:
            raise Unsupported("sgd with nesterov in the form rate_inside")  # it would look ahead by the scaled momentum

    def make(self, groups):
        return torch.optim.SGD(groups, lr=_ANY_RATE, momentum=self.wanted["momentum"],
                               nesterov=self.wanted["nesterov"] and self.wanted["momentum"] != 0)


class Adam(Optimizer):
    def make(self, groups):
        return torch.optim.Adam(groups, lr=_ANY_RATE, betas=(self.wanted["beta1"], self.wanted["beta2"]),
                                eps=self.wanted["epsilon"])


class Adadelta(Optimizer):
    def make(self, groups):
        return torch.optim.Adadelta(groups, lr=_ANY_RATE, rho=self.wanted["rho"], eps=self.wanted["epsilon"])


class Adagrad(Optimizer):
    def make(self, groups):
        return torch.optim.Adagrad(groups, lr=_ANY_RATE, eps=self.wanted["epsilon"],
                                   initial_accumulator_value=self.wanted["initial_accumulator"])

    def forget(self):
        """In place: this optimizer fills its state when it is made and never again."""
        for state in self.optimizer.state.values():
            state["step"].zero_()
            state["sum"].fill_(self.wanted["initial_accumulator"])


class Rmsprop(WithMomentum):
    def make(self, groups):
        if self.wanted["epsilon_place"] != "outside":
            raise Unsupported("rmsprop with epsilon inside the root")
        if self.wanted["initial_accumulator"] != 0:
            raise Unsupported("rmsprop with an initial accumulator")
        return torch.optim.RMSprop(groups, lr=_ANY_RATE, alpha=self.wanted["rho"], eps=self.wanted["epsilon"],
                                   momentum=self.wanted["momentum"], centered=self.wanted["centered"])


OPTIMIZERS = Table("optimizer", {"adadelta": Adadelta, "adagrad": Adagrad, "adam": Adam, "rmsprop": Rmsprop,
                                 "sgd": Sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm", "weight_ema"]
