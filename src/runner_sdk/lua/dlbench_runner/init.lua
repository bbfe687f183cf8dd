-- What a Lua runner needs: a session, an op table, an optimizer table and serve. LuaJIT with lua-cjson.
local layout = require("dlbench_runner.layout")
local lower = require("dlbench_runner.lower")
local session = require("dlbench_runner.session")

return {
  Layout = layout.Layout,
  flattened_picture = layout.flattened_picture,
  Table = lower.Table,
  lower = lower.lower,
  Session = session.Session,
  unsupported = session.unsupported,
  element_count = session.element_count,
  is_statistic = session.is_statistic,
  decays = session.decays,
  serve = require("dlbench_runner.serve").serve,
}
