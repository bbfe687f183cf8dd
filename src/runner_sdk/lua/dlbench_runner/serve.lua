-- The whole life of a runner behind one call: open the arena, describe, serve commands, turn errors into replies.
local ffi = require("ffi")
local Arena = require("dlbench_runner.arena")
local json = require("dlbench_runner.json")
local session_module = require("dlbench_runner.session")
local timed_loop = require("dlbench_runner.timed_loop")

local protocol_error = session_module.protocol_error

-- Fields of a description and, where a runner may leave them out, their values. See docs/formats/protocol.md.
local function description_text(d)
  return json.encode(json.object({
    {"abi", 1}, {"runner", d.runner}, {"language", "lua"}, {"framework", d.framework}, {"version", d.version},
    {"build", d.build}, {"ops", json.list(d.ops)}, {"optimizers", json.list(d.optimizers)},
    {"devices", json.list(d.devices)}, {"precisions", json.list(d.precisions)},
    {"deviations", json.list(d.deviations)}, {"input", d.input}}))
end

local function with_defaults(d)
  return {runner = d.runner, framework = d.framework, version = d.version, build = d.build, ops = d.ops,
          optimizers = d.optimizers, devices = d.devices or {"cpu"}, precisions = d.precisions or {"fp32"},
          deviations = d.deviations or {}, input = d.input or "alias"}
end

local function require_listed(kind, name, known)
  for _, entry in ipairs(known) do
    if entry == name then
      return
    end
  end
  session_module.unsupported(kind .. " " .. tostring(name))
end

-- What the description does not claim is refused here, so no runner can forget to.
local function require_described(description, work)
  for _, node in ipairs(work.graph.nodes) do
    require_listed("op", node.op, description.ops)
  end
  if work.mode == "train" then
    require_listed("optimizer", work.optimizer.name, description.optimizers)
    -- Whatever of the recipe a runner could overlook.
    if work.optimizer.nesterov then
      require_listed("optimizer", "nesterov", description.optimizers)
    end
    local clip = work.recipe.clip
    if clip and clip.by ~= "none" then
      require_listed("optimizer", "clip=" .. clip.by, description.optimizers)
    end
    if work.recipe.weight_ema and work.recipe.weight_ema.decay ~= 0 then
      require_listed("optimizer", "weight_ema", description.optimizers)
    end
  end
  require_listed("device", work.device, description.devices)
  require_listed("precision", work.precision, description.precisions)
end

local function typed(fields, name, kind)
  if type(fields[name]) ~= kind then
    protocol_error("missing or mistyped field " .. name)
  end
  return fields[name]
end

local function count_field(fields, name)
  local value = typed(fields, name, "number")
  if value < 0 or value ~= math.floor(value) then
    protocol_error("field " .. name .. " is not a count")
  end
  return value
end

local function chunk_of(fields)
  if fields.drain ~= "ends" and fields.drain ~= "each" then
    protocol_error("field drain is neither ends nor each")
  end
  return {steps = count_field(fields, "steps"), drain_each = fields.drain == "each",
          loss_every = fields.loss_every and count_field(fields, "loss_every") or 0}
end

-- The work of one load: graph (with by_name), parameters in graph order, logits_shape, recipe, optimizer, mode, device,
-- precision, threads, batch, partial, knobs.
local function work_of(fields)
  local graph, recipe = typed(fields, "graph", "table"), typed(fields, "recipe", "table")
  local work = {graph = graph, recipe = recipe, optimizer = typed(recipe, "optimizer", "table"), parameters = {},
                mode = typed(fields, "mode", "string"), device = typed(fields, "device", "string"),
                precision = typed(fields, "precision", "string"), threads = count_field(fields, "threads"),
                batch = count_field(fields, "batch"), partial = count_field(fields, "partial"),
                knobs = fields.knobs or {}}
  graph.by_name = {}
  for _, node in ipairs(typed(graph, "nodes", "table")) do
    graph.by_name[typed(node, "name", "string")] = node
    for _, parameter in ipairs(typed(node, "parameters", "table")) do
      work.parameters[#work.parameters + 1] = parameter
    end
  end
  local loss = graph.nodes[#graph.nodes]
  local logits = loss and graph.by_name[loss.inputs[1]]
  if logits == nil then
    protocol_error("the graph has no logits")
  end
  work.logits_shape = logits.output_shape
  return work
end

local Server = {}
Server.__index = Server

function Server:loaded()
  if self.session == nil then
    protocol_error("nothing is loaded")
  end
  return self.session
end

function Server:effective()
  local list, has_threads = {}, false
  for i, setting in ipairs(self:loaded():effective()) do
    has_threads = has_threads or setting.name == "threads"
    list[i] = json.object({{"name", setting.name}, {"value", tostring(setting.value)}, {"source", setting.source}})
  end
  if not has_threads then
    protocol_error("the runner does not report its thread count")
  end
  return json.list(list)
end

local verbs = {}

function verbs.load(server, fields)
  server.session = nil
  local work = work_of(fields)
  require_described(server.description, work)
  local begin_ns = server.arena:now_ns()
  local session = server.make_session(work)
  local build_ns = server.arena:now_ns() - begin_ns
  server.session, server.work = session, work
  local parameters = {}
  for i, parameter in ipairs(work.parameters) do
    parameters[i] = json.object({{"name", parameter.name}, {"shape", json.list(parameter.shape)}})
  end
  return {{"parameters", json.list(parameters)}, {"logits", json.list(work.logits_shape)}, {"build_ns", build_ns},
          {"effective", server:effective()}}
end

function verbs.put(server)
  local session = server:loaded()
  for _, parameter in ipairs(server.work.parameters) do
    session:put(parameter, server.arena:parameter_in(parameter))
  end
  return {}
end

function verbs.get(server)
  local session = server:loaded()
  session:drain()
  for _, parameter in ipairs(server.work.parameters) do
    local count = session_module.element_count(parameter.shape)
    local values = ffi.new("float[?]", count)
    session:get(parameter, {data = values, shape = parameter.shape, count = count})
    server.arena:store(parameter, values)
  end
  return {}
end

function verbs.train(server, fields)
  local chunk = chunk_of(fields)
  local loss = timed_loop.run_training(server.arena, server:loaded(), server.work, chunk)
  return {{"steps", chunk.steps}, {"loss", loss or json.null}}
end

function verbs.infer(server, fields)
  local chunk = chunk_of(fields)
  chunk.store = typed(fields, "store", "boolean")
  timed_loop.run_inference(server.arena, server:loaded(), server.work, chunk)
  return {{"steps", chunk.steps}}
end

function verbs.inspect(server)
  return {{"effective", server:effective()}, {"libraries", json.raw(server.arena:libraries())}}
end

function verbs.quit(server)
  server.session = nil
  return {}
end

function Server:perform(fields)
  local verb = verbs[typed(fields, "command", "string")]
  if verb == nil then
    protocol_error("unknown command " .. fields.command)
  end
  local body = verb(self, fields)
  table.insert(body, 1, {"id", fields.id})
  table.insert(body, 2, {"ok", true})
  self.arena:reply(json.encode(json.object(body)))
end

-- What an error value means: tables come from session.unsupported and session.protocol_error, strings from Lua itself.
local function failure_of(problem)
  if type(problem) == "table" and problem.outcome then
    return problem.outcome, problem.reason
  end
  local text = tostring(problem)
  if text:find("not enough memory", 1, true) then
    return "OOM", "the runner's process has no memory left"
  end
  io.stderr:write(text, "\n")
  return "CRASH", text
end

-- False after `quit`.
function Server:answer(text)
  local fields, reason = json.decode(text)
  if type(fields) ~= "table" or type(fields.id) ~= "number" then
    self.arena:fail(0, "PROTOCOL", reason or "a command is one JSON object with an id")
    return true
  end
  local ok, problem = pcall(self.perform, self, fields)
  if ok then
    return fields.command ~= "quit"
  end
  self.arena:fail(fields.id, failure_of(problem))
  return true
end

-- Serves until `quit` or until the host is gone, then exits the process: 0, or 1 with a reason on stderr.
-- make_session(work) builds the session of one load and compiles what can be compiled beforehand.
local function serve(description, make_session)
  description = with_defaults(description)
  local ok, problem = pcall(function()
    local arena = Arena.open()
    arena:reply(description_text(description))
    local server = setmetatable({arena = arena, description = description, make_session = make_session}, Server)
    while true do
      local text = arena:next()
      if text == nil or not server:answer(text) then
        arena:close()
        return
      end
    end
  end)
  if not ok then
    local reason = type(problem) == "table" and problem.reason or tostring(problem)
    io.stderr:write(tostring(description.runner), ": ", reason, "\n")
    os.exit(1)
  end
  os.exit(0)
end

return {serve = serve}
