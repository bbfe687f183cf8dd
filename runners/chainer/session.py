"""One network in Chainer: define by run, a graph of calls in every step."""
import chainer
import chainer.functions as F
import numpy as np
from chainer.backends import intel64

import threads
from dlbench_runner import Session, Setting, Unsupported, lower
from network import Network
from ops import OPS
from optimizers import OPTIMIZERS


def _softmax_cross_entropy(logits, target):
    """Of [rows, classes] or [rows, positions, classes]."""
    if logits.ndim == 3:
        logits, target = F.reshape(logits, (-1, logits.shape[2])), target.reshape(-1)
    return F.softmax_cross_entropy(logits, target)


def _binary_cross_entropy(logits, target):
    return F.sigmoid_cross_entropy(logits, target[:, None])


_LOSSES = {"binary_cross_entropy": _binary_cross_entropy, "softmax_cross_entropy": _softmax_cross_entropy}


class ChainerSession(Session):
    def __init__(self, load):
        in_force = threads.in_force()[0]
        if in_force != load.threads:
            raise Unsupported("threads %d: the process started with %d" % (load.threads, in_force))
        np.random.seed(load.recipe["initialiser"]["seed"] % 2**32)  # where dropout on numpy draws from
        self._network = Network(load.graph)
        lower(load.graph, OPS, self._network, 0)
        self._network.finish()
        self._loss_of = _LOSSES[load.graph.nodes[-1].op]
        self._optimizer = None
        if load.mode == "train":
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.recipe, self._network)
        self._device = chainer.get_device("@intel64" if chainer.config.use_ideep == "auto" else "@numpy")
        self._network.to_device(self._device)
        self._last_loss = self._last_logits = None

    def put(self, parameter, values):
        rows = self._network.rows.get(parameter.name)
        self._network.set_array(parameter, self._device.send(np.array(values) if rows is None else values[rows]))
        if self._optimizer is not None and not parameter.is_statistic:
            self._optimizer.forget(self._network.weights[parameter.name])

    def get(self, parameter, values):
        values[self._network.rows.get(parameter.name, ...)] = np.asarray(self._network.array_of(parameter))

    def step(self, batch, rate):
        network = self._network
        loss = self._loss_of(network(batch.input), batch.target)
        network.cleargrads()
        loss.backward()
        self._optimizer.update(rate)
        self._last_loss = loss.array

    def loss(self):
        return float(self._last_loss)

    def infer(self, batch):
        with chainer.using_config("train", False), chainer.no_backprop_mode():
            self._last_logits = self._network(batch.input).array

    def outputs(self, logits):
        logits[...] = np.asarray(self._last_logits)

    def _computed(self):
        """Arrays of the last step or evaluation; gradients of biases are sums, which Chainer always leaves to numpy."""
        if self._last_loss is not None:
            return [weights.grad for weights in self._network.weights.values() if weights.ndim > 1]
        return [] if self._last_logits is None else [self._last_logits]

    def effective(self):
        count, source = threads.in_force()
        settings = [Setting("threads", count, source),
                    Setting("dtype", np.dtype(chainer.config.dtype).name, "chainer.config.dtype")]
        computed = self._computed()
        if computed:
            by_ideep = sum(isinstance(array, intel64.mdarray) for array in computed)
            settings.append(Setting("by_ideep", "%d of %d" % (by_ideep, len(computed)),
                                    "array types of the last gradients or logits"))
        return settings
