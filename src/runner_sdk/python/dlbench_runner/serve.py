"""The whole life of a runner behind one call: open the arena, describe, serve commands, turn exceptions into replies."""
import gc
import json
import math
import os
import sys
import traceback

import numpy as np

from .arena import ABI, Arena
from .session import Load, ProtocolError, Unsupported
from .timed_loop import run_inference, run_training


class Description:
    """The runner's first message. ops and optimizers: names() of its tables; input: alias, copy or transfer."""

    def __init__(self, runner, framework, version, build, ops, optimizers, devices=("cpu",), precisions=("fp32",),
                 deviations=(), input="alias"):  # pylint: disable=redefined-builtin
        self.ops, self.optimizers = list(ops), list(optimizers)
        self.devices, self.precisions = list(devices), list(precisions)
        self.message = {"abi": ABI, "runner": runner, "language": "python", "framework": framework,
                        "version": str(version), "build": build, "ops": self.ops, "optimizers": self.optimizers,
                        "devices": self.devices, "precisions": self.precisions, "deviations": list(deviations),
                        "input": input}

    def require(self, load):
        """What the description does not claim is refused here, so no runner can forget to."""
        for node in load.graph.nodes:
            _require("op", node.op, self.ops)
        if load.mode == "train":
            for name in _required_optimizers(load.recipe):
                _require("optimizer", name, self.optimizers)
        _require("device", load.device, self.devices)
        _require("precision", load.precision, self.precisions)


def _required_optimizers(recipe):
    """The optimizer and whatever of the recipe a runner could overlook: see optimizers in docs/formats/protocol.md."""
    names = [recipe["optimizer"]["name"]]
    if recipe["optimizer"].get("nesterov"):
        names.append("nesterov")
    clip = recipe.get("clip", {}).get("by", "none")
    if clip != "none":
        names.append("clip=" + clip)
    if recipe.get("weight_ema", {}).get("decay", 0.0):
        names.append("weight_ema")
    return names


def _require(kind, name, known):
    if name not in known:
        raise Unsupported("%s %s" % (kind, name))


def _parse(text):
    try:
        return json.loads(text)
    except ValueError as error:
        raise ProtocolError("not JSON: %s" % error)


def _number(fields, name):
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ProtocolError("field %s is not a count" % name)
    return value


def _drain_each(fields):
    if fields.get("drain") not in ("ends", "each"):
        raise ProtocolError("field drain is neither ends nor each")
    return fields["drain"] == "each"


def error_text(error):
    """One line about an exception, the first of its text. A bare assertion has none, so its place stands for it."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = str(error).strip().partition("\n")[0]
    return "%s: %s" % (type(error).__name__, text or "%s, line %d: %s" % (
        os.path.basename(place.filename), place.lineno, place.line))


class _Server:
    def __init__(self, arena, description, make_session):
        self._arena = arena
        self._description = description
        self._make_session = make_session
        self._session = None
        self._work = None

    def _loaded(self):
        if self._session is None:
            raise ProtocolError("nothing is loaded")
        return self._session

    def _effective(self):
        settings = self._loaded().effective()
        if not any(setting.name == "threads" for setting in settings):
            raise ProtocolError("the runner does not report its thread count")
        return [{"name": s.name, "value": str(s.value), "source": s.source} for s in settings]

    def load(self, fields):
        self._session = None
        gc.collect()  # the last load has left no cycle behind when the next is built
        try:
            work = Load(fields)
        except (KeyError, TypeError, IndexError) as error:
            raise ProtocolError("load: missing or mistyped field %s" % error)
        self._description.require(work)
        begin_ns = self._arena.now_ns()
        session = self._make_session(work)
        build_ns = self._arena.now_ns() - begin_ns
        self._session, self._work = session, work
        return {"parameters": [{"name": p.name, "shape": list(p.shape)} for p in work.graph.parameters],
                "logits": list(work.graph.logits_shape), "build_ns": build_ns, "effective": self._effective()}

    def put(self, _):
        session = self._loaded()
        for parameter in self._work.graph.parameters:
            session.put(parameter, self._arena.parameter_in(parameter))
        return {}

    def get(self, _):
        session = self._loaded()
        session.drain()
        for parameter in self._work.graph.parameters:
            values = np.zeros(parameter.shape, dtype=np.float32)
            session.get(parameter, values)
            self._arena.store(parameter, values)
        return {}

    def train(self, fields):
        steps = _number(fields, "steps")
        loss = run_training(self._arena, self._loaded(), self._work, steps, _drain_each(fields),
                            _number(fields, "loss_every") if "loss_every" in fields else 0)
        loss = None if loss is None else float(loss)
        return {"steps": steps, "loss": loss if loss is not None and math.isfinite(loss) else None}

    def infer(self, fields):
        steps = _number(fields, "steps")
        if not isinstance(fields.get("store"), bool):
            raise ProtocolError("field store is not a boolean")
        run_inference(self._arena, self._loaded(), self._work, steps, _drain_each(fields), fields["store"])
        return {"steps": steps}

    def inspect(self, _):
        return {"effective": self._effective(), "libraries": json.loads(self._arena.libraries())}

    def quit(self, _):
        self._session = None
        return {}

    def _perform(self, fields):
        verbs = {"load": self.load, "put": self.put, "get": self.get, "train": self.train, "infer": self.infer,
                 "inspect": self.inspect, "quit": self.quit}
        if fields.get("command") not in verbs:
            raise ProtocolError("unknown command %s" % fields.get("command"))
        return verbs[fields["command"]](fields)

    def answer(self, text):
        """False after `quit`."""
        command_id = 0
        try:
            fields = _parse(text)
            if not isinstance(fields, dict) or not isinstance(fields.get("id"), int):
                raise ProtocolError("a command is one JSON object with an id")
            command_id = fields["id"]
            body = self._perform(fields)
            body.update({"id": command_id, "ok": True})
            self._arena.reply(json.dumps(body))
            return fields["command"] != "quit"
        except Unsupported as error:
            self._arena.fail(command_id, "UNSUPPORTED", str(error))
        except MemoryError:
            self._arena.fail(command_id, "OOM", "the runner's process has no memory left")
        except ProtocolError as error:
            self._arena.fail(command_id, "PROTOCOL", str(error))
        except Exception as error:  # the reply carries it to the host, the log keeps the place
            traceback.print_exc()
            self._arena.fail(command_id, "CRASH", error_text(error))
        return True


def _set_imports_aside():
    """A framework's modules are a million objects that stay: frozen, no collection looks at them again, where one before
    each window would otherwise take longer than the steps of the gate. gc.freeze exists from Python 3.7 on."""
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()


def serve(description, make_session):
    """Serves until `quit` or until the host is gone. Returns the process's exit status: 0, or 1 with a reason on stderr.

    make_session(load) builds the Session of one load and compiles what can be compiled beforehand.
    """
    try:
        arena = Arena()
        arena.reply(json.dumps(description.message))
        _set_imports_aside()  # behind the reply, which ends the framework's start
        server = _Server(arena, description, make_session)
        while True:
            text = arena.next()
            if text is None or not server.answer(text):
                arena.close()
                return 0
    except ProtocolError as error:
        print("%s: %s" % (description.message["runner"], error), file=sys.stderr)
        return 1
