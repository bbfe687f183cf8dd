-- Runner for Torch7.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local ffi = require("ffi")
local sdk = require("dlbench_runner")
require("torch")
torch.setdefaulttensortype("torch.FloatTensor")
local losses = require("losses")
local Network = require("network")
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

-- Which elements of the flat vector decay, where not all do.
local function decays_of(work, network, parameters)
  local flags, all = torch.FloatTensor(parameters:size(1)):fill(1), true
  for _, parameter in ipairs(work.parameters) do
    if not sdk.is_statistic(parameter) and not sdk.decays(parameter, work.optimizer) then
      network:each_tensor(parameter, function(tensor)
        flags:narrow(1, tensor:storageOffset(), tensor:nElement()):zero()
      end)
      all = false
    end
  end
  return not all and flags or nil
end

function TorchSession.new(work)
  torch.setnumthreads(work.threads)
  torch.manualSeed(work.recipe.initialiser.seed)  -- of dropout: weights come by put
  local graph, network = work.graph, Network.new(work)
  sdk.lower(graph, ops, network, Network.SAMPLE)
  local self = setmetatable({network = network, model = network:model(), graph = graph, wrapped = {}, mean_loss = 0,
                             tokens = graph.vocabulary ~= 0 and torch.LongTensor() or nil}, TorchSession)
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
  local loss_of = losses[work.graph.nodes[#work.graph.nodes].op](work.graph)
  self.loss_of = loss_of
  self.optimizer = optimizers.at(work.optimizer.name)(work.recipe, decays_of(work, network, self.parameters))
  -- The closure that optim's functions call.
  self.optimizer:bind(function()
    local inputs = self.inputs
    gradients:zero()
    local outputs = model:forward(inputs)
    local loss = loss_of:forward(outputs)
    model:backward(inputs, loss_of:backward(outputs))
    self.mean_loss = loss
    return loss, gradients
  end)
end

function TorchSession:put(parameter, values)
  self.network:each_tensor(parameter, function(tensor, offset)
    ffi.copy(tensor:data(), values.data + offset, tensor:nElement() * 4)
  end)
  if self.optimizer then
    self.optimizer:reset()
  end
end

function TorchSession:get(parameter, values)
  self.network:each_tensor(parameter, function(tensor, offset)
    ffi.copy(values.data + offset, tensor:data(), tensor:nElement() * 4)
  end)
end

-- Tensors on the batch's memory, made once for each slot.
function TorchSession:wrap(batch)
  local wrapped = self.wrapped[batch.slot]
  if wrapped == nil or wrapped.address ~= address(batch.input) or wrapped.rows ~= batch.rows then
    local storage, tensor = torch.FloatStorage, torch.FloatTensor
    if self.tokens then
      storage, tensor = torch.LongStorage, torch.LongTensor
    end
    wrapped = {address = address(batch.input), rows = batch.rows,
               inputs = alias(storage, tensor, batch.input, {batch.rows, unpack(self.graph.input_shape)}),
               target = alias(torch.LongStorage, torch.LongTensor, batch.target,
                              {batch.rows * self.graph.targets_per_sample})}
    self.wrapped[batch.slot] = wrapped
  end
  return wrapped
end

-- Torch7 counts tokens from 1.
function TorchSession:inputs_of(wrapped)
  return self.tokens and self.tokens:add(wrapped.inputs, 1) or wrapped.inputs
end

function TorchSession:step(batch, rate)
  local wrapped = self:wrap(batch)
  if not self.model.train then
    self.model:training()
  end
  self.inputs = self:inputs_of(wrapped)
  self.loss_of:load(wrapped.target)
  self.optimizer:step(self.parameters, rate)
end

function TorchSession:loss()
  return self.mean_loss
end

function TorchSession:infer(batch)
  if self.model.train ~= false then
    self.model:evaluate()
  end
  self.logits = self.model:forward(self:inputs_of(self:wrap(batch)))
end

function TorchSession:outputs(tensor)
  ffi.copy(tensor.data, self.logits:contiguous():data(), tensor.count * 4)
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
  optimizers = optimizers.described(),
  input = "alias",
}, TorchSession.new)
