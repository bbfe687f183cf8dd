"""Runner for PaddlePaddle, dynamic graphs."""
import platform
import sys

import numpy
import paddle

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import PaddleSession

if __name__ == "__main__":
    paddle.set_device("cpu")
    BUILD = "numpy %s, Python %s, commit %s" % (numpy.__version__, platform.python_version(),
                                                paddle.version.commit[:12])
    sys.exit(serve(Description(runner="paddle", framework="PaddlePaddle", version=paddle.__version__, build=BUILD,
                               ops=OPS.names(), optimizers=NAMES, deviations=["ema_biased"], input="copy"),
                   PaddleSession))
