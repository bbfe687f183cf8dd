"""Optimizers of the recipe on SINGA's tensors: its own opt.SGD corrupts memory once it has momentum."""
from singa import singa_wrap, tensor

from dlbench_runner import Table, Unsupported


class Sgd:
    """Both forms of momentum, as opt.SGD would compute the first: scale and add."""

    def __init__(self, wanted, graph, tensors):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._momentum = float(wanted["momentum"])
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

    def update(self, weights, gradient, rate):
        """Leaves alone what is no parameter of the graph: the second bias of SINGA's LSTM."""
        if weights not in self._decays:
            return
        if self._decays[weights]:
            singa_wrap.Axpy(self._decays[weights], weights.data, gradient.data)
        if not self._momentum:
            singa_wrap.Axpy(-rate, gradient.data, weights.data)
            return
        velocity = self._velocities[weights]
        velocity *= self._momentum
        singa_wrap.Axpy(rate if self._rate_inside else 1.0, gradient.data, velocity.data)
        singa_wrap.Axpy(-1.0 if self._rate_inside else -rate, velocity.data, weights.data)


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
