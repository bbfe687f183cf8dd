"""One network in Caffe2: a net for training and a net for evaluation on the same blobs."""
import numpy as np
from caffe2.python import workspace

from dlbench_runner import Session, lower, openmp_setting, require_openmp_threads
from network import Network
from ops import OPS
from optimizers import OPTIMIZERS


class Caffe2Session(Session):
    def __init__(self, load):
        require_openmp_threads(load.threads)
        workspace.ResetWorkspace()
        for parameter in load.graph.parameters:
            workspace.FeedBlob(parameter.name, np.zeros(parameter.shape, np.float32))
        workspace.FeedBlob("input", np.zeros((load.batch,) + load.graph.input_shape, np.float32))
        self._optimizer = self._training = None
        evaluation = Network(load.graph, "evaluation")
        self._logits_blob = lower(load.graph, OPS, evaluation, "input")[0]
        workspace.CreateNet(evaluation.net)
        self._evaluation = evaluation.net.Proto().name
        if load.mode == "train":
            self._make_training(load)

    def _make_training(self, load):
        workspace.FeedBlob("target", np.zeros(load.batch, np.int32))
        network = Network(load.graph, "training", "target")
        self._loss_blob = lower(load.graph, OPS, network, "input")[1]
        gradients = {str(k): str(v) for k, v in network.net.AddGradientOperators([self._loss_blob]).items()}
        self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.optimizer, load.graph, network, gradients)
        workspace.CreateNet(network.net)
        self._training = network.net.Proto().name

    def put(self, parameter, values):
        workspace.FeedBlob(parameter.name, values)
        if self._optimizer is not None:
            self._optimizer.forget(parameter)

    def get(self, parameter, values):
        values[...] = workspace.FetchBlob(parameter.name)

    def step(self, batch, rate):
        workspace.FeedBlob("input", batch.input)
        workspace.FeedBlob("target", batch.target.astype(np.int32))
        self._optimizer.set_rate(rate)
        workspace.RunNet(self._training)

    def loss(self):
        return float(workspace.FetchBlob(self._loss_blob))

    def infer(self, batch):
        workspace.FeedBlob("input", batch.input)
        workspace.RunNet(self._evaluation)

    def outputs(self, logits):
        logits[...] = workspace.FetchBlob(self._logits_blob)

    def effective(self):
        return [openmp_setting()]
