"""One network in Keras 2: a compiled model, trained with train_on_batch."""
import keras
import keras.backend as K
import numpy as np
from dlbench_runner import Session, Setting, lower

from backend import BACKEND
from ops import OPS, Network
from optimizers import OPTIMIZERS, decays_after_clipping


class KerasSession(Session):
    def __init__(self, load):
        BACKEND.begin(load)
        self._layouts = BACKEND.layouts(load.graph)
        optimizer = load.optimizer
        has_penalty = load.mode == "train" and not decays_after_clipping(load.recipe)
        decay = optimizer.get("weight_decay", 0.0) if has_penalty else 0.0
        decays = {"weight": decay, "bias": decay if optimizer.get("decay_bias", True) else 0.0}
        # Of dropout, whose layers draw their seeds from it. numpy takes 32 bits.
        np.random.seed(load.recipe["initialiser"]["seed"] % 2**32)
        self._network = Network(load.graph, decays)
        self._shape = load.graph.input_shape
        self._is_channels_last = BACKEND.DATA_FORMAT == "channels_last"
        # One channel is first and last at once.
        self._is_reshaped = self._is_channels_last and len(self._shape) == 3 and self._shape[0] == 1
        self._model = self._make_model()
        self._optimizer = self._last_loss = self._logits = None
        self._has_penalty = decay != 0
        if load.mode == "train":
            decayed = [self._network.variables[p.name] for p in load.graph.trained if p.decays(optimizer)]
            self._optimizer = OPTIMIZERS.at(optimizer["name"])(load.recipe, decayed)
            loss = BACKEND.LOSSES[load.graph.nodes[-1].op]
            self._model.compile(self._optimizer.keras, loss=loss, metrics=[loss] if self._has_penalty else None)
        self._warm_up(load)

    def _make_model(self):
        shape = self._shape[1:] + (1,) if self._is_reshaped else self._shape
        x = first = keras.layers.Input(shape, dtype=BACKEND.TOKENS if self._network.graph.vocabulary else None)
        if len(shape) == 3 and self._is_channels_last and not self._is_reshaped:
            x = keras.layers.Permute((2, 3, 1))(first)
        return keras.models.Model(first, lower(self._network.graph, OPS, self._network, x)[0])

    def _warm_up(self, load):
        """Keras builds its functions at the first call; done here with rate 0."""
        for rows in sorted({load.batch, load.partial} - {0}):
            x = np.zeros((rows,) + self._shape, np.int64 if load.graph.vocabulary else np.float32)
            if self._optimizer is not None:
                self._model.train_on_batch(self._in_keras(x),
                                           np.zeros((rows,) + load.graph.logits_shape[:-1] + (1,), np.int64))
            self._model.predict_on_batch(self._in_keras(x))
        if self._optimizer is not None:
            self._optimizer.finish()

    def _in_keras(self, x):
        return x.reshape(len(x), *self._shape[1:], 1) if self._is_reshaped else x

    def put(self, parameter, values):
        K.set_value(self._network.variables[parameter.name], self._layouts[parameter.name].to_framework(values))
        if self._optimizer is not None:
            self._optimizer.forget()

    def get(self, parameter, values):
        self._layouts[parameter.name].to_canonical(K.get_value(self._network.variables[parameter.name]), values)

    def step(self, batch, rate):
        self._optimizer.set_rate(rate)
        self._last_loss = self._model.train_on_batch(self._in_keras(batch.input), batch.target[..., np.newaxis])

    def loss(self):
        """The metric where there is a penalty, which Keras adds to the loss."""
        return float(self._last_loss[1] if self._has_penalty else self._last_loss)

    def infer(self, batch):
        self._logits = self._model.predict_on_batch(self._in_keras(batch.input))

    def outputs(self, logits):
        logits[...] = self._logits

    def effective(self):
        return BACKEND.threads() + [Setting("image_data_format", K.image_data_format(),
                                            "keras.backend.image_data_format()")]
