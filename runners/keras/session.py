"""What is the same on every back end; step and state are the back end's (tensorflow_, jax_, torch_session.py)."""
import keras
import numpy as np

from dlbench_runner import Session
from network import Network
from optimizers import OPTIMIZERS


class KerasSession(Session):
    """A subclass has set_threads(n), build(), assign(variable, array), array(variable), step, infer and effective."""

    def __init__(self, load):
        self.set_threads(load.threads)
        self._network = Network(load.graph, load.optimizer)
        self._model = self._network.model
        self._loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self._loss = self._logits = self._rate = None
        self._optimizer = None
        if load.mode == "train":
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.optimizer)
            self._optimizer.build(self._model.trainable_variables)
        self.build(load)

    @staticmethod
    def _with_penalties(loss, penalties):
        """What is minimised: the loss, and the penalties of the layers where there are any."""
        return loss + sum(penalties) if penalties else loss

    def _state_variables(self):
        """The optimizer's variables but for the rate."""
        return [] if self._optimizer is None else [v for v in self._optimizer.variables if v.name != "learning_rate"]

    def put(self, parameter, values):
        layout = self._network.layouts[parameter.name]
        self.assign(self._network.variables[parameter.name], layout.to_framework(values))
        for variable in self._state_variables():
            self.assign(variable, np.zeros(variable.shape, variable.dtype))

    def get(self, parameter, values):
        layout = self._network.layouts[parameter.name]
        layout.to_canonical(self.array(self._network.variables[parameter.name]), values)

    def assign(self, variable, array):
        variable.assign(array)

    def array(self, variable):
        return keras.ops.convert_to_numpy(variable)

    def loss(self):
        return float(keras.ops.convert_to_numpy(self._loss))

    def outputs(self, logits):
        logits[...] = keras.ops.convert_to_numpy(self._logits)
