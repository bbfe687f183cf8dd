-- A parameter's layout inside a framework, declared once; both directions of the copy derive from the declaration.
--   conv OIHW -> HWIO:                 Layout.new(shape):permute({3, 4, 2, 1})
--   dense [out, in] -> [in, out] behind a channels-last flatten:
--                                      Layout.new(shape):channels_last(2, {50, 4, 4}):transpose()
-- Axes count from 1, as everywhere in Lua, in the framework's current order.
local Layout = {}
Layout.__index = Layout

local function make(axes, offset, count)
  return setmetatable({axes = axes, offset = offset, count = count}, Layout)
end

-- The identity. Each verb returns the layout with one more change; all of them are strided views of the canonical
-- tensor, kept as pieces {extent, stride in elements} per framework axis.
function Layout.new(shape)
  local axes, stride = {}, 1
  for i = #shape, 1, -1 do
    axes[i] = {{shape[i], stride}}
    stride = stride * shape[i]
  end
  return make(axes, 0, stride)
end

-- Framework axis i is the present axis order[i].
function Layout:permute(order)
  assert(#order == #self.axes, "a permutation names every axis once")
  local axes, seen = {}, {}
  for i, axis in ipairs(order) do
    assert(self.axes[axis] and not seen[axis], "a permutation names every axis once")
    seen[axis] = true
    axes[i] = self.axes[axis]
  end
  return make(axes, self.offset, self.count)
end

-- Swaps the axes of a matrix.
function Layout:transpose()
  assert(#self.axes == 2, "only a matrix has a transpose")
  return self:permute({2, 1})
end

local function copy(list)
  local result = {}
  for i, value in ipairs(list) do
    result[i] = value
  end
  return result
end

-- Reverses the order along each axis (kernels of frameworks that convolve truly).
function Layout:flip(flipped)
  local axes, offset = copy(self.axes), self.offset
  for _, axis in ipairs(flipped) do
    local pieces = {}
    for i, piece in ipairs(axes[axis]) do
      offset = offset + (piece[1] - 1) * piece[2]
      pieces[i] = {piece[1], -piece[2]}
    end
    axes[axis] = pieces
  end
  return make(axes, offset, self.count)
end

-- `axis` counts (channel, row, column) canonically and (row, column, channel) in the framework, because the framework
-- flattened a channels-last picture {channels, height, width}.
function Layout:channels_last(axis, picture)
  local channels, height, width = picture[1], picture[2], picture[3]
  local pieces = self.axes[axis]
  assert(#pieces == 1 and pieces[1][1] == channels * height * width,
         "the picture fills the axis, and an axis is reordered once")
  local stride = pieces[1][2]
  local axes = copy(self.axes)
  axes[axis] = {{height, stride * width}, {width, stride}, {channels, stride * width * height}}
  return make(axes, self.offset, self.count)
end

function Layout:framework_shape()
  local shape = {}
  for i, axis in ipairs(self.axes) do
    shape[i] = 1
    for _, piece in ipairs(axis) do
      shape[i] = shape[i] * piece[1]
    end
  end
  return shape
end

-- Calls move(framework index, canonical index), from 0, like an odometer whose last wheel turns fastest.
local function for_each_element(layout, move)
  local extents, strides, position = {}, {}, {}
  for _, axis in ipairs(layout.axes) do
    for _, piece in ipairs(axis) do
      extents[#extents + 1], strides[#strides + 1], position[#position + 1] = piece[1], piece[2], 0
    end
  end
  local canonical = layout.offset
  for framework = 0, layout.count - 1 do
    move(framework, canonical)
    for wheel = #extents, 1, -1 do
      canonical = canonical + strides[wheel]
      position[wheel] = position[wheel] + 1
      if position[wheel] < extents[wheel] then
        break
      end
      canonical = canonical - extents[wheel] * strides[wheel]
      position[wheel] = 0
    end
  end
end

-- Pointers to self.count floats; they must not overlap.
function Layout:to_framework(canonical, framework)
  for_each_element(self, function(to, from)
    framework[to] = canonical[from]
  end)
end

function Layout:to_canonical(framework, canonical)
  for_each_element(self, function(from, to)
    canonical[to] = framework[from]
  end)
end

-- {channels, height, width} of the picture whose flatten feeds `node`; nil when its input never was a picture.
local function flattened_picture(graph, node)
  local name = node.inputs[1]
  while true do
    local source = graph.by_name[name]
    local shape = source and source.output_shape or graph.input_shape
    if #shape == 3 then
      return shape
    end
    -- Behind an operator that mixes its inputs the order of a flattened picture is gone.
    if source == nil or #source.parameters > 0 then
      return nil
    end
    name = source.inputs[1]
  end
end

return {Layout = Layout, flattened_picture = flattened_picture}
