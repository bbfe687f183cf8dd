"""One network in JAX: a training step and an evaluation step, each one jit-compiled function."""
import jax
import jax.numpy as jnp
import numpy as np
from dlbench_runner import Session, Setting, Unsupported, count_threads, ema_decay, lower

from ops import OPS, Context
from optimizers import OPTIMIZERS

# XLA's pool for operators; JAX has no function that tells its size.
_POOL = "tf_XLAEigen"


def _carried(load):
    """What a step hands to the next beside parameters and optimizer state, see Context. `put` leaves the key alone."""
    carried = {p.name: jnp.zeros(p.shape, jnp.float32) for p in load.graph.parameters if p.is_statistic}
    if any(node.op == "dropout" for node in load.graph.nodes):
        carried["key"] = jax.random.key(load.recipe["initialiser"]["seed"] % 2**31)
    return carried


class JaxSession(Session):
    def __init__(self, load):
        graph = load.graph
        self._parameters = {p.name: jnp.zeros(p.shape, jnp.float32) for p in graph.trained}
        self._carried = _carried(load)
        self._loss = self._logits = None
        self._state = {}
        self._ema = load.recipe["weight_ema"] if load.mode == "train" and load.recipe["weight_ema"]["decay"] else None
        # Arrays of their own: a step donates the parameters.
        self._averages = jax.tree.map(jnp.copy, self._parameters) if self._ema else None
        self._steps = 0  # since the last put
        if load.mode == "train":
            self._make_training(load)
        self._infer = jax.jit(lambda parameters, carried, x: lower(graph, OPS, Context(graph, parameters, carried),
                                                                   x)[0])
        self._compile(load)
        threads = count_threads(_POOL)
        if threads != load.threads:
            raise Unsupported("threads %d: XLA made %d when the process started (NPROC)" % (load.threads, threads))

    def _make_training(self, load):
        graph = load.graph
        self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.recipe, graph.trained)
        self._state = {name: self._optimizer.initial(value) for name, value in self._parameters.items()}

        def loss_of(parameters, carried, x, target):
            context = Context(graph, parameters, carried, target)
            return lower(graph, OPS, context, x)[1], context.carried

        def train(parameters, carried, state, averages, x, target, numbers, share):
            (loss, carried), gradients = jax.value_and_grad(loss_of, has_aux=True)(parameters, carried, x, target)
            parameters, state = self._optimizer.update(parameters, gradients, state, numbers)
            averages = jax.tree.map(lambda a, w: a - share * (a - w), averages, parameters) if self._ema else None
            return parameters, carried, state, averages, loss

        self._train = jax.jit(train, donate_argnums=(0, 1, 2, 3))

    def _compile(self, load):
        """Both batch shapes, by calls on zeros that come before any `put`: those fill the cache that jit itself looks in.

        Twice each, because results of a compiled function may have another type than the arrays that `put` makes.
        """
        for rows in {load.batch, load.partial} - {0}:
            x = np.zeros((rows,) + load.graph.input_shape, np.int64 if load.graph.vocabulary else np.float32)
            target = np.zeros((rows,) + load.graph.logits_shape[:-1], np.int64)
            for _ in range(2):
                if load.mode == "train":
                    self._take_step(x, target, self._optimizer.numbers(0.0, 1))
                self._evaluate(x)
                jax.block_until_ready(self._logits)
        jax.block_until_ready(self._parameters)

    def _take_step(self, x, target, numbers):
        share = 1.0 - ema_decay(self._ema, self._steps) if self._ema else None
        self._parameters, self._carried, self._state, self._averages, self._loss = self._train(
            self._parameters, self._carried, self._state, self._averages, x, target, numbers, share)

    def _evaluate(self, x):
        self._logits = self._infer(self._averages if self._ema else self._parameters, self._carried, x)

    def put(self, parameter, values):
        if parameter.is_statistic:
            self._carried[parameter.name] = jnp.array(values, copy=True)
            return
        self._parameters[parameter.name] = jnp.array(values, copy=True)
        if self._ema:
            self._averages[parameter.name] = jnp.array(values, copy=True)
        if self._state:
            self._state[parameter.name] = self._optimizer.initial(self._parameters[parameter.name])
            self._steps = 0

    def get(self, parameter, values):
        values[...] = np.asarray((self._carried if parameter.is_statistic else self._parameters)[parameter.name])

    def step(self, batch, rate):
        self._steps += 1
        self._take_step(batch.input, batch.target, self._optimizer.numbers(rate, self._steps))

    def loss(self):
        return float(self._loss)

    def infer(self, batch):
        self._evaluate(batch.input)

    def outputs(self, logits):
        logits[...] = np.asarray(self._logits)

    def drain(self):
        jax.block_until_ready((self._parameters, self._carried, self._state, self._averages, self._loss,
                               self._logits))

    def effective(self):
        return [Setting("threads", count_threads(_POOL), "threads named tf_XLAEigen in /proc/self/task"),
                Setting("matmul_precision", jax.config.jax_default_matmul_precision or "default",
                        "jax.config.jax_default_matmul_precision"),
                Setting("asynchronous_dispatch", jax.config.values["jax_cpu_enable_async_dispatch"],
                        "jax.config.values[jax_cpu_enable_async_dispatch]")]
