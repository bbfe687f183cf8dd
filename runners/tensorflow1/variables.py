"""The parameters of a graph as TensorFlow's variables, references as released, and how they are put and read."""
import tensorflow as tf

import recurrent
from dlbench_runner import channels_last_layouts


class Place:
    """A variable that holds one parameter in `layout`."""

    def __init__(self, variable, layout):
        self.variable = variable
        self._layout = layout

    def put(self, session, values):
        self.variable.load(self._layout.to_framework(values), session)

    def get(self, session, values):
        self._layout.to_canonical(session.run(self.variable), values)


class Variables:
    """Of the present tf.Graph, all made at once.

    by_name: {parameter name: variable}; two parameters of an lstm lie in one variable, its node's `kernel`.
    places: {parameter name: a Place or what has its methods}.
    """

    def __init__(self, graph):
        self._graph, self.by_name, self.places = graph, {}, {}
        layouts = channels_last_layouts(graph)
        for node in graph.nodes:
            if node.op == "lstm":
                self.places.update(recurrent.make_places(node, layouts, self._make))
            else:
                self._add(node, layouts)

    def _add(self, node, layouts):
        for p in node.parameters:
            variable = self._make(p.name, layouts[p.name].framework_shape(), trainable=not p.is_statistic)
            self.places[p.name] = Place(variable, layouts[p.name])

    def _make(self, name, shape, trainable=True):
        self.by_name[name] = tf.Variable(tf.zeros(shape), trainable=trainable, name=name)
        return self.by_name[name]

    def decayed(self, optimizer):
        """Whom the recipe's weight decay applies to. The parameters in an lstm's kernel both decay."""
        return {self.places[p.name].variable for p in self._graph.trained if p.decays(optimizer)}
