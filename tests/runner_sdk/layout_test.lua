-- The Lua SDK's layouts against the same hand-worked tensors as the C++ and Python SDKs; arg[1] is the case file.
local cjson = require("cjson")
local ffi = require("ffi")
local layouts = require("dlbench_runner.layout")
local json = require("dlbench_runner.json")

local file = assert(io.open(arg[1]))
local cases = cjson.decode(file:read("*a"))
file:close()

local function plus_one(axes)
  local result = {}
  for i, axis in ipairs(axes) do
    result[i] = axis + 1
  end
  return result
end

local function layout_of(case)
  local layout = layouts.Layout.new(case.shape)
  for _, step in ipairs(case.steps) do
    if step.verb == "channels_last" then
      layout = layout:channels_last(step.axis + 1, step.picture)
    elseif step.axes then
      layout = layout[step.verb](layout, plus_one(step.axes))
    else
      layout = layout[step.verb](layout)
    end
  end
  return layout
end

local function expect_equal(actual, expected, what)
  assert(#actual == #expected, what .. ": length")
  for i, value in ipairs(expected) do
    assert(actual[i] == value, string.format("%s: element %d is %s, must be %s", what, i, tostring(actual[i]), value))
  end
end

local function values_of(pointer, count)
  local values = {}
  for i = 1, count do
    values[i] = pointer[i - 1]
  end
  return values
end

for _, case in ipairs(cases.cases) do
  local layout, count = layout_of(case), #case.framework_values
  local canonical, framework, back = ffi.new("float[?]", count), ffi.new("float[?]", count), ffi.new("float[?]", count)
  for i = 0, count - 1 do
    canonical[i], back[i] = i, -1
  end
  layout:to_framework(canonical, framework)
  expect_equal(values_of(framework, count), case.framework_values, case.name)
  expect_equal(layout:framework_shape(), case.framework_shape, case.name .. ", shape")
  layout:to_canonical(framework, back)
  expect_equal(values_of(back, count), values_of(canonical, count), case.name .. ", back")
end

local matrix = layouts.Layout.new({2, 12})
for name, broken in pairs({
  short = function() matrix:permute({1}) end,
  twice = function() matrix:permute({1, 1}) end,
  rank = function() layouts.Layout.new({2, 2, 2}):transpose() end,
  extent = function() matrix:channels_last(2, {2, 2, 2}) end,
}) do
  assert(not pcall(broken), name .. " must be refused")
end

local graph = cases.pictures.graph
graph.by_name = {}
for _, node in ipairs(graph.nodes) do
  graph.by_name[node.name] = node
end
expect_equal(layouts.flattened_picture(graph, graph.by_name.first), cases.pictures.first, "picture")
assert(layouts.flattened_picture(graph, graph.by_name.second) == nil, "a dense layer in between hides the picture")

-- What lua-cjson would spoil: empty lists, all digits of a number, numbers that JSON does not know.
assert(json.encode(json.list({})) == "[]")
assert(json.encode(json.object({{"a\n", 0.1}, {"b", true}})) == '{"a\\n":0.10000000000000001,"b":true}')
assert(json.encode(0 / 0) == "null" and json.encode(1e300 * 1e300) == "null")
assert(json.encode(9007199254740991) == "9007199254740991")
print("ok")
