"""Keras on JAX: the stateless training loop of Keras's guide for this back end, jit-compiled."""
import jax
import jax.numpy as jnp
import numpy as np

from dlbench_runner import Setting, Unsupported, count_threads
from session import KerasSession


class BackendSession(KerasSession):
    """The state: values of the trainable, the other and the optimizer's variables, each in the model's order."""

    def set_threads(self, threads):
        jax.devices()  # makes XLA's pool, if nothing has yet
        made = count_threads("tf_XLAEigen")
        if made != threads:
            raise Unsupported("threads %d: XLA made %d when the process started (NPROC)" % (threads, made))

    def build(self, load):
        optimizer_variables = [] if self._optimizer is None else self._optimizer.variables
        self._variables = [self._model.trainable_variables, self._model.non_trainable_variables, optimizer_variables]
        self._state = [[jnp.array(v.value) for v in group] for group in self._variables]
        self._places = {id(v): (g, i) for g, group in enumerate(self._variables) for i, v in enumerate(group)}
        self._rate_at = [i for i, v in enumerate(optimizer_variables) if v.name == "learning_rate"]
        gradient = jax.value_and_grad(self._losses, has_aux=True)

        def train(state, x, target):
            trainable, others, optimizer_state = state
            (_, (loss, others)), gradients = gradient(trainable, others, x, target)
            trainable, optimizer_state = self._optimizer.stateless_apply(optimizer_state, gradients, trainable)
            return loss, [trainable, others, optimizer_state]

        self._train = jax.jit(train, donate_argnums=0)
        averages = [self._places[id(v)][1] for v in self._averages]

        def infer(state, x):
            weights = [state[2][i] for i in averages] or state[0]
            return self._model.stateless_call(weights, state[1], x, training=False)[0]

        self._infer = jax.jit(infer)
        self._compile(load)

    def _losses(self, trainable, others, x, target):
        logits, others, penalties = self._model.stateless_call(trainable, others, x, training=True, return_losses=True)
        loss = self._loss_of(target, logits)
        return self._with_penalties(loss, penalties), (loss, others)

    def _compile(self, load):
        """Both batch shapes, by calls on zeros that come before any `put`; twice, since results of a compiled function
        may have another type than the arrays of the first state."""
        for rows in sorted({load.batch, load.partial} - {0}):
            x, target = self._zeros(load, rows)
            for _ in range(2):
                if self._optimizer is not None:
                    self._set_rate(0.0)
                    _, self._state = self._train(self._state, x, target)
                self._infer(self._state, x)

    def _set_rate(self, rate):
        self._state[2][self._rate_at[0]] = jnp.float32(rate)
        self._rate = rate

    def assign(self, variable, array):
        group, i = self._places[id(variable)]
        self._state[group][i] = jnp.array(array, copy=True)

    def array(self, variable):
        group, i = self._places[id(variable)]
        return np.asarray(self._state[group][i])

    def train(self, batch, rate):
        if rate != self._rate:
            self._set_rate(rate)
        self._loss, self._state = self._train(self._state, batch.input, batch.target)

    def infer(self, batch):
        self._logits = self._infer(self._state, batch.input)

    def drain(self):
        jax.block_until_ready((self._state, self._loss, self._logits))

    def effective(self):
        return [Setting("threads", count_threads("tf_XLAEigen"), "threads named tf_XLAEigen in /proc/self/task"),
                Setting("matmul_precision", jax.config.jax_default_matmul_precision or "default",
                        "jax.config.jax_default_matmul_precision")]
