"""Runner for CNTK."""
import platform
import sys

import cntk
import numpy

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import CntkSession

if __name__ == "__main__":
    cntk.try_set_default_device(cntk.cpu())
    BUILD = "numpy %s, Python %s" % (numpy.__version__, platform.python_version())
    sys.exit(serve(Description(runner="cntk", framework="CNTK", version=cntk.__version__, build=BUILD, ops=OPS.names(),
                               optimizers=NAMES, deviations=["momentum=rate_inside"], input="copy"),
                   CntkSession))
