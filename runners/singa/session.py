"""One network in SINGA's autograd."""
import numpy as np
from singa import autograd, tensor

import repairs
from dlbench_runner import Session, input_first_layouts, lower, openmp_setting, require_openmp_threads
from ops import OPS, Context
from optimizers import OPTIMIZERS


class _Rows:
    """The network and the tensors of a batch for one number of rows."""

    def __init__(self, load, parameters, rows):
        self.network = Context(load.graph, parameters, rows)
        lower(load.graph, OPS, self.network, 0)
        self.x = tensor.Tensor((rows,) + load.graph.input_shape)
        self.target = tensor.Tensor((rows,), dtype=tensor.int32)


class SingaSession(Session):
    def __init__(self, load):
        require_openmp_threads(load.threads)
        self._layouts = input_first_layouts(load.graph)
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
        return [openmp_setting()]
