"""Runner for Chainer: `main.py never|auto`, Chainer's own setting of whether iDeep is used."""
import platform
import sys

import chainer
import numpy

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import ChainerSession
from threads import blas_text


def build_text():
    ideep = "iDeep %s" % chainer.backends.intel64.ideep.__version__ if sys.argv[1] == "auto" else "without iDeep"
    return "%s, numpy %s, Python %s, %s" % (ideep, numpy.__version__, platform.python_version(), blas_text())


if __name__ == "__main__":
    chainer.global_config.use_ideep = sys.argv[1]
    if sys.argv[1] == "auto":
        chainer.backends.intel64.check_ideep_available()
    sys.exit(serve(Description(runner="chainer", framework="Chainer", version=chainer.__version__, build=build_text(),
                               ops=OPS.names(), optimizers=NAMES, input="alias"), ChainerSession))
