"""LeNet's training loop in JAX as one writes it by hand, without anything of dlbench: main.py FILE BATCHES THREADS.

FILE holds the inputs of all batches, then their targets, then the initial parameters. Each line "n" on descriptor 3
asks for n steps; the answer is one line with the nanoseconds they took and the last loss. THREADS is in force through
NPROC in the environment.
"""
import mmap
import socket
import sys
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

BATCH = 64
RATE = 0.01
MOMENTUM = 0.9
SHAPES = [(20, 1, 5, 5), (20,), (50, 20, 5, 5), (50,), (500, 800), (500,), (10, 500), (10,)]


def read_file(path, count):
    """Batches as arrays over the mapped file, whose pages are aligned as JAX needs them to take arrays without a copy."""
    with open(path, "rb") as file:
        raw = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    inputs = np.frombuffer(raw, np.float32, count * BATCH * 28 * 28).reshape(count, BATCH, 1, 28, 28)
    targets = np.frombuffer(raw, np.int64, count * BATCH, inputs.nbytes).reshape(count, BATCH)
    parameters, offset = [], inputs.nbytes + targets.nbytes
    for shape in SHAPES:
        values = np.frombuffer(raw, np.float32, int(np.prod(shape)), offset).reshape(shape)
        parameters.append(jnp.array(values, copy=True))
        offset += values.nbytes
    return [(inputs[i], targets[i]) for i in range(count)], parameters


def convolve(x, weight, bias):
    x = lax.conv_general_dilated(x, weight, (1, 1), "VALID", dimension_numbers=("NCHW", "OIHW", "NCHW"))
    return x + bias[None, :, None, None]


def max_pool(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def predict(parameters, x):
    w1, b1, w2, b2, w3, b3, w4, b4 = parameters
    x = max_pool(convolve(x, w1, b1))
    x = max_pool(convolve(x, w2, b2))
    x = x.reshape(x.shape[0], -1)
    x = jax.nn.relu(x @ w3.T + b3)
    return x @ w4.T + b4


def loss_of(parameters, x, target):
    log_probabilities = jax.nn.log_softmax(predict(parameters, x))
    return -jnp.mean(jnp.take_along_axis(log_probabilities, target[:, None], axis=1))


@partial(jax.jit, donate_argnums=(0, 1))
def update(parameters, velocities, x, target):
    loss, gradients = jax.value_and_grad(loss_of)(parameters, x, target)
    velocities = [MOMENTUM * v + g for v, g in zip(velocities, gradients)]
    parameters = [p - RATE * v for p, v in zip(parameters, velocities)]
    return parameters, velocities, loss


def main(path, count):
    batches, parameters = read_file(path, count)
    velocities = [jnp.zeros_like(p) for p in parameters]
    loss = None
    with socket.socket(fileno=3) as connection, connection.makefile("rw", buffering=1) as channel:
        for line in channel:
            begin_ns = time.monotonic_ns()
            for i in range(int(line)):
                x, target = batches[i % count]
                parameters, velocities, loss = update(parameters, velocities, x, target)
            jax.block_until_ready((parameters, velocities, loss))
            end_ns = time.monotonic_ns()
            channel.write("%d %.9g\n" % (end_ns - begin_ns, float(loss)))
            channel.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
