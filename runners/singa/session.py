"""One network in SINGA's autograd."""
import ctypes

import numpy as np
from singa import autograd, tensor

import repairs
from dlbench_runner import Layout, Session, Setting, Unsupported, lower
from ops import OPS, Context
from optimizers import OPTIMIZERS


def _openmp_threads():
    """Team size as the OpenMP library says that the wheel brought."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = [line.split()[-1] for line in maps if "libgomp" in line]
    return ctypes.CDLL(paths[0]).omp_get_max_threads()


class _Rows:
    """The network and the tensors of a batch for one number of rows."""

    def __init__(self, load, parameters, rows):
        self.network = Context(load.graph, parameters, rows)
        lower(load.graph, OPS, self.network, 0)
        self.x = tensor.Tensor((rows,) + load.graph.input_shape)
        self.target = tensor.Tensor((rows,), dtype=tensor.int32)


class SingaSession(Session):
    def __init__(self, load):
        if _openmp_threads() != load.threads:
            raise Unsupported("threads %d: OpenMP has %d since the process started" % (load.threads, _openmp_threads()))
        self._layouts = {p.name: Layout(p.shape).transpose() if node.op == "dense" and p.role == "weight"
                         else Layout(p.shape) for node in load.graph.nodes for p in node.parameters}
        self._parameters = {name: tensor.Tensor(layout.framework_shape(), requires_grad=True, stores_grad=True)
                            for name, layout in self._layouts.items()}
        self._by_rows = {rows: _Rows(load, self._parameters, rows) for rows in {load.batch, load.partial} - {0}}
        self._loss = self._logits = self._optimizer = None
        if load.mode == "train":
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.optimizer, load.graph, self._parameters)
        self._load = load

    def _prepared(self, rows):
        if rows not in self._by_rows:
            self._by_rows[rows] = _Rows(self._load, self._parameters, rows)
        return self._by_rows[rows]

    def put(self, parameter, values):
        weights = self._parameters[parameter.name]
        repairs.put(weights, self._layouts[parameter.name].to_framework(values))
        if self._optimizer is not None:
            self._optimizer.forget(weights)

    def get(self, parameter, values):
        layout = self._layouts[parameter.name]
        framework = repairs.get(self._parameters[parameter.name].data, layout.framework_shape())
        layout.to_canonical(framework, values)

    def step(self, batch, rate):
        autograd.training = True
        prepared = self._prepared(batch.rows)
        repairs.put(prepared.x, batch.input)
        repairs.put(prepared.target, batch.target.astype(np.int32))
        self._loss = autograd.softmax_cross_entropy(prepared.network.run(prepared.x), prepared.target)
        for weights, gradient in autograd.backward(self._loss):
            self._optimizer.update(weights, gradient, rate)

    def loss(self):
        return float(repairs.get(self._loss.data, (1,))[0])

    def infer(self, batch):
        autograd.training = False
        prepared = self._prepared(batch.rows)
        repairs.put(prepared.x, batch.input)
        self._logits = prepared.network.run(prepared.x)

    def outputs(self, logits):
        logits[...] = repairs.get(self._logits.data, logits.shape)

    def effective(self):
        return [Setting("threads", _openmp_threads(), "omp_get_max_threads()")]
