"""One network in Caffe: a solver with its training network, and a network for evaluation that shares the weights."""
import ctypes
import tempfile

import caffe
from dlbench_runner import Session, Setting, Unsupported, lower

import recurrent
from network import BLOBS, Network
from ops import OPS
import optimizers

_TARGET = "batch.target"  # no node can be called like this


def _blas_threads():
    """What the OpenBLAS says that is linked into Caffe."""
    return ctypes.CDLL(caffe._caffe.__file__).openblas_get_num_threads()  # pylint: disable=protected-access


def _write_network(load, path, with_loss):
    """Returns what was written."""
    network = Network(load.graph, load.batch, {"weight": True, "recurrent": True,
                                               "bias": load.optimizer.get("decay_bias", True)})
    x = network.add_input("input", (load.batch,) + load.graph.input_shape)
    if with_loss:
        network.target = network.add_input(_TARGET, (load.batch,) + load.graph.logits_shape[:-1])
    lower(load.graph, OPS, network, x)
    with open(path, "w", encoding="ascii") as file:
        file.write(str(network.spec.to_proto()))
    return network


def _fill(network, written):
    """Weights that are not trained."""
    for layer, weight in written.constants.items():
        network.params[layer][0].data[...] = weight


class CaffeSession(Session):
    def __init__(self, load):
        if _blas_threads() != load.threads:
            raise Unsupported("threads %d: OpenBLAS has %d since the process started" % (load.threads, _blas_threads()))
        self._graph = load.graph
        self._folder = tempfile.TemporaryDirectory()
        evaluation = self._folder.name + "/evaluation.prototxt"
        written = _write_network(load, evaluation, False)
        self._marks = written.marks
        self._recurrent = {node.name for node in load.graph.nodes if node.op == "lstm"}
        self._evaluation = caffe.Net(evaluation, caffe.TEST)
        _fill(self._evaluation, written)
        self._solver, self._training, self._has_start, self._has_stepped = None, self._evaluation, False, False
        if load.mode == "train":
            self._make_solver(load)
        self._x = self._evaluation.blobs["input"]
        self._rows = {"train": load.batch, "infer": load.batch}
        for network in (self._training, self._evaluation):
            self._mark(network, load.batch)

    def _make_solver(self, load):
        path = self._folder.name + "/training.prototxt"
        written = _write_network(load, path, True)
        self._solver = optimizers.make(load.recipe, self._folder.name, path)
        self._training = self._solver.net
        _fill(self._training, written)
        self._evaluation.share_with(self._training)
        self._train_x, self._train_target = self._training.blobs["input"], self._training.blobs[_TARGET]

    def _blob(self, parameter):
        """Caffe's blob of a parameter, and whether its gates stand in Caffe's order."""
        layer, role = parameter.name.rsplit(".", 1)
        is_recurrent = layer in self._recurrent
        name = recurrent.layer_name(layer) if is_recurrent else layer
        return self._training.params[name][BLOBS.index(role)], is_recurrent

    def put(self, parameter, values):
        if self._solver is not None and not self._has_start:  # not at load, whose time counts
            self._solver.snapshot()
            self._has_start = True
        if self._has_stepped:  # the same solver as before its first step: velocity and iteration are zero again
            self._solver.restore(self._folder.name + "/start_iter_0.solverstate")
            self._has_stepped = False
        blob, is_recurrent = self._blob(parameter)
        blob.data[...] = recurrent.reordered(values) if is_recurrent else values

    def get(self, parameter, values):
        blob, is_recurrent = self._blob(parameter)
        values[...] = recurrent.reordered(blob.data) if is_recurrent else blob.data

    def _size(self, kind, network, batch):
        """Makes the inputs of a network fit a batch of other rows than its last one."""
        network.blobs["input"].reshape(*batch.input.shape)
        if kind == "train":
            self._train_target.reshape(*batch.target.shape)
        self._mark(network, batch.rows)
        self._rows[kind] = batch.rows

    def _mark(self, network, rows):
        for name in self._marks:
            recurrent.mark(network.blobs[name], rows)

    def step(self, batch, rate):
        if batch.rows != self._rows["train"]:
            self._size("train", self._training, batch)
        self._train_x.data[...] = batch.input
        self._train_target.data[...] = batch.target
        self._solver.param.base_lr = rate
        self._solver.step(1)
        self._has_stepped = True

    def loss(self):
        return float(self._training.blobs[self._graph.nodes[-1].name].data)

    def infer(self, batch):
        if batch.rows != self._rows["infer"]:
            self._size("infer", self._evaluation, batch)
        self._x.data[...] = batch.input
        self._evaluation.forward()

    def outputs(self, logits):
        logits[...] = self._evaluation.blobs[self._graph.logits].data

    def effective(self):
        return [Setting("threads", _blas_threads(), "openblas_get_num_threads() of the OpenBLAS inside Caffe")]
