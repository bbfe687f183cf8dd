"""Keras on PyTorch: the training loop of Keras's guide for this back end."""
import torch

from dlbench_runner import Setting
from session import KerasSession


class BackendSession(KerasSession):
    def set_threads(self, threads):
        torch.set_num_threads(threads)

    def build(self, _load):
        self._weights = list(self._model.trainable_weights)

    def train(self, batch, rate):
        if rate != self._rate:
            self._optimizer.learning_rate = rate
            self._rate = rate
        logits = self._model(torch.from_numpy(batch.input), training=True)
        loss = self._loss_of(torch.from_numpy(batch.target), logits)
        self._model.zero_grad()
        self._with_penalties(loss, self._model.losses).backward()
        gradients = [weight.value.grad for weight in self._weights]
        with torch.no_grad():
            self._optimizer.apply(gradients, self._weights)
        self._loss = loss.detach()

    def infer(self, batch):
        with torch.no_grad():
            self._logits = self._evaluate(torch.from_numpy(batch.input))

    def effective(self):
        return [Setting("threads", torch.get_num_threads(), "torch.get_num_threads()"),
                Setting("mkldnn", "on" if torch.backends.mkldnn.enabled else "off", "torch.backends.mkldnn.enabled")]
