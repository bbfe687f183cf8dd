"""Runner for MXNet's Gluon."""
import platform
import sys

import mxnet
import numpy

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import GluonSession

if __name__ == "__main__":
    ENABLED = [name for name, feature in sorted(mxnet.runtime.Features().items()) if feature.enabled]
    BUILD = "numpy %s, Python %s, %s" % (numpy.__version__, platform.python_version(), " ".join(ENABLED))
    sys.exit(serve(Description(runner="mxnet-py", framework="MXNet", version=mxnet.__version__, build=BUILD,
                               ops=OPS.names(), optimizers=NAMES, deviations=["ema_biased", "coarse_rounding"],
                               input="alias"), GluonSession))
