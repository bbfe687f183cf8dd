"""What a Python runner needs: a session, an op table, an optimizer table and serve(). Python >= 3.6, numpy only."""
from .layout import Layout, flattened_picture
from .lower import Table, lower
from .serve import Description, serve
from .session import Batch, Graph, Load, Node, Parameter, Session, Setting, Unsupported

__all__ = ["Batch", "Description", "Graph", "Layout", "Load", "Node", "Parameter", "Session", "Setting", "Table",
           "Unsupported", "flattened_picture", "lower", "serve"]
