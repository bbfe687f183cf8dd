-- The op table: modules of the package nn.
local sdk = require("dlbench_runner")
local losses = require("losses")
local recurrent = require("recurrent")
local windows = require("windows")
require("nn")

local entries = {lstm = recurrent.lstm}

for name, entry in pairs(windows) do
  entries[name] = entry
end

-- The session has the loss, and only where there are targets: here its value is just the logits.
for name in pairs(losses) do
  entries[name] = function(_, _, inputs)
    return inputs[1]
  end
end

-- Entry of an operator without attributes and parameters.
local function one(make)
  return function(network, _, inputs)
    return network:add(make(), unpack(inputs))
  end
end

entries.add = one(nn.CAddTable)
entries.relu = one(nn.ReLU)
entries.sigmoid = one(nn.Sigmoid)
entries.softmax = one(nn.SoftMax)
entries.tanh = one(nn.Tanh)

-- The dimension behind the batch.
function entries.concat(network, _, inputs)
  return network:add(nn.JoinTable(2), unpack(inputs))
end

-- Over positions nn.Bottle makes rows of them.
function entries.dense(network, node, inputs)
  local weight = node.parameters[1].shape
  local module = nn.Linear(weight[2], weight[1], node.attributes.bias)
  network:own(node, {module})
  return network:add(#node.output_shape == 1 and module or nn.Bottle(module), inputs[1])
end

function entries.embedding(network, node, inputs)
  local module = nn.LookupTable(node.attributes.vocabulary, node.attributes.features)
  network:own(node, {module})
  return network:add(module, inputs[1])
end

function entries.batch_norm(network, node, inputs)
  -- For one row nn takes the running statistics, in training too.
  if network.has_single_row then
    sdk.unsupported("batch_norm with a training batch of one row")
  end
  local make = #node.output_shape == 3 and nn.SpatialBatchNormalization or nn.BatchNormalization
  local module = make(node.output_shape[1], node.attributes.epsilon, node.attributes.momentum)
  network:own(node, {module})
  return network:add(module, inputs[1])
end

function entries.dropout(network, node, inputs)
  return network:add(nn.Dropout(node.attributes.rate), inputs[1])
end

function entries.flatten(network, node, inputs)
  return network:add(nn.View(-1, node.output_shape[1]), inputs[1])
end

-- nn divides alpha by the number of channels in the sum.
function entries.lrn(network, node, inputs)
  local a = node.attributes
  if a.size == 1 then
    sdk.unsupported("lrn over one channel")
  end
  return network:add(nn.SpatialCrossMapLRN(a.size, a.alpha * a.size, a.beta, a.k), inputs[1])
end

return sdk.Table.new("op", entries)
