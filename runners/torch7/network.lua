-- A graph as modules of nn: one nn.Sequential where it is a chain, else a walk over its modules.
local sdk = require("dlbench_runner")
require("nn")

local SAMPLE = 1  -- the value that is the batch itself

-- A walk has what a session calls of an nn.Sequential. Each step reads values, by number, and makes one, or several where its
-- module returns a table of parts.
local Walk = {}
Walk.__index = Walk

function Walk.new(steps)
  local all = nn.Container()
  for _, step in ipairs(steps) do
    all:add(step.module)
    -- What the module is called with: a value, or a table that is filled anew for each batch.
    step.inputs = #step.sources > 1 and {} or nil
    step.parts = step.is_split and {} or nil
  end
  local last = steps[#steps].targets
  return setmetatable({steps = steps, all = all, values = {}, gradients = {}, logits = last[#last]}, Walk)
end

function Walk:getParameters()
  return self.all:getParameters()
end

function Walk:training()
  self.all:training()
  self.train = true
end

function Walk:evaluate()
  self.all:evaluate()
  self.train = false
end

local function inputs_of(step, values)
  if not step.inputs then
    return values[step.sources[1]]
  end
  for i, source in ipairs(step.sources) do
    step.inputs[i] = values[source]
  end
  return step.inputs
end

function Walk:forward(batch)
  local values = self.values
  values[SAMPLE] = batch
  for _, step in ipairs(self.steps) do
    local output = step.module:forward(inputs_of(step, values))
    if step.parts then
      for i, target in ipairs(step.targets) do
        values[target] = output[i]
      end
    else
      values[step.targets[1]] = output
    end
  end
  return values[self.logits]
end

-- Adds in the tensor of the first reader: its module is done with it in this step.
function Walk:accumulate(value, gradient)
  local sum = self.gradients[value]
  if value == SAMPLE then
    return
  elseif sum then
    sum:add(gradient)
  else
    self.gradients[value] = gradient
  end
end

-- The gradient of what the step made, which is then forgotten.
function Walk:take(step)
  local gradients, gradient = self.gradients, nil
  for i, target in ipairs(step.targets) do
    gradient = gradients[target]
    gradients[target] = nil
    if step.parts then
      step.parts[i] = gradient
    end
  end
  return step.parts or gradient
end

function Walk:backward(_, gradient)
  self.gradients[self.logits] = gradient
  for i = #self.steps, 1, -1 do
    local step = self.steps[i]
    local result = step.module:backward(step.inputs or self.values[step.sources[1]], self:take(step))
    if step.inputs then
      for k, source in ipairs(step.sources) do
        self:accumulate(source, result[k])
      end
    else
      self:accumulate(step.sources[1], result)
    end
  end
end

-- What the op table builds into. `tensors` has for each parameter those that hold it one after the other: a convolution with
-- groups has one for each.
local Network = {}
Network.__index = Network

function Network.new(work)
  return setmetatable({graph = work.graph, steps = {}, values = SAMPLE, tensors = {},
                       has_single_row = work.mode == "train" and (work.batch == 1 or work.partial == 1)}, Network)
end

-- Adds a module that reads the sources; returns the value that it makes.
function Network:add(module, ...)
  self.values = self.values + 1
  self.steps[#self.steps + 1] = {module = module, sources = {...}, targets = {self.values}}
  return self.values
end

-- One after the other.
function Network:add_all(modules, source)
  for _, module in ipairs(modules) do
    source = self:add(module, source)
  end
  return source
end

-- Adds a module that returns a table of `count` tensors; returns their values.
function Network:split(module, count, source)
  local targets = {}
  for i = 1, count do
    self.values = self.values + 1
    targets[i] = self.values
  end
  self.steps[#self.steps + 1] = {module = module, sources = {source}, targets = targets, is_split = true}
  return targets
end

-- Name of a module's tensor by role of the parameter.
local fields = {weight = "weight", bias = "bias", scale = "weight", shift = "bias", mean = "running_mean",
                variance = "running_var", recurrent = "weight"}

-- The modules that hold the node's parameters, all in canonical layout; `recurrent`: those of an lstm's second weight.
function Network:own(node, modules, recurrent)
  for _, parameter in ipairs(node.parameters) do
    local tensors = {}
    for i, module in ipairs(parameter.role == "recurrent" and recurrent or modules) do
      tensors[i] = module[fields[parameter.role]]
    end
    self.tensors[parameter.name] = tensors
  end
end

function Network:shape_of(name)
  local node = self.graph.by_name[name]
  return node and node.output_shape or self.graph.input_shape
end

local function is_chain(steps)
  for i, step in ipairs(steps) do
    if #step.sources > 1 or step.is_split or step.sources[1] ~= i then
      return false
    end
  end
  return true
end

function Network:model()
  if not is_chain(self.steps) then
    return Walk.new(self.steps)
  end
  local model = nn.Sequential()
  for _, step in ipairs(self.steps) do
    model:add(step.module)
  end
  return model
end

-- The copies between a parameter and the tensors that hold it: visit(tensor, elements before it).
function Network:each_tensor(parameter, visit)
  local offset = 0
  for _, tensor in ipairs(self.tensors[parameter.name]) do
    visit(tensor, offset)
    offset = offset + tensor:nElement()
  end
  assert(offset == sdk.element_count(parameter.shape), "the tensors hold the parameter")
end

Network.SAMPLE = SAMPLE

return Network
