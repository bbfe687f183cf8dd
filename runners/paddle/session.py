"""One network in PaddlePaddle, dynamic graph."""
import paddle
from paddle import nn

from dlbench_runner import Session, openmp_setting, require_openmp_threads
from network import Network
from optimizers import Optimizer


class BinaryCrossEntropy(nn.BCEWithLogitsLoss):
    """Takes integer targets of shape [rows] as the other loss does."""

    def forward(self, logit, label):
        return super().forward(logit, label.astype(logit.dtype).unsqueeze(-1))


LOSSES = {"binary_cross_entropy": BinaryCrossEntropy, "softmax_cross_entropy": nn.CrossEntropyLoss}


class PaddleSession(Session):
    def __init__(self, load):
        require_openmp_threads(load.threads)
        paddle.seed(load.recipe["initialiser"]["seed"])  # of dropout: weights come by put
        self._network = Network(load.graph)
        self._loss_of = LOSSES[load.graph.nodes[-1].op]()
        self._loss = self._logits = None
        self._optimizer = None
        if load.mode == "train":
            self._optimizer = Optimizer(load.recipe, load.graph.trained, self._network.tensors)

    def put(self, parameter, values):
        self._network.tensors[parameter.name].set_value(self._network.layouts[parameter.name].to_framework(values))
        if self._optimizer is not None:
            self._optimizer.forget()

    def get(self, parameter, values):
        self._network.layouts[parameter.name].to_canonical(self._network.tensors[parameter.name].numpy(), values)

    def step(self, batch, rate):
        if not self._network.training:
            self._network.train()
        loss = self._loss_of(self._network(paddle.to_tensor(batch.input)), paddle.to_tensor(batch.target))
        loss.backward()
        self._optimizer.step(rate)
        self._optimizer.clear_grad()
        for tensor in self._network.untrained:
            tensor.clear_gradient()
        self._loss = loss

    def loss(self):
        return float(self._loss)

    def infer(self, batch):
        if self._network.training:
            self._network.eval()
        with paddle.no_grad():
            self._logits = self._network(paddle.to_tensor(batch.input))

    def outputs(self, logits):
        logits[...] = self._logits.numpy()

    def effective(self):
        return [openmp_setting()]
