"""Optimizers of the recipe as operators of Caffe2's nets, those that caffe2.python.optimizer adds."""
import numpy as np
from caffe2.python import core, workspace

from dlbench_runner import Table, Unsupported

# Blobs that no node can be called like: its name has no point.
_RATE, _MINUS_RATE, _ONE, _DECAY, _CHANGE, _LIMIT = (
    "optimizer." + name for name in ("rate", "minus_rate", "one", "decay", "change", "limit"))


def _feed(name, value):
    workspace.FeedBlob(name, np.array([value], np.float32))


def _clip_element(net, gradients, clip):
    for gradient in gradients:
        net.Clip(gradient, gradient, min=-clip["limit"], max=clip["limit"])


def _clip_global_norm(net, gradients, clip):
    """As the optimizer module computes what it shortens the rate by; here it shortens the gradients."""
    workspace.FeedBlob(_LIMIT, np.array(clip["limit"], np.float32))  # Max wants it without axes, as the norm is
    squares = [net.SumSqrElements(gradient, gradient + ".squares") for gradient in gradients]
    norm = net.Pow(net.Sum(squares, "optimizer.square") if len(squares) > 1 else squares[0], "optimizer.norm",
                   exponent=0.5)
    ratio = net.Div([_LIMIT, net.Max([norm, _LIMIT], "optimizer.longest")], "optimizer.ratio")
    for gradient in gradients:
        net.Mul([gradient, ratio], gradient, broadcast=1)


_CLIPS = {"none": lambda _net, _gradients, _clip: None, "element": _clip_element, "global_norm": _clip_global_norm}


class Optimizer:
    """Clipping, decay, then the operators of a subclass for each parameter, with the rate in a blob."""

    _state = ()  # suffixes of the blobs that belong to each parameter
    _accumulator = None  # the one that the recipe's initial_accumulator fills
    _rescales = False

    def __init__(self, recipe, graph, network, blobs, gradients):
        self._wanted = wanted = recipe["optimizer"]
        self._last_rate = None
        self._prepare(graph)
        for name, value in {_RATE: 0, _MINUS_RATE: 0, _ONE: 1, _DECAY: wanted["weight_decay"], _CHANGE: 1}.items():
            _feed(name, value)
        _CLIPS[recipe["clip"]["by"]](network.net, [gradients[blobs[p.name]] for p in graph.trained], recipe["clip"])
        for parameter in graph.trained:
            self.forget(parameter)
            blob = blobs[parameter.name]
            gradient = gradients[blob]
            if wanted["weight_decay"] and parameter.decays(wanted):
                network.net.WeightedSum([gradient, _ONE, blob, _DECAY], gradient)
            self._add_update(network.net, blob, gradient, [parameter.name + suffix for suffix in self._state])

    def _prepare(self, graph):
        """Looks at what is wanted."""

    def _add_update(self, net, blob, gradient, state):
        raise NotImplementedError

    def forget(self, parameter):
        """State of one parameter as before the first step."""
        self._last_rate = None
        for suffix in self._state:
            start = self._wanted["initial_accumulator"] if suffix == self._accumulator else 0
            workspace.FeedBlob(parameter.name + suffix, np.full(parameter.shape, start, np.float32))

    def set_rate(self, rate):
        if rate == self._last_rate:
            return
        if self._rescales and self._last_rate is not None:
            self._rescale(rate)
        self._last_rate = rate
        _feed(_RATE, rate)
        _feed(_MINUS_RATE, -rate)

    def _rescale(self, rate):
        if self._last_rate == 0:
            raise Unsupported("a rate that leaves 0 with momentum in the form rate_outside")
        _feed(_CHANGE, rate / self._last_rate)
        workspace.RunNet(self._rescaling)

    def _make_rescaling(self, graph):
        """Both operators with momentum have the form rate_inside: v <- momentum * v + rate * g; w <- w - v. With
        v = rate * V the form rate_outside is the same when v is multiplied by the change of the rate, where it
        changes."""
        if not self._wanted["momentum"] or self._wanted["form"] != "rate_outside":
            return
        net = core.Net("rescale")
        for parameter in graph.trained:
            velocity = parameter.name + ".velocity"
            workspace.FeedBlob(velocity, np.zeros(parameter.shape, np.float32))
            net.Mul([velocity, _CHANGE], velocity, broadcast=1)
        _feed(_CHANGE, 1)
        workspace.CreateNet(net)
        self._rescaling, self._rescales = net.Proto().name, True


class Sgd(Optimizer):
    """MomentumSGDUpdate, in both its forms."""

    def _prepare(self, graph):
        if self._wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % self._wanted["form"])
        self._state = (".velocity",) if self._wanted["momentum"] else ()
        self._make_rescaling(graph)

    def _add_update(self, net, blob, gradient, state):
        if not state:
            net.WeightedSum([blob, _ONE, gradient, _MINUS_RATE], blob)
            return
        net.MomentumSGDUpdate([gradient, state[0], _RATE, blob], [gradient, state[0], blob],
                              momentum=float(self._wanted["momentum"]), nesterov=int(self._wanted["nesterov"]))


class Adadelta(Optimizer):
    """Like Adagrad it adds rate * d."""

    _state = (".squares", ".moves")

    def _add_update(self, net, blob, gradient, state):
        net.Adadelta([blob] + state + [gradient, _MINUS_RATE], [blob] + state, epsilon=self._wanted["epsilon"],
                     decay=self._wanted["rho"])


class Adagrad(Optimizer):
    _state, _accumulator = (".squares",), ".squares"

    def _add_update(self, net, blob, gradient, state):
        net.Adagrad([blob, state[0], gradient, _MINUS_RATE], [blob, state[0]], epsilon=self._wanted["epsilon"])


class Rmsprop(Optimizer):
    """Its operator leaves the step in place of the gradient."""

    _state, _accumulator = (".squares", ".velocity"), ".squares"

    def _prepare(self, graph):
        if self._wanted["centered"]:
            raise Unsupported("rmsprop that is centered")
        if self._wanted["epsilon_place"] != "inside":
            raise Unsupported("rmsprop with epsilon outside the root")
        self._make_rescaling(graph)

    def _add_update(self, net, blob, gradient, state):
        net.RmsProp([gradient] + state + [_RATE], [gradient] + state, decay=self._wanted["rho"],
                    momentum=float(self._wanted["momentum"]), epsilon=self._wanted["epsilon"])
        net.MomentumSGDUpdate([gradient, state[1], _ONE, blob], [gradient, state[1], blob], momentum=0.0, nesterov=0)


OPTIMIZERS = Table("optimizer", {"adadelta": Adadelta, "adagrad": Adagrad, "rmsprop": Rmsprop, "sgd": Sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm"]
