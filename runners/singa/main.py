"""Runner for SINGA."""
import platform
import sys

import numpy

import repairs  # pylint: disable=unused-import
from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import SingaSession

if __name__ == "__main__":
    BUILD = "numpy %s, Python %s, binding repaired by the runner" % (numpy.__version__, platform.python_version())
    sys.exit(serve(Description(runner="singa", framework="SINGA", version="3.0.0.dev1", build=BUILD, ops=OPS.names(),
                               optimizers=NAMES, deviations=["assisted"], input="copy"), SingaSession))
