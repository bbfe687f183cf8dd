-- The one timed loop of every Lua runner. Batches and rates are resolved before the window; between the two clock calls
-- of a step stands session.step alone (and drain where the host asked for drained steps).
--
-- A full garbage collection runs before the window. Inside it the collector stays on: unlike Python, Lua frees nothing
-- without it, so the price of a framework's garbage belongs to its steps.
local Arena = require("dlbench_runner.arena")
local session_module = require("dlbench_runner.session")

local library = Arena.library

local function check_capacity(arena, steps)
  if steps > arena:step_capacity() then
    session_module.protocol_error("more steps than the arena has records")
  end
end

local function prepare(session)
  session:drain()
  collectgarbage("collect")
end

-- Exactly `steps` steps; returns the loss of the last one, fetched after the window (nil for no step).
local function run_training(arena, session, work, chunk)
  check_capacity(arena, chunk.steps)
  local ring, rates = arena:batches(work), arena:rates(chunk.steps)
  local batches = {}
  for i, slot in ipairs(ring) do
    batches[i] = slot.batch
  end
  local handle, slot_count = arena.handle, #batches
  local drain_each, loss_every = chunk.drain_each, chunk.loss_every
  prepare(session)
  library.dlb_window_begin(handle)
  local slot = 1
  for i = 0, chunk.steps - 1 do
    local batch, rate = batches[slot], rates[i + 1]
    library.dlb_step_begin(handle, i)
    session:step(batch, rate)
    if drain_each then
      session:drain()
    end
    library.dlb_step_end(handle, i)
    if loss_every > 0 and (i + 1) % loss_every == 0 then
      library.dlb_loss(handle, i, session:loss())
    end
    slot = slot == slot_count and 1 or slot + 1
  end
  session:drain()
  library.dlb_window_end(handle)
  if chunk.steps > 0 then
    return session:loss()
  end
end

-- The same in evaluation mode; with chunk.store each step's logits go to its slot, outside the step's clock.
local function run_inference(arena, session, work, chunk)
  check_capacity(arena, chunk.steps)
  local ring = arena:batches(work)
  for _, slot in ipairs(ring) do
    if chunk.store and slot.logits == nil then
      session_module.protocol_error("no room for the logits")
    end
  end
  local handle, slot_count = arena.handle, #ring
  local drain_each, store = chunk.drain_each, chunk.store
  prepare(session)
  library.dlb_window_begin(handle)
  local slot = 1
  for i = 0, chunk.steps - 1 do
    local batch = ring[slot].batch
    library.dlb_step_begin(handle, i)
    session:infer(batch)
    if drain_each then
      session:drain()
    end
    library.dlb_step_end(handle, i)
    if store then
      session:outputs(ring[slot].logits)
    end
    slot = slot == slot_count and 1 or slot + 1
  end
  session:drain()
  library.dlb_window_end(handle)
end

return {run_training = run_training, run_inference = run_inference}
