"""What is the same on every back end; step and state are the back end's (tensorflow_, jax_, torch_session.py)."""
import keras
import numpy as np

import averages
from dlbench_runner import Session
from losses import LOSSES
from network import Network
from optimizers import decays_after_clipping, initial, make


class KerasSession(Session):
    """A subclass has set_threads(n), build(), assign(variable, array), array(variable), train, infer and effective."""

    def __init__(self, load):
        self.set_threads(load.threads)
        # Of dropout, whose layers draw a seed each: weights come by put. numpy, seeded too, takes 32 bits.
        keras.utils.set_random_seed(load.recipe["initialiser"]["seed"] % 2**32)
        self._recipe = load.recipe
        penalises = load.mode == "train" and not decays_after_clipping(load.recipe)
        self._network = Network(load.graph, load.optimizer if penalises else None)
        self._model = self._network.model
        self._loss_of = LOSSES[load.graph.nodes[-1].op](from_logits=True)
        self._loss = self._logits = self._rate = None
        self._optimizer = None
        if load.mode == "train":
            self._optimizer = make(load.recipe, [self._network.variables[p.name] for p in load.graph.trained
                                                 if p.decays(load.optimizer)])
            self._optimizer.build(self._model.trainable_variables)
        self._is_fresh = False
        self._averages = averages.of_optimizer(self._optimizer) if load.mode == "train" else []
        self._average_of = {id(v): average for v, average in zip(self._model.trainable_variables, self._averages)}
        self.build(load)

    @staticmethod
    def _zeros(load, rows):
        """Input and target of a batch, to build with."""
        graph = load.graph
        return (np.zeros((rows,) + graph.input_shape, np.int64 if graph.vocabulary else np.float32),
                np.zeros((rows,) + graph.logits_shape[:-1], np.int64))

    @staticmethod
    def _with_penalties(loss, penalties):
        """What is minimised: the loss, and the penalties of the layers where there are any."""
        return loss + sum(penalties) if penalties else loss

    def _evaluate(self, x):
        """Logits in evaluation mode: of the averages where there are any."""
        if not self._averages:
            return self._model(x, training=False)
        others = self._model.non_trainable_variables
        return self._model.stateless_call(self._averages, others, x, training=False)[0]

    def _restart(self):
        """The optimizer as before the first step, but for its rate. Once for all parameters that are put."""
        if self._is_fresh:
            return
        self._is_fresh = True
        for variable in self._optimizer.variables:
            if variable.name != "learning_rate":
                self.assign(variable, np.full(variable.shape, initial(self._recipe, variable), variable.dtype))

    def put(self, parameter, values):
        variable = self._network.variables[parameter.name]
        values = self._network.layouts[parameter.name].to_framework(values)
        self.assign(variable, values)
        if self._optimizer is not None:
            self._restart()
        if id(variable) in self._average_of:
            self.assign(self._average_of[id(variable)], values)

    def step(self, batch, rate):
        self._is_fresh = False
        self.train(batch, rate)

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
