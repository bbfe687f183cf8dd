-- From the neutral graph to a framework: a table {op name -> function} and one walk. A missing entry is UNSUPPORTED.
local session = require("dlbench_runner.session")

local Table = {}
Table.__index = Table

-- `kind` is the word in the refusal ("op", "optimizer").
function Table.new(kind, entries)
  return setmetatable({kind = kind, entries = entries}, Table)
end

function Table:at(name)
  local entry = self.entries[name]
  if entry == nil then
    session.unsupported(self.kind .. " " .. name)
  end
  return entry
end

function Table:names()
  local names = {}
  for name in pairs(self.entries) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- Calls the entry(context, node, inputs) of each node in execution order; returns the values of logits and loss. Every
-- op is looked up before the first one is built, so an unsupported graph leaves nothing half-made.
local function lower(graph, ops, context, input)
  for _, node in ipairs(graph.nodes) do
    ops:at(node.op)
  end
  local values = {input = input}
  for _, node in ipairs(graph.nodes) do
    local inputs = {}
    for i, name in ipairs(node.inputs) do
      inputs[i] = values[name]
    end
    values[node.name] = ops:at(node.op)(context, node, inputs)
  end
  local loss = graph.nodes[#graph.nodes]
  return values[loss.inputs[1]], values[loss.name]
end

return {Table = Table, lower = lower}
