-- A complete small runner in Lua: copy this folder to start a new one. docs/adding-a-runner.md walks through it.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local ffi = require("ffi")
local sdk = require("dlbench_runner")
local Network = require("network")
local tables = require("ops")

local TemplateSession = setmetatable({}, {__index = sdk.Session})
TemplateSession.__index = TemplateSession

function TemplateSession.new(work)
  if work.threads ~= 1 then
    sdk.unsupported("threads: these loops run on one")
  end
  local network = Network.new(sdk.element_count(work.graph.input_shape), work.batch)
  local logits = sdk.lower(work.graph, tables.ops, network, 1)
  return setmetatable({network = network, logits = logits, optimizer = work.optimizer, mean_loss = 0,
                       update = tables.optimizers:at(work.optimizer.name)}, TemplateSession)
end

function TemplateSession:put(parameter, tensor)
  local weights = self.network.weights[parameter.name]
  weights.layout:to_framework(tensor.data, weights.values)
  ffi.fill(weights.velocity, weights.count * 4)
end

function TemplateSession:get(parameter, tensor)
  local weights = self.network.weights[parameter.name]
  weights.layout:to_canonical(weights.values, tensor.data)
end

function TemplateSession:step(batch, rate)
  self.network:forward(batch.input, batch.rows)
  self:score(batch)
  self.network:backward(self.logits, batch.rows)
  for _, weights in ipairs(self.network.order) do
    self.update(weights, self.optimizer, rate)
  end
end

-- softmax_cross_entropy: the mean loss and, in place, its gradient (softmax - target) / rows.
function TemplateSession:score(batch)
  local place, rows, loss = self.network.places[self.logits], batch.rows, 0
  local x, gradient, width = place.values, place.gradient, place.width
  for r = 0, rows - 1 do
    local row, target, largest, sum = r * width, tonumber(batch.target[r]), -math.huge, 0
    for c = 0, width - 1 do
      largest = math.max(largest, x[row + c])
    end
    for c = 0, width - 1 do
      sum = sum + math.exp(x[row + c] - largest)
    end
    loss = loss + (math.log(sum) + largest - x[row + target]) / rows
    for c = 0, width - 1 do
      local share = math.exp(x[row + c] - largest) / sum
      gradient[row + c] = (share - (c == target and 1 or 0)) / rows
    end
  end
  self.mean_loss = loss
end

function TemplateSession:loss()
  return self.mean_loss
end

function TemplateSession:infer(batch)
  self.network:forward(batch.input, batch.rows)
end

function TemplateSession:outputs(tensor)
  ffi.copy(tensor.data, self.network.places[self.logits].values, tensor.count * 4)
end

function TemplateSession:effective()
  return {{name = "threads", value = 1, source = "plain loops"}}
end

sdk.serve({
  runner = "template-lua",
  framework = "template",
  version = "1",
  build = jit.version,
  ops = tables.ops:names(),
  optimizers = tables.optimizers:names(),
  input = "copy",
}, TemplateSession.new)
