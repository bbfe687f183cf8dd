-- Writing JSON. lua-cjson reads well, but it writes an empty list as {} and at most 14 digits, so replies are written
-- here: values made by json.list, json.object and plain strings, numbers and booleans.
local cjson = require("cjson")

local json = {null = cjson.null}

-- A list stays a list when it is empty.
function json.list(values)
  return {kind = "list", values = values}
end

-- pairs: {{key, value}, …}, written in this order.
function json.object(pairs_)
  return {kind = "object", values = pairs_}
end

-- Text that is JSON already.
function json.raw(text)
  return {kind = "raw", text = text}
end

local function number(value)
  if value ~= value or value == math.huge or value == -math.huge then
    return "null"
  end
  if value == math.floor(value) and math.abs(value) < 2 ^ 53 then
    return string.format("%.0f", value)
  end
  return string.format("%.17g", value)
end

function json.encode(value)
  local kind = type(value)
  if kind == "number" then
    return number(value)
  elseif kind == "boolean" then
    return tostring(value)
  elseif kind == "string" then
    return cjson.encode(value)
  elseif value == cjson.null then
    return "null"
  elseif value.kind == "raw" then
    return value.text
  end
  local parts = {}
  for i, entry in ipairs(value.values) do
    if value.kind == "list" then
      parts[i] = json.encode(entry)
    else
      parts[i] = cjson.encode(entry[1]) .. ":" .. json.encode(entry[2])
    end
  end
  local text = table.concat(parts, ",")
  return value.kind == "list" and "[" .. text .. "]" or "{" .. text .. "}"
end

-- A list of strings or numbers in one go.
function json.encode_list(values)
  return json.encode(json.list(values))
end

-- nil and a reason when the text is not JSON.
function json.decode(text)
  local ok, value = pcall(cjson.decode, text)
  if not ok then
    return nil, tostring(value)
  end
  return value
end

return json
