"""One network in SINGA's autograd."""
import ctypes

import numpy as np
from singa import autograd, device, singa_wrap, tensor

import repairs
from dlbench_runner import Session, Setting, input_first_layouts, lower, openmp_setting, require_openmp_threads
from ops import LOSSES, OPS, Context
from optimizers import OPTIMIZERS
from recurrent import Cell


def _blas_threads():
    """What the OpenBLAS says that SINGA is linked with; numpy's is another one."""
    return ctypes.CDLL(singa_wrap._singa_wrap.__file__).openblas_get_num_threads()  # pylint: disable=protected-access


def _input_shape(graph, rows):
    """One row for each position, and where they are tokens one column for each of the vocabulary."""
    shape = graph.input_shape + ((graph.vocabulary,) if graph.vocabulary else ())
    return (rows * shape[0], shape[1]) if len(shape) == 2 else (rows,) + shape


class _Rows:
    """The network and the tensors of a batch for one number of rows."""

    def __init__(self, load, tensors, cells, rows):
        graph = load.graph
        self.network = Context(graph, {name: found[0] for name, found in tensors.items()}, cells, rows)
        lower(graph, OPS, self.network, 0)
        self.network.finish()
        self.x = tensor.Tensor(_input_shape(graph, rows))
        self.target = tensor.Tensor((rows * graph.targets_per_sample,), dtype=tensor.int32)
        self._ones = np.zeros(self.x.shape, np.float32) if graph.vocabulary else None
        self._places, self._tokens = np.arange(self.x.shape[0]), np.zeros(self.x.shape[0], np.int64)

    def put_input(self, batch):
        """Tokens become rows of zeros with a one."""
        if self._ones is None:
            repairs.put(self.x, batch.input)
            return
        self._ones[self._places, self._tokens] = 0
        self._tokens[...] = batch.input.reshape(-1)
        self._ones[self._places, self._tokens] = 1
        repairs.put(self.x, self._ones)


class SingaSession(Session):
    def __init__(self, load):
        require_openmp_threads(load.threads)
        device.get_default_device().SetRandSeed(load.recipe["initialiser"]["seed"] % 2**31)
        graph = load.graph
        self._cells = {node.name: Cell(node, graph.shape_of(node.inputs[0])[1]) for node in graph.nodes
                       if node.op == "lstm"}
        self._make_parameters(graph)
        self._by_rows = {rows: _Rows(load, self._tensors, self._cells, rows)
                         for rows in {load.batch, load.partial} - {0}}
        self._loss = self._logits = self._optimizer = None
        if load.mode == "train":
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.recipe, graph, self._tensors)
        self._load, self._apply_loss = load, LOSSES[graph.nodes[-1].op]

    def _make_parameters(self, graph):
        """By name the tensors that hold a parameter's rows one after the other, and the layout of each of them."""
        self._layouts = input_first_layouts(graph)
        self._tensors = {}
        for cell in self._cells.values():
            self._tensors.update(cell.tensors)
            self._layouts.update(cell.layouts)
        for name, layout in self._layouts.items():
            if name not in self._tensors:
                self._tensors[name] = [tensor.Tensor(layout.framework_shape(), requires_grad=True, stores_grad=True)]

    def _prepared(self, rows):
        if rows not in self._by_rows:
            self._by_rows[rows] = _Rows(self._load, self._tensors, self._cells, rows)
        return self._by_rows[rows]

    def put(self, parameter, values):
        tensors = self._tensors[parameter.name]
        for weights, block in zip(tensors, np.split(values, len(tensors))):
            repairs.put(weights, self._layouts[parameter.name].to_framework(block))
            if self._optimizer is not None:
                self._optimizer.forget(weights)

    def get(self, parameter, values):
        tensors, layout = self._tensors[parameter.name], self._layouts[parameter.name]
        for weights, block in zip(tensors, np.split(values, len(tensors))):
            layout.to_canonical(repairs.get(weights.data, layout.framework_shape()), block)

    def step(self, batch, rate):
        autograd.training = True
        prepared = self._prepared(batch.rows)
        prepared.put_input(batch)
        repairs.put(prepared.target, batch.target.astype(np.int32))
        loss = self._apply_loss(prepared.network.run(prepared.x), prepared.target)
        self._optimizer.step(autograd.backward(loss), rate)
        self._loss = loss.data  # the tensor itself would keep what the step remembers for its gradients

    def loss(self):
        return float(repairs.get(self._loss, (1,))[0])

    def infer(self, batch):
        autograd.training = False
        prepared = self._prepared(batch.rows)
        prepared.put_input(batch)
        self._logits = prepared.network.run(prepared.x)

    def outputs(self, logits):
        logits[...] = repairs.get(self._logits.data, logits.shape)

    def effective(self):
        return [openmp_setting(),
                Setting("blas_threads", _blas_threads(), "openblas_get_num_threads() of the OpenBLAS in SINGA's wheel")]
