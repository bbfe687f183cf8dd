-- lstm as Torch7's programs write it, since nn has none: a cell of nn's modules for each position, with shared weights.
require("nn")

-- Zeros with a row for each sample.
local function zeros(network, hidden, products)
  return network:add_all({nn.Narrow(2, 1, hidden), nn.MulConstant(0)}, products)
end

local function cell(network, hidden, products, h, c, recurrent)
  local sums = network:add(nn.CAddTable(), products, network:add(recurrent, h))
  -- i, f, g, o
  local gates = network:split(nn.SplitTable(2), 4, network:add(nn.View(-1, 4, hidden), sums))
  local i, f, o = network:add(nn.Sigmoid(), gates[1]), network:add(nn.Sigmoid(), gates[2]),
                  network:add(nn.Sigmoid(), gates[4])
  local g = network:add(nn.Tanh(), gates[3])
  c = network:add(nn.CAddTable(), network:add(nn.CMulTable(), f, c), network:add(nn.CMulTable(), i, g))
  return network:add(nn.CMulTable(), o, network:add(nn.Tanh(), c)), c
end

-- The products of all positions with the inputs at once, then cell by cell.
local function lstm(network, node, inputs)
  local hidden, positions = node.attributes.hidden, network:shape_of(node.inputs[1])[1]
  local first = nn.Linear(node.parameters[1].shape[2], 4 * hidden)
  local recurrent = nn.Linear(hidden, 4 * hidden, false)
  network:own(node, {first}, {recurrent})
  local products = network:split(nn.SplitTable(2), positions, network:add(nn.Bottle(first), inputs[1]))
  local h = zeros(network, hidden, products[1])
  local c, every = h, {}
  for t = 1, positions do
    local shared = t == 1 and recurrent or nn.Linear(hidden, 4 * hidden, false):share(recurrent, "weight", "gradWeight")
    h, c = cell(network, hidden, products[t], h, c, shared)
    every[t] = h
  end
  if node.attributes.last_only then
    return h
  end
  return network:add(nn.View(-1, positions, hidden), network:add(nn.JoinTable(2), unpack(every)))
end

return {lstm = lstm}
