"""What a Python runner needs: a session, an op table, an optimizer table and serve(). Python >= 3.6, numpy only."""
from .averages import ema_decay
from .channels_last import channels_last_layouts, keeps_channels_last
from .connections import copying_kernels, selections
from .layout import Layout, flattened_picture, input_first_layouts
from .lower import Table, last_readings, lower
from .serve import Description, serve
from .session import Batch, Graph, Load, Node, Parameter, Session, Setting, Unsupported
from .threads import (count_started_threads, count_threads, count_working_threads, loaded_libraries,
                      openmp_setting, require_openmp_threads)
from .windows import Windows

__all__ = ["Batch", "Description", "Graph", "Layout", "Load", "Node", "Parameter", "Session", "Setting", "Table",
           "Unsupported", "Windows", "channels_last_layouts", "count_started_threads", "count_threads",
           "copying_kernels", "count_working_threads", "ema_decay", "flattened_picture", "input_first_layouts", "keeps_channels_last",
           "last_readings", "loaded_libraries", "lower", "openmp_setting", "require_openmp_threads", "selections", "serve"]
