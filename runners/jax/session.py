"""One network in JAX: a training step and an evaluation step, each one jit-compiled function."""
import jax
import jax.numpy as jnp
import numpy as np
from dlbench_runner import Session, Setting, Unsupported, count_threads, lower

from ops import OPS, Context
from optimizers import OPTIMIZERS

# XLA's pool for operators; JAX has no function that tells its size.
_POOL = "tf_XLAEigen"


class JaxSession(Session):
    def __init__(self, load):
        graph = load.graph
        self._parameters = {p.name: jnp.zeros(p.shape, jnp.float32) for p in graph.parameters}
        self._loss = self._logits = None
        self._state = {}
        self._steps = 0  # since the last put
        if load.mode == "train":
            self._make_training(load)
        self._infer = jax.jit(lambda parameters, x: lower(graph, OPS, Context(graph, parameters), x)[0])
        self._compile(load)
        threads = count_threads(_POOL)
        if threads != load.threads:
            raise Unsupported("threads %d: XLA made %d when the process started (NPROC)" % (load.threads, threads))

    def _make_training(self, load):
        graph = load.graph
        self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.recipe, graph.parameters)
        self._state = {name: self._optimizer.initial(value) for name, value in self._parameters.items()}

        def loss_of(parameters, x, target):
            return lower(graph, OPS, Context(graph, parameters, target), x)[1]

        def train(parameters, state, x, target, numbers):
            loss, gradients = jax.value_and_grad(loss_of)(parameters, x, target)
            parameters, state = self._optimizer.update(parameters, gradients, state, numbers)
            return parameters, state, loss

        self._train = jax.jit(train, donate_argnums=(0, 1))

    def _compile(self, load):
        """Both batch shapes, by calls on zeros that come before any `put`: those fill the cache that jit itself looks in.

        Twice each, because results of a compiled function may have another type than the arrays that `put` makes.
        """
        for rows in {load.batch, load.partial} - {0}:
            x = np.zeros((rows,) + load.graph.input_shape, np.float32)
            for _ in range(2):
                if load.mode == "train":
                    self._parameters, self._state, _ = self._train(self._parameters, self._state, x,
                                                                   np.zeros(rows, np.int64),
                                                                   self._optimizer.numbers(0.0, 1))
                jax.block_until_ready(self._infer(self._parameters, x))
        jax.block_until_ready(self._parameters)

    def put(self, parameter, values):
        self._parameters[parameter.name] = jnp.array(values, copy=True)
        if self._state:
            self._state[parameter.name] = self._optimizer.initial(self._parameters[parameter.name])
            self._steps = 0

    def get(self, parameter, values):
        values[...] = np.asarray(self._parameters[parameter.name])

    def step(self, batch, rate):
        self._steps += 1
        numbers = self._optimizer.numbers(rate, self._steps)
        self._parameters, self._state, self._loss = self._train(self._parameters, self._state, batch.input,
                                                                batch.target, numbers)

    def loss(self):
        return float(self._loss)

    def infer(self, batch):
        self._logits = self._infer(self._parameters, batch.input)

    def outputs(self, logits):
        logits[...] = np.asarray(self._logits)

    def drain(self):
        jax.block_until_ready((self._parameters, self._state, self._loss, self._logits))

    def effective(self):
        return [Setting("threads", count_threads(_POOL), "threads named tf_XLAEigen in /proc/self/task"),
                Setting("matmul_precision", jax.config.jax_default_matmul_precision or "default",
                        "jax.config.jax_default_matmul_precision"),
                Setting("asynchronous_dispatch", jax.config.values["jax_cpu_enable_async_dispatch"],
                        "jax.config.values[jax_cpu_enable_async_dispatch]")]
