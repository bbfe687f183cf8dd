"""One network in PyTorch, eager or through torch.compile."""
import torch
from torch import nn

from dlbench_runner import Session, Setting
from network import Network
from optimizers import OPTIMIZERS


def _counters():
    from torch._dynamo.utils import counters  # eager runs do without the compiler
    return counters


class PytorchSession(Session):
    def __init__(self, load, compiled):
        torch.set_num_threads(load.threads)
        self._compiled = compiled
        self._network = Network(load.graph)
        self._loss_of = nn.CrossEntropyLoss()
        self._loss = self._logits = None
        self._optimizer = None
        if load.mode == "train":
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.optimizer, load.graph.parameters,
                                                                    self._network.tensors)
        if compiled:
            self._compile(load)

    def _compile(self, load):
        """Both batch shapes, for training and for evaluation, each for its fixed shape.

        fullgraph: what cannot be compiled as one graph is an error and does not run eagerly in silence.
        """
        torch.compiler.reset()
        _counters().clear()
        self._network.compile(fullgraph=True, dynamic=False)
        for rows in sorted({load.batch, load.partial} - {0}):
            x = torch.zeros((rows,) + load.graph.input_shape)
            if self._optimizer is not None:
                self._loss_of(self._network.train()(x), torch.zeros(rows, dtype=torch.int64)).backward()
                self._optimizer.zero_grad()
            with torch.no_grad():
                self._network.eval()(x)

    def put(self, parameter, values):
        with torch.no_grad():
            self._network.tensors[parameter.name].copy_(torch.from_numpy(values))
        if self._optimizer is not None:
            self._optimizer.forget()

    def get(self, parameter, values):
        values[...] = self._network.tensors[parameter.name].detach().numpy()

    def step(self, batch, rate):
        if not self._network.training:
            self._network.train()
        self._optimizer.zero_grad()
        loss = self._loss_of(self._network(torch.from_numpy(batch.input)), torch.from_numpy(batch.target))
        loss.backward()
        self._optimizer.step(rate)
        self._loss = loss

    def loss(self):
        return self._loss.item()

    def infer(self, batch):
        if self._network.training:
            self._network.eval()
        with torch.no_grad():
            self._logits = self._network(torch.from_numpy(batch.input))

    def outputs(self, logits):
        logits[...] = self._logits.numpy()

    def effective(self):
        settings = [
            Setting("threads", torch.get_num_threads(), "torch.get_num_threads()"),
            Setting("interop_threads", torch.get_num_interop_threads(), "torch.get_num_interop_threads()"),
            Setting("matmul_precision", torch.get_float32_matmul_precision(), "torch.get_float32_matmul_precision()"),
            Setting("mkldnn", "on" if torch.backends.mkldnn.enabled else "off", "torch.backends.mkldnn.enabled")]
        if self._compiled:
            settings.append(Setting("compiled_graphs", _counters()["stats"]["unique_graphs"],
                                    "torch._dynamo.utils.counters"))
        return settings
