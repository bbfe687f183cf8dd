"""One network in Caffe2: a net for training and a net for evaluation on the same blobs."""
import numpy as np
from caffe2.python import workspace

from dlbench_runner import Session, lower, openmp_setting, require_openmp_threads
import recurrent
from network import Network
from ops import OPS, TARGETS
from optimizers import OPTIMIZERS

_TARGET = "batch.target"  # no node can be called like this


class Caffe2Session(Session):
    def __init__(self, load):
        require_openmp_threads(load.threads)
        workspace.ResetWorkspace()
        self._graph, self._blobs = load.graph, recurrent.blobs(load.graph)
        for parameter in load.graph.parameters:
            workspace.FeedBlob(self._blobs[parameter.name], np.zeros(parameter.shape, np.float32))
        kind = np.int64 if load.graph.vocabulary else np.float32
        workspace.FeedBlob("input", np.zeros((load.batch,) + load.graph.input_shape, kind))
        self._rows = load.batch
        recurrent.feed_starts(load.graph, load.batch)
        self._optimizer = self._training = None
        evaluation = Network(load.graph, "evaluation")
        self._logits_blob = lower(load.graph, OPS, evaluation, "input")[0]
        workspace.CreateNet(evaluation.net)
        self._evaluation = evaluation.net.Proto().name
        if load.mode == "train":
            self._make_training(load)

    def _make_training(self, load):
        self._as_target = TARGETS[load.graph.nodes[-1].op]
        workspace.FeedBlob(_TARGET, self._as_target(np.zeros((load.batch,) + load.graph.logits_shape[:-1], np.int64)))
        network = Network(load.graph, "training", _TARGET, load.recipe["initialiser"]["seed"])
        self._loss_blob = lower(load.graph, OPS, network, "input")[1]
        gradients = {str(k): str(v) for k, v in network.net.AddGradientOperators([self._loss_blob]).items()}
        make_optimizer = OPTIMIZERS.at(load.optimizer["name"])
        self._optimizer = make_optimizer(load.recipe, load.graph, network, self._blobs, gradients)
        workspace.CreateNet(network.net)
        self._training = network.net.Proto().name

    def _has_other_order(self, parameter):
        return self._blobs[parameter.name] != parameter.name

    def put(self, parameter, values):
        given = recurrent.reordered(values) if self._has_other_order(parameter) else values
        workspace.FeedBlob(self._blobs[parameter.name], given)
        if self._optimizer is not None:
            self._optimizer.forget(parameter)

    def get(self, parameter, values):
        found = workspace.FetchBlob(self._blobs[parameter.name])
        values[...] = recurrent.reordered(found) if self._has_other_order(parameter) else found

    def _feed_input(self, batch):
        workspace.FeedBlob("input", batch.input)
        if batch.rows != self._rows:
            recurrent.feed_starts(self._graph, batch.rows)
            self._rows = batch.rows

    def step(self, batch, rate):
        self._feed_input(batch)
        workspace.FeedBlob(_TARGET, self._as_target(batch.target))
        self._optimizer.set_rate(rate)
        workspace.RunNet(self._training)

    def loss(self):
        return float(workspace.FetchBlob(self._loss_blob))

    def infer(self, batch):
        self._feed_input(batch)
        workspace.RunNet(self._evaluation)

    def outputs(self, logits):
        logits[...] = workspace.FetchBlob(self._logits_blob)

    def effective(self):
        return [openmp_setting()]
