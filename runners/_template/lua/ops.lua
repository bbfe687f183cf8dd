-- The op table and the optimizer table: what this runner has. A missing name is refused as UNSUPPORTED by the SDK.
local sdk = require("dlbench_runner")

-- y = x Wᵀ + b. This runner keeps W as [in, out], so that the innermost loop walks along memory; the layout says so.
local Dense = {}
Dense.__index = Dense

function Dense:forward(rows, source, target)
  local x, y, w = source.values, target.values, self.weight.values
  local inputs, outputs, sums = source.width, target.width, self.sums
  for r = 0, rows - 1 do
    for o = 0, outputs - 1 do
      sums[o + 1] = self.bias and self.bias.values[o] or 0
    end
    for i = 0, inputs - 1 do
      local value, row = x[r * inputs + i], i * outputs
      for o = 0, outputs - 1 do
        sums[o + 1] = sums[o + 1] + value * w[row + o]
      end
    end
    for o = 0, outputs - 1 do
      y[r * outputs + o] = sums[o + 1]
    end
  end
end

function Dense:backward(rows, source, target)
  local x, dx, dy = source.values, source.gradient, target.gradient
  local w, dw = self.weight.values, self.weight.gradient
  local inputs, outputs = source.width, target.width
  for r = 0, rows - 1 do
    for i = 0, inputs - 1 do
      local value, row, sum = x[r * inputs + i], i * outputs, 0
      for o = 0, outputs - 1 do
        local g = dy[r * outputs + o]
        dw[row + o] = dw[row + o] + value * g
        sum = sum + g * w[row + o]
      end
      dx[r * inputs + i] = dx[r * inputs + i] + sum
    end
    if self.bias then
      for o = 0, outputs - 1 do
        self.bias.gradient[o] = self.bias.gradient[o] + dy[r * outputs + o]
      end
    end
  end
end

local Relu = {}
Relu.__index = Relu

function Relu:forward(rows, source, target)
  for i = 0, rows * source.width - 1 do
    target.values[i] = source.values[i] > 0 and source.values[i] or 0
  end
end

function Relu:backward(rows, source, target)
  for i = 0, rows * source.width - 1 do
    if source.values[i] > 0 then
      source.gradient[i] = source.gradient[i] + target.gradient[i]
    end
  end
end

local entries = {}

function entries.dense(network, node, inputs)
  local weight, bias = node.parameters[1], node.parameters[2]
  local layer = {sums = {}, weight = network:add_weights(weight, sdk.Layout.new(weight.shape):transpose())}
  if node.attributes.bias then
    layer.bias = network:add_weights(bias, sdk.Layout.new(bias.shape))
  end
  return network:add(setmetatable(layer, Dense), inputs[1], node.attributes.out_features)
end

function entries.relu(network, node, inputs)
  return network:add(setmetatable({}, Relu), inputs[1], network.places[inputs[1]].width)
end

-- Rows are stored flat anyway and in canonical order, so there is nothing to compute.
function entries.flatten(network, node, inputs)
  return inputs[1]
end

-- The session computes the loss from the logits.
function entries.softmax_cross_entropy(network, node, inputs)
  return inputs[1]
end

-- Where the rate stands decides what happens to old velocity when the rate changes; see docs/gate.md.
local function sgd(weights, optimizer, rate)
  local decays = sdk.decays(weights.parameter, optimizer)
  local decay = decays and optimizer.weight_decay or 0
  local momentum, inside = optimizer.momentum, optimizer.form == "rate_inside"
  local w, g, v = weights.values, weights.gradient, weights.velocity
  for i = 0, weights.count - 1 do
    local gradient = g[i] + decay * w[i]
    v[i] = momentum * v[i] + (inside and rate * gradient or gradient)
    w[i] = w[i] - (inside and v[i] or rate * v[i])
  end
end

return {
  ops = sdk.Table.new("op", entries),
  optimizers = sdk.Table.new("optimizer", {sgd = sgd}),
}
