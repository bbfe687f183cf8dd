"""Optimizers of the recipe as operators of Caffe2's nets."""
import numpy as np
from caffe2.python import core, workspace

from dlbench_runner import Table, Unsupported


class Sgd:
    """What optimizer.build_sgd adds, with the rate in a blob.

    MomentumSGDUpdate: v <- momentum * v + rate * g; w <- w - v, the form rate_inside. With v = rate * V the form
    rate_outside is the same when v is multiplied by the change of the rate; that happens where it changes.
    """

    def __init__(self, wanted, graph, network, gradients):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._last_rate = None
        self._velocities = {p.name: p.name + ".velocity" for p in graph.parameters} if wanted["momentum"] else {}
        self._rescales = wanted["form"] == "rate_outside" and bool(self._velocities)
        numbers = {"rate": 0, "minus_rate": 0, "one": 1, "decay": wanted["weight_decay"], "change": 1}
        for name, value in numbers.items():
            workspace.FeedBlob(name, np.array([value], np.float32))
        for parameter in graph.parameters:
            self.forget(parameter)
            gradient = gradients[parameter.name]
            if wanted["weight_decay"] and (parameter.role == "weight" or wanted["decay_bias"]):
                network.net.WeightedSum([gradient, "one", parameter.name, "decay"], gradient)
            self._add_update(network.net, parameter.name, gradient, wanted["momentum"])
        if self._rescales:
            self._make_rescaling()

    def _add_update(self, net, name, gradient, momentum):
        if not momentum:
            net.WeightedSum([name, "one", gradient, "minus_rate"], name)
            return
        velocity = self._velocities[name]
        net.MomentumSGDUpdate([gradient, velocity, "rate", name], [gradient, velocity, name], momentum=float(momentum),
                              nesterov=0)

    def _make_rescaling(self):
        net = core.Net("rescale")
        for velocity in self._velocities.values():
            net.Mul([velocity, "change"], velocity, broadcast=1)
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
            workspace.FeedBlob("change", np.array([rate / self._last_rate], np.float32))
            workspace.RunNet(self._rescaling)
        self._last_rate = rate
        workspace.FeedBlob("rate", np.array([rate], np.float32))
        workspace.FeedBlob("minus_rate", np.array([-rate], np.float32))


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
