"""Parameters of the neutral graph as Theano's shared variables, which Lasagne's layers take in place of their own."""
import numpy as np
import theano

from dlbench_runner import input_first_layouts


class Weights:
    """One parameter. An lstm's is four variables, one for each gate: Lasagne puts them side by side in the step."""

    def __init__(self, parameter, layout, pieces):
        self.parameter = parameter
        self._layout = layout
        shape = layout.framework_shape()
        shape = shape[:-1] + (shape[-1] // pieces,)
        narrow = (False,) * len(shape)  # an extent of 1 is no other type
        self.variables = [theano.shared(np.zeros(shape, np.float32), parameter.name, broadcastable=narrow)
                          for _ in range(pieces)]

    def put(self, values):
        whole = self._layout.to_framework(values)
        for variable, piece in zip(self.variables, np.split(whole, len(self.variables), axis=-1)):
            variable.set_value(np.ascontiguousarray(piece), borrow=True)

    def get(self, values):
        whole = np.concatenate([v.get_value(borrow=True) for v in self.variables], axis=-1)
        self._layout.to_canonical(whole, values)


class Network:
    """What the entries of the table build into: the graph and its weights by name."""

    def __init__(self, graph):
        self.graph = graph
        self.weights = {}
        layouts = input_first_layouts(graph)
        for node in graph.nodes:
            for parameter in node.parameters:
                layout = layouts[parameter.name]
                if node.op in ("conv2d", "conv_table") and parameter.role == "weight":
                    layout = layout.flip([2, 3])
                if node.op == "lstm" and parameter.role != "bias":
                    layout = layout.transpose()
                self.weights[parameter.name] = Weights(parameter, layout, 4 if node.op == "lstm" else 1)

    def of(self, node):
        """The node's variables in the order of its parameters, each a list."""
        return [self.weights[p.name].variables for p in node.parameters]

    def layer_weights(self, node):
        """Arguments of a layer with one matrix and, where the node has it, one bias."""
        variables = [pieces[0] for pieces in self.of(node)]
        return {"W": variables[0], "b": variables[1] if len(variables) > 1 else None}

    def owners(self):
        """{variable: the parameter that it holds, or holds a part of}"""
        return {variable: weights.parameter for weights in self.weights.values() for variable in weights.variables}
