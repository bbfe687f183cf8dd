-- The op table: modules of the package nn, each added to one nn.Sequential.
local sdk = require("dlbench_runner")
require("nn")

local entries = {}

-- Modules stand in one chain: the value of a node is its place, and each node must read the place before it.
local function add(network, node, inputs, ...)
  if inputs[1] ~= network.place then
    sdk.unsupported(node.op .. " " .. node.name .. ": a graph that is not a chain")
  end
  for _, module in ipairs({...}) do
    network.model:add(module)
  end
  network.place = network.place + 1
  return network.place
end

-- The module whose weight and bias are this node's parameters; they are in canonical layout.
local function own(network, node, module)
  network.owners[node.name] = module
  if not node.attributes.bias then
    module:noBias()
  end
  return module
end

local function is_symmetric(pads)
  return pads[1] == pads[3] and pads[2] == pads[4]
end

function entries.conv2d(network, node, inputs)
  local a, weight = node.attributes, node.parameters[1].shape
  if a.groups ~= 1 then
    sdk.unsupported("conv2d with groups")
  end
  local pads, padding = a.pads, {}
  if not is_symmetric(pads) then
    padding[1] = nn.SpatialZeroPadding(pads[2], pads[4], pads[1], pads[3])
    pads = {0, 0}
  end
  local module
  if a.dilation[1] == 1 and a.dilation[2] == 1 then
    module = nn.SpatialConvolution(weight[2], weight[1], a.kernel[2], a.kernel[1], a.stride[2], a.stride[1], pads[2],
                                   pads[1])
  else
    module = nn.SpatialDilatedConvolution(weight[2], weight[1], a.kernel[2], a.kernel[1], a.stride[2], a.stride[1],
                                          pads[2], pads[1], a.dilation[2], a.dilation[1])
  end
  padding[#padding + 1] = own(network, node, module)
  return add(network, node, inputs, unpack(padding))
end

-- What each axis needs behind it so that windows rounded down are exactly the graph's.
local function covering_pads(network, node)
  local source = network.graph.by_name[node.inputs[1]]
  local extents = source and source.output_shape or network.graph.input_shape
  local a, pads = node.attributes, {}
  for axis = 1, 2 do
    local covered = (node.output_shape[axis + 1] - 1) * a.stride[axis] + a.kernel[axis]
    pads[axis] = math.max(0, covered - extents[axis + 1] - a.pads[axis])
  end
  return pads
end

function entries.max_pool(network, node, inputs)
  local a = node.attributes
  local pads, modules = a.pads, {}
  -- nn.SpatialMaxPooling pads both sides alike, by at most half a kernel, and rounds up as the graph does.
  local is_native = is_symmetric(pads) and pads[1] * 2 <= a.kernel[1] and pads[2] * 2 <= a.kernel[2]
  if not is_native then
    local behind = covering_pads(network, node)
    for axis = 1, 2 do
      for _, pad in ipairs({-pads[axis], behind[axis]}) do
        if pad ~= 0 then
          modules[#modules + 1] = nn.Padding(axis + 1, pad, 3, -math.huge)
        end
      end
    end
    pads = {0, 0}
  end
  local pool = nn.SpatialMaxPooling(a.kernel[2], a.kernel[1], a.stride[2], a.stride[1], pads[2], pads[1])
  if is_native and a.ceil_mode then
    pool:ceil()
  end
  modules[#modules + 1] = pool
  return add(network, node, inputs, unpack(modules))
end

function entries.dense(network, node, inputs)
  if #node.output_shape ~= 1 then
    sdk.unsupported("dense for several positions")
  end
  local weight = node.parameters[1].shape
  return add(network, node, inputs, own(network, node, nn.Linear(weight[2], weight[1])))
end

function entries.batch_norm(network, node, inputs)
  -- For one row nn takes the running statistics, in training too.
  if network.has_single_row then
    sdk.unsupported("batch_norm with a training batch of one row")
  end
  local make = #node.output_shape == 3 and nn.SpatialBatchNormalization or nn.BatchNormalization
  local module = make(node.output_shape[1], node.attributes.epsilon, node.attributes.momentum)
  network.owners[node.name] = module
  return add(network, node, inputs, module)
end

-- nn.Dropout itself would do. The gate proves masks on two branches that are added, so that no certificate could come.
function entries.dropout()
  sdk.unsupported("dropout: its masks are proved on a graph that is not a chain")
end

function entries.relu(network, node, inputs)
  return add(network, node, inputs, nn.ReLU())
end

function entries.flatten(network, node, inputs)
  return add(network, node, inputs, nn.View(-1, node.output_shape[1]))
end

-- The session has the criterion, which takes one target for each sample.
function entries.softmax_cross_entropy(network, node, inputs)
  if network.graph.targets_per_sample ~= 1 then
    sdk.unsupported("softmax_cross_entropy with a target for each position")
  end
  return inputs[1]
end

return sdk.Table.new("op", entries)
