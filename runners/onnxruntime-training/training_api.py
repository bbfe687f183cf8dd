"""ONNX Runtime's training API without PyTorch.

`import onnxruntime.training` imports PyTorch for another way of training. Its parts that are used here need none, so the
package is entered by hand and they are imported from it.
"""
import importlib.util
import pathlib
import sys
import types

_NAME = "onnxruntime.training"


def _enter_package():
    folder = pathlib.Path(importlib.util.find_spec("onnxruntime").origin).parent / "training"
    package = types.ModuleType(_NAME)
    package.__path__ = [str(folder)]
    sys.modules[_NAME] = package


if _NAME not in sys.modules:
    _enter_package()

# pylint: disable=wrong-import-position
from onnxruntime.training import artifacts, onnxblock  # noqa: E402
from onnxruntime.training.api import CheckpointState, Module, Optimizer  # noqa: E402

__all__ = ["CheckpointState", "Module", "Optimizer", "artifacts", "onnxblock"]
