"""The one timed loop of every Python runner.

Everything is resolved before the window: batches are wrapped, rates read, functions bound to local names. Between the
two clock calls of a step stands session.step alone (and drain where the host asked for drained steps). The garbage
collector runs before the window and stays off until the window has ended: reference counting still frees everything but
cycles, and no collection falls into some steps and not into others.
"""
import gc
from itertools import cycle

from .session import ProtocolError


class _QuietCollector:
    """Collects now, then keeps the collector off."""

    def __enter__(self):
        self._was_enabled = gc.isenabled()
        gc.collect()
        gc.disable()

    def __exit__(self, *_):
        if self._was_enabled:
            gc.enable()


def _drained(function, drain):
    def call(*arguments):
        function(*arguments)
        drain()
    return call


def _check_capacity(arena, steps):
    if steps > arena.step_capacity():
        raise ProtocolError("more steps than the arena has records")


def run_training(arena, session, work, steps, drain_each, loss_every):
    """Exactly `steps` steps; returns the loss of the last one, fetched after the window (None for no step)."""
    _check_capacity(arena, steps)
    batches = [batch for batch, _ in arena.batches(work)]
    rates = arena.rates(steps)
    step = _drained(session.step, session.drain) if drain_each else session.step
    handle, begin, end = arena.handle, arena.clock.dlb_step_begin, arena.clock.dlb_step_end
    session.drain()
    with _QuietCollector():
        arena.clock.dlb_window_begin(handle)
        for i, batch, rate in zip(range(steps), cycle(batches), rates):
            begin(handle, i)
            step(batch, rate)
            end(handle, i)
            if loss_every and (i + 1) % loss_every == 0:
                arena.clock.dlb_loss(handle, i, session.loss())
        session.drain()
        arena.clock.dlb_window_end(handle)
    return session.loss() if steps else None


def run_inference(arena, session, work, steps, drain_each, store):
    """The same in evaluation mode; with `store` each step's logits go to its slot, outside the step's clock."""
    _check_capacity(arena, steps)
    ring = arena.batches(work)
    if store and any(logits is None for _, logits in ring):
        raise ProtocolError("no room for the logits")
    infer = _drained(session.infer, session.drain) if drain_each else session.infer
    handle, begin, end = arena.handle, arena.clock.dlb_step_begin, arena.clock.dlb_step_end
    session.drain()
    with _QuietCollector():
        arena.clock.dlb_window_begin(handle)
        for i, (batch, logits) in zip(range(steps), cycle(ring)):
            begin(handle, i)
            infer(batch)
            end(handle, i)
            if store:
                session.outputs(logits)
        session.drain()
        arena.clock.dlb_window_end(handle)
