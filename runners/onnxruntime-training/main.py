"""Runner for ONNX Runtime's on-device training."""
import platform
import sys

import numpy
import onnx
import onnxruntime

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import OPTIMIZERS
from session import OrtSession

ERRORS = 3

if __name__ == "__main__":
    onnxruntime.set_default_logger_severity(ERRORS)  # it reports every step of every graph's making otherwise
    BUILD = "onnx %s, numpy %s, Python %s, %s" % (onnx.__version__, numpy.__version__, platform.python_version(),
                                                  onnxruntime.get_build_info())
    sys.exit(serve(Description(runner="onnxruntime-training", framework="ONNX Runtime training",
                               version=onnxruntime.__version__, build=BUILD, ops=OPS.names(),
                               optimizers=OPTIMIZERS.names(), deviations=["assisted", "ema_biased"], input="alias"),
                   OrtSession))
