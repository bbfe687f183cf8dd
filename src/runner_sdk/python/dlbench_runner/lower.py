"""From the neutral graph to a framework: a table {op name -> function} and one walk. A missing entry is UNSUPPORTED."""
from .session import Unsupported


class Table:
    """Names and what the runner has for them; `kind` is the word in the refusal ("op", "optimizer")."""

    def __init__(self, kind, entries):
        self._kind = kind
        self._entries = dict(entries)

    def at(self, name):
        try:
            return self._entries[name]
        except KeyError:
            raise Unsupported("%s %s" % (self._kind, name)) from None

    def names(self):
        return sorted(self._entries)


def lower(graph, table, context, input_value):
    """Calls table entry(context, node, inputs) for each node in execution order; returns (logits, loss) values.

    Every op is looked up before the first one is built, so an unsupported graph leaves nothing half-made.
    """
    builders = [table.at(node.op) for node in graph.nodes]
    values = {"input": input_value}
    for node, build in zip(graph.nodes, builders):
        values[node.name] = build(context, node, [values[name] for name in node.inputs])
    return values[graph.logits], values[graph.nodes[-1].name]


def last_readings(sources, kept):
    """Per call the values that no later call reads, to let go of at once, as a forward written by hand does.

    `sources[i]`: numbers of the values that call i reads; value 0 is the sample, i + 1 what call i returns. `kept` is
    the value that outlives all calls.
    """
    last = {}
    for i, read in enumerate(sources):
        last.update({value: i for value in read})
    return [tuple(sorted(value for value in last if last[value] == i and value != kept)) for i in range(len(sources))]
