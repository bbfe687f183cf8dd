-- Runner for Torch7.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local ffi = require("ffi")
local sdk = require("dlbench_runner")
require("torch")
torch.setdefaulttensortype("torch.FloatTensor")
local ops = require("ops")
local optimizers = require("optimizers")

local TorchSession = setmetatable({}, {__index = sdk.Session})
TorchSession.__index = TorchSession

local function address(pointer)
  return tonumber(ffi.cast("intptr_t", pointer))
end

-- A tensor that reads this memory in place.
local function alias(storage_type, tensor_type, pointer, shape)
  local count = sdk.element_count(shape)
  return tensor_type(storage_type(count, address(pointer)), 1, torch.LongStorage(shape))
end

-- Name of a module's tensor by role of the parameter.
local fields = {weight = "weight", bias = "bias", scale = "weight", shift = "bias", mean = "running_mean",
                variance = "running_var"}

local function tensor_of(owners, parameter)
  return owners[parameter.name:match("^(.*)%.%a+$")][fields[parameter.role]]
end

-- Which elements of the flat vector decay, where not all do.
local function decays_of(work, network, parameters)
  local flags, all = torch.FloatTensor(parameters:size(1)):fill(1), true
  for _, node in ipairs(work.graph.nodes) do
    for _, parameter in ipairs(node.parameters) do
      if not sdk.is_statistic(parameter) and not sdk.decays(parameter, work.optimizer) then
        local tensor = tensor_of(network.owners, parameter)
        flags:narrow(1, tensor:storageOffset(), tensor:nElement()):zero()
        all = false
      end
    end
  end
  return not all and flags or nil
end

function TorchSession.new(work)
  torch.setnumthreads(work.threads)
  local network = {model = nn.Sequential(), graph = work.graph, owners = {}, place = 1,
                   has_single_row = work.mode == "train" and (work.batch == 1 or work.partial == 1)}
  sdk.lower(work.graph, ops, network, 1)
  local self = setmetatable({model = network.model, owners = network.owners, input_shape = work.graph.input_shape,
                             wrapped = {}, mean_loss = 0}, TorchSession)
  self.parameters, self.gradients = self.model:getParameters()
  if work.mode == "train" then
    self:prepare_training(work, network)
  else
    self.model:evaluate()
  end
  return self
end

function TorchSession:prepare_training(work, network)
  local model, gradients = self.model, self.gradients
  local criterion = nn.CrossEntropyCriterion()
  self.optimizer = optimizers:at(work.optimizer.name)(work.optimizer, decays_of(work, network, self.parameters))
  self.labels = torch.LongTensor()
  -- The closure that optim's functions call.
  self.evaluate = function()
    local inputs, labels = self.inputs, self.labels
    gradients:zero()
    local outputs = model:forward(inputs)
    local loss = criterion:forward(outputs, labels)
    model:backward(inputs, criterion:backward(outputs, labels))
    self.mean_loss = loss
    return loss, gradients
  end
end

function TorchSession:put(parameter, tensor)
  ffi.copy(tensor_of(self.owners, parameter):data(), tensor.data, tensor.count * 4)
  if self.optimizer then
    self.optimizer:reset()
  end
end

function TorchSession:get(parameter, tensor)
  ffi.copy(tensor.data, tensor_of(self.owners, parameter):data(), tensor.count * 4)
end

-- Tensors on the batch's memory, made once for each slot.
function TorchSession:wrap(batch)
  local wrapped = self.wrapped[batch.slot]
  if wrapped == nil or wrapped.address ~= address(batch.input) or wrapped.rows ~= batch.rows then
    wrapped = {address = address(batch.input), rows = batch.rows,
               inputs = alias(torch.FloatStorage, torch.FloatTensor, batch.input, {batch.rows, unpack(self.input_shape)}),
               target = alias(torch.LongStorage, torch.LongTensor, batch.target, {batch.rows})}
    self.wrapped[batch.slot] = wrapped
  end
  return wrapped
end

function TorchSession:step(batch, rate)
  local wrapped = self:wrap(batch)
  if not self.model.train then
    self.model:training()
  end
  self.inputs = wrapped.inputs
  -- Torch7 counts classes from 1.
  self.labels:add(wrapped.target, 1)
  self.optimizer:step(self.evaluate, self.parameters, rate)
end

function TorchSession:loss()
  return self.mean_loss
end

function TorchSession:infer(batch)
  self.model:evaluate()
  self.logits = self.model:forward(self:wrap(batch).inputs)
end

function TorchSession:outputs(tensor)
  ffi.copy(tensor.data, self.logits:data(), tensor.count * 4)
end

function TorchSession:effective()
  return {{name = "threads", value = torch.getnumthreads(), source = "torch.getnumthreads()"},
          {name = "tensor_type", value = torch.getdefaulttensortype(), source = "torch.getdefaulttensortype()"}}
end

sdk.serve({
  runner = "torch7",
  framework = "Torch7",
  version = "7",
  build = jit.version,
  ops = ops:names(),
  optimizers = optimizers:names(),
  input = "alias",
}, TorchSession.new)
