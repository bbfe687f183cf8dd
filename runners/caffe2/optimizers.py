"""Optimizers of the recipe as operators of Caffe2's nets."""
import numpy as np
from caffe2.python import core, workspace

from dlbench_runner import Table, Unsupported

# Blobs that no node can be called like: its name has no point.
_RATE, _MINUS_RATE, _ONE, _DECAY, _CHANGE = ("sgd." + name for name in ("rate", "minus_rate", "one", "decay", "change"))


class Sgd:
    """What optimizer.build_sgd adds, with the rate in a blob.

    MomentumSGDUpdate: v <- momentum * v + rate * g; w <- w - v, the form rate_inside. With v = rate * V the form
    rate_outside is the same when v is multiplied by the change of the rate; that happens where it changes.
    """

    def __init__(self, wanted, graph, network, blobs, gradients):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._last_rate = None
        self._velocities = {p.name: p.name + ".velocity" for p in graph.trained} if wanted["momentum"] else {}
        self._rescales = wanted["form"] == "rate_outside" and bool(self._velocities)
        numbers = {_RATE: 0, _MINUS_RATE: 0, _ONE: 1, _DECAY: wanted["weight_decay"], _CHANGE: 1}
        for name, value in numbers.items():
            workspace.FeedBlob(name, np.array([value], np.float32))
        for parameter in graph.trained:
            self.forget(parameter)
            blob = blobs[parameter.name]
            gradient = gradients[blob]
            if wanted["weight_decay"] and parameter.decays(wanted):
                network.net.WeightedSum([gradient, _ONE, blob, _DECAY], gradient)
            self._add_update(network.net, blob, gradient, self._velocities.get(parameter.name), wanted["momentum"])
        if self._rescales:
            self._make_rescaling()

    @staticmethod
    def _add_update(net, blob, gradient, velocity, momentum):
        if not momentum:
            net.WeightedSum([blob, _ONE, gradient, _MINUS_RATE], blob)
            return
        net.MomentumSGDUpdate([gradient, velocity, _RATE, blob], [gradient, velocity, blob], momentum=float(momentum),
                              nesterov=0)

    def _make_rescaling(self):
        net = core.Net("rescale")
        for velocity in self._velocities.values():
            net.Mul([velocity, _CHANGE], velocity, broadcast=1)
        workspace.CreateNet(net)
        self._rescaling = net.Proto().name

    def forget(self, parameter):
        """State of one parameter as before the first step."""
        self._last_rate = None
        if parameter.name in self._velocities:
            workspace.FeedBlob(self._velocities[parameter.name], np.zeros(parameter.shape, np.float32))

    def set_rate(self, rate):
        if rate == self._last_rate:
            return
        if self._rescales and self._last_rate is not None:
            if self._last_rate == 0:
                raise Unsupported("a rate that leaves 0 with momentum in the form rate_outside")
            workspace.FeedBlob(_CHANGE, np.array([rate / self._last_rate], np.float32))
            workspace.RunNet(self._rescaling)
        self._last_rate = rate
        workspace.FeedBlob(_RATE, np.array([rate], np.float32))
        workspace.FeedBlob(_MINUS_RATE, np.array([-rate], np.float32))


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
