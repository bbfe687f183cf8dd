"""Runner for TensorFlow 2: `main.py function` or `main.py xla`."""
import functools
import platform
import sys

import numpy
import tensorflow as tf

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import FunctionSession

MODES = ("function", "xla")

if __name__ == "__main__":
    if sys.argv[1:] not in [[mode] for mode in MODES]:
        sys.exit("usage: main.py %s" % "|".join(MODES))
    BUILD = "numpy %s, Python %s, git %s" % (numpy.__version__, platform.python_version(), tf.version.GIT_VERSION)
    sys.exit(serve(Description(runner="tensorflow-py", framework="TensorFlow", version=tf.__version__, build=BUILD,
                               ops=OPS.names(), optimizers=NAMES, input="alias"),
                   functools.partial(FunctionSession, xla=sys.argv[1] == "xla")))
