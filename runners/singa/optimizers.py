"""Optimizers of the recipe on SINGA's tensors: its own opt.SGD corrupts memory once it has momentum."""
import math

from singa import singa_wrap, tensor

from dlbench_runner import Table, Unsupported


def _clip_element(gradients, limit):
    for gradient in gradients:
        values = gradient.data
        above, below = singa_wrap.GTFloat(values, limit), singa_wrap.LTFloat(values, -limit)
        inside = singa_wrap.LEFloat(values, limit), singa_wrap.GEFloat(values, -limit)
        for mask in inside:
            gradient *= tensor.from_raw_tensor(mask)
        singa_wrap.Axpy(limit, above, values)
        singa_wrap.Axpy(-limit, below, values)


def _clip_global_norm(gradients, limit):
    norm = math.sqrt(sum(singa_wrap.SumAsFloat(singa_wrap.Square(gradient.data)) for gradient in gradients))
    if norm > limit:
        for gradient in gradients:
            gradient *= limit / norm


_CLIPS = {"element": _clip_element, "global_norm": _clip_global_norm}


class Sgd:
    """Both forms of momentum, as opt.SGD would compute the first: scale and add."""

    def __init__(self, recipe, graph, tensors):
        wanted, self._clip = recipe["optimizer"], recipe["clip"]
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._momentum, self._nesterov = float(wanted["momentum"]), wanted["nesterov"]
        self._rate_inside = wanted["form"] == "rate_inside"
        self._velocities, self._decays = {}, {}
        for parameter in graph.trained:
            decay = float(wanted["weight_decay"]) if parameter.decays(wanted) else 0.0
            for weights in tensors[parameter.name]:
                if self._momentum:
                    self._velocities[weights] = tensor.Tensor(weights.shape)
                self._decays[weights] = decay
                self.forget(weights)

    def forget(self, weights):
        """State of one tensor as before the first step."""
        if self._momentum:
            self._velocities[weights].set_value(0.0)

    def step(self, pairs, rate):
        """pairs: (weights, gradient) as they come. Leaves alone what is no parameter of the graph: the second bias of
        SINGA's LSTM."""
        ours = ((weights, gradient) for weights, gradient in pairs if weights in self._decays)
        if self._clip["by"] != "none":
            ours = list(ours)
            _CLIPS[self._clip["by"]]([gradient for _, gradient in ours], self._clip["limit"])
        for weights, gradient in ours:
            self._update(weights, gradient, rate)

    def _update(self, weights, gradient, rate):
        if self._decays[weights]:
            singa_wrap.Axpy(self._decays[weights], weights.data, gradient.data)
        if not self._momentum:
            singa_wrap.Axpy(-rate, gradient.data, weights.data)
            return
        velocity = self._velocities[weights]
        into, out = (rate, -1.0) if self._rate_inside else (1.0, -rate)
        velocity *= self._momentum
        singa_wrap.Axpy(into, gradient.data, velocity.data)
        if self._nesterov:
            singa_wrap.Axpy(out * into, gradient.data, weights.data)
            out *= self._momentum
        singa_wrap.Axpy(out, velocity.data, weights.data)


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm"]
