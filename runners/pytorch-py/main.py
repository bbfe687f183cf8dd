"""Runner for PyTorch: `main.py eager` or `main.py compile`."""
import functools
import platform
import sys

import numpy
import torch

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import PytorchSession

MODES = ("eager", "compile")


def _description():
    build = "numpy %s, Python %s, git %s, CUDA %s" % (
        numpy.__version__, platform.python_version(), torch.version.git_version[:12],
        "in use" if torch.cuda.is_available() else "not available")
    return Description(runner="pytorch-py", framework="PyTorch", version=torch.__version__, build=build, ops=OPS.names(),
                       optimizers=NAMES, input="alias")


if __name__ == "__main__":
    if sys.argv[1:] not in [[mode] for mode in MODES]:
        sys.exit("usage: main.py %s" % "|".join(MODES))
    sys.exit(serve(_description(), functools.partial(PytorchSession, compiled=sys.argv[1] == "compile")))
