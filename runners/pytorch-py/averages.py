"""The recipe's moving averages of the weights, by torch.optim.swa_utils.AveragedModel."""
import torch
from torch.optim.swa_utils import AveragedModel

from dlbench_runner import ema_decay


class Averages:
    """The averaged copy of a network. Its buffers, the running statistics, follow the network's own."""

    def __init__(self, network, weight_ema):
        self._network = network
        self._ema = weight_ema
        self._steps = 0  # since the last restart
        self._copy = AveragedModel(network, multi_avg_fn=self._average)

    @property
    def module(self):
        """What evaluation calls."""
        return self._copy.module

    def _average(self, averages, weights, _):
        """As torch.optim.swa_utils.get_ema_multi_avg_fn, whose decay is one number for all steps."""
        torch._foreach_lerp_(averages, weights, 1.0 - ema_decay(self._ema, self._steps))

    def restart(self):
        """From the network's weights as they are when the next step is taken."""
        self._steps = 0
        self._copy.n_averaged.zero_()

    def begin_step(self):
        """Before the update: the first one is where the averages start."""
        if self._steps == 0:
            self._copy.update_parameters(self._network)
        self._steps += 1

    def end_step(self):
        """After the update."""
        self._copy.update_parameters(self._network)
