"""Runner for Caffe2."""
import os
import platform
import runpy
import sys

import caffe2
import numpy
from caffe2.python import build, core

from deviations import deviations
from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import Caffe2Session


def build_text():
    options = " ".join("%s=%s" % (name, value) for name, value in sorted(build.build_options.items()) if value)
    return "numpy %s, Python %s, %s" % (numpy.__version__, platform.python_version(), options)


def version():
    """That of the wheel around Caffe2, which has none of its own; without a build's tag, without loading PyTorch."""
    wheel = os.path.dirname(os.path.dirname(caffe2.__file__))
    return runpy.run_path(os.path.join(wheel, "torch", "version.py"))["__version__"].split("+")[0]


if __name__ == "__main__":
    THREADS = os.environ["OMP_NUM_THREADS"]
    core.GlobalInit(["caffe2", "--caffe2_log_level=2", "--caffe2_omp_num_threads=" + THREADS,
                     "--caffe2_mkl_num_threads=" + THREADS])
    sys.exit(serve(Description(runner="caffe2", framework="Caffe2", version=version(), build=build_text(),
                               ops=OPS.names(), optimizers=NAMES, deviations=deviations(), input="copy"),
                   Caffe2Session))
