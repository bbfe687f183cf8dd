-- The "framework" of this template: layers in order, in plain Lua on C arrays. In a real runner this is the framework.
local ffi = require("ffi")

local Network = {}
Network.__index = Network

-- Place 1 is the input: `width` numbers per row and the gradient of the loss with respect to them.
function Network.new(input_width, rows)
  local network = setmetatable({rows = rows, places = {}, layers = {}, weights = {}, order = {}}, Network)
  network:add_place(input_width)
  return network
end

function Network:add_place(width)
  local count = self.rows * width
  self.places[#self.places + 1] = {width = width, count = count, values = ffi.new("float[?]", count),
                                   gradient = ffi.new("float[?]", count)}
  return #self.places
end

-- Adds a layer that reads place `source`; returns the place it writes.
function Network:add(layer, source, width)
  local target = self:add_place(width)
  self.layers[#self.layers + 1] = {layer = layer, source = source, target = target}
  return target
end

-- A parameter as this runner keeps it: in its own layout.
function Network:add_weights(parameter, layout)
  local count = layout.count
  local weights = {parameter = parameter, layout = layout, count = count, values = ffi.new("float[?]", count),
                   gradient = ffi.new("float[?]", count), velocity = ffi.new("float[?]", count)}
  self.weights[parameter.name] = weights
  self.order[#self.order + 1] = weights
  return weights
end

function Network:forward(input, rows)
  ffi.copy(self.places[1].values, input, rows * self.places[1].width * 4)
  for _, step in ipairs(self.layers) do
    step.layer:forward(rows, self.places[step.source], self.places[step.target])
  end
end

-- Starts from the gradient that the caller left in place `from`; layers add to the gradient of what they read.
function Network:backward(from, rows)
  for i, place in ipairs(self.places) do
    if i ~= from then
      ffi.fill(place.gradient, place.count * 4)
    end
  end
  for _, weights in ipairs(self.order) do
    ffi.fill(weights.gradient, weights.count * 4)
  end
  for i = #self.layers, 1, -1 do
    local step = self.layers[i]
    step.layer:backward(rows, self.places[step.source], self.places[step.target])
  end
end

return Network
