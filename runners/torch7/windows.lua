-- Convolutions and poolings: which of the graph's windows nn makes itself, and the pads before the others.
local sdk = require("dlbench_runner")
require("nn")

local entries = {}

local function is_symmetric(pads)
  return pads[1] == pads[3] and pads[2] == pads[4]
end

-- Channels of one group. nn has no groups: the way of Torch7's AlexNets is a convolution for each.
local function convolution(node, inputs, outputs, pads)
  local a, module = node.attributes, nil
  if a.dilation[1] == 1 and a.dilation[2] == 1 then
    module = nn.SpatialConvolution(inputs, outputs, a.kernel[2], a.kernel[1], a.stride[2], a.stride[1], pads[2], pads[1])
  else
    module = nn.SpatialDilatedConvolution(inputs, outputs, a.kernel[2], a.kernel[1], a.stride[2], a.stride[1], pads[2],
                                          pads[1], a.dilation[2], a.dilation[1])
  end
  return a.bias and module or module:noBias()
end

local function grouped_convolution(node, inputs, outputs, pads)
  local groups = node.attributes.groups
  local all, members = nn.Concat(2), {}
  for i = 1, groups do
    members[i] = convolution(node, inputs, outputs / groups, pads)
    all:add(nn.Sequential():add(nn.Narrow(2, (i - 1) * inputs + 1, inputs)):add(members[i]))
  end
  return all, members
end

function entries.conv2d(network, node, inputs)
  local a, weight = node.attributes, node.parameters[1].shape
  local pads, modules = a.pads, {}
  if not is_symmetric(pads) then
    modules[1] = nn.SpatialZeroPadding(pads[2], pads[4], pads[1], pads[3])
    pads = {0, 0}
  end
  local module, members
  if a.groups == 1 then
    module = convolution(node, weight[2], weight[1], pads)
    members = {module}
  else
    module, members = grouped_convolution(node, weight[2], weight[1], pads)
  end
  modules[#modules + 1] = module
  network:own(node, members)
  return network:add_all(modules, inputs[1])
end

-- Rows or columns at the end that no window reads.
local function unread(node, picture, axis)
  local a = node.attributes
  return (picture[axis + 1] - a.kernel[axis]) % a.stride[axis]
end

function entries.conv_table(network, node, inputs)
  local a, weight = node.attributes, node.parameters[1].shape
  local picture = network:shape_of(node.inputs[1])
  local connections = torch.Tensor(#a.table, 2)
  for i, channel in ipairs(a.table) do
    connections[i][1] = channel + 1
    connections[i][2] = math.floor((i - 1) / weight[2]) + 1
  end
  local module = nn.SpatialConvolutionMap(connections, a.kernel[2], a.kernel[1], a.stride[2], a.stride[1])
  -- It takes the largest channel in the table, and so would misread pictures whose last channels nobody reads.
  module.nInputPlane = picture[1]
  network:own(node, {module})
  -- With cells behind the last window its gradient of a kernel is larger than the kernel and writes over the next one.
  local below, right = unread(node, picture, 1), unread(node, picture, 2)
  local crop = (below > 0 or right > 0) and {nn.SpatialZeroPadding(0, -right, 0, -below)} or {}
  return network:add(module, network:add_all(crop, inputs[1]))
end

-- Number of windows that nn's pooling makes on one axis. `is_padded`: a pad on any axis.
local function window_count(extent, kernel, stride, pad, is_ceil, is_padded)
  local count = (is_ceil and math.ceil or math.floor)((extent + 2 * pad - kernel) / stride) + 1
  return is_padded and (count - 1) * stride >= extent + pad and count - 1 or count
end

-- Puts the pooling in the mode that makes the graph's windows on this picture; nil where neither does, or pads are too wide.
local function in_mode(pool, node, picture, pads)
  local a, is_padded = node.attributes, pads[1] > 0 or pads[2] > 0
  for _, is_ceil in ipairs({false, true}) do
    local fits = true
    for axis = 1, 2 do
      fits = fits and pads[axis] * 2 <= a.kernel[axis] and node.output_shape[axis + 1] ==
             window_count(picture[axis + 1], a.kernel[axis], a.stride[axis], pads[axis], is_ceil, is_padded)
    end
    if fits then
      return is_ceil and pool:ceil() or pool
    end
  end
end

local function pooling(make, node, pads)
  local a = node.attributes
  return make(a.kernel[2], a.kernel[1], a.stride[2], a.stride[1], pads[2], pads[1])
end

-- What is needed around the picture so that windows rounded down are exactly the graph's: nn.Padding with -infinity.
local function covering_pads(node, picture)
  local a, modules = node.attributes, {}
  for axis = 1, 2 do
    local covered = (node.output_shape[axis + 1] - 1) * a.stride[axis] + a.kernel[axis]
    local behind = math.max(0, covered - picture[axis + 1] - a.pads[axis])
    for _, pad in ipairs({-a.pads[axis], behind}) do
      if pad ~= 0 then
        modules[#modules + 1] = nn.Padding(axis + 1, pad, 3, -math.huge)
      end
    end
  end
  return modules
end

-- Pads behind the picture never win, so only the leading ones and the number of windows count.
function entries.max_pool(network, node, inputs)
  local picture, pads = network:shape_of(node.inputs[1]), node.attributes.pads
  local pool = in_mode(pooling(nn.SpatialMaxPooling, node, pads), node, picture, pads)
  if pool then
    return network:add(pool, inputs[1])
  end
  local modules = covering_pads(node, picture)
  modules[#modules + 1] = pooling(nn.SpatialMaxPooling, node, {0, 0})
  return network:add_all(modules, inputs[1])
end

-- nn's divisor is the graph's. Where pads count and differ, they are made before it; a divisor without pads needs none behind.
function entries.avg_pool(network, node, inputs)
  local picture, a = network:shape_of(node.inputs[1]), node.attributes
  local pads, modules = a.pads, {}
  if a.count_include_pad and not (is_symmetric(pads) and in_mode(pooling(nn.SpatialAveragePooling, node, pads), node,
                                                                 picture, pads)) then
    modules[1] = nn.SpatialZeroPadding(pads[2], pads[4], pads[1], pads[3])
    picture = {picture[1], picture[2] + pads[1] + pads[3], picture[3] + pads[2] + pads[4]}
    pads = {0, 0}
  end
  local pool = in_mode(pooling(nn.SpatialAveragePooling, node, pads), node, picture, pads)
  if not pool then
    sdk.unsupported("avg_pool with these pads")
  end
  modules[#modules + 1] = a.count_include_pad and pool or pool:setCountExcludePad()
  return network:add_all(modules, inputs[1])
end

function entries.global_avg_pool(network, node, inputs)
  local picture = network:shape_of(node.inputs[1])
  return network:add(nn.SpatialAveragePooling(picture[3], picture[2], 1, 1), inputs[1])
end

return entries
