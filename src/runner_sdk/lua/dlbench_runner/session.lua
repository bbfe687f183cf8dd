-- What a runner implements: one session per load, the same names as in the C++ SDK. A runner sets the metatable of its
-- table to {__index = session.Session} and overrides every function but drain.
--
-- Tensors: {data = float*, shape = {…}, count = elements}, canonical layout, valid during the call only.
-- Batches: {input = const float*, or const int64_t* where the graph has a vocabulary, target = const int64_t*, rows =,
-- slot =}; targets count classes from 0, targets_per_sample of them for each row; the memory stays unchanged until the session has drained.
local session = {}

local function missing(name)
  return function()
    error("the session does not implement " .. name)
  end
end

session.Session = {
  put = missing("put"),          -- put(self, parameter, tensor): takes over; the optimizer state starts anew
  get = missing("get"),          -- get(self, parameter, tensor): drains, then copies out
  step = missing("step"),        -- TIMED step(self, batch, rate): input, forward, loss, backward, update
  loss = missing("loss"),        -- loss(self): mean loss of the last step before its update; drains
  infer = missing("infer"),      -- TIMED infer(self, batch): forward in evaluation mode
  outputs = missing("outputs"),  -- outputs(self, tensor): logits [rows, logits shape…] of the last infer; drains
  effective = missing("effective"),  -- effective(self): {{name =, value =, source =}, …}, must contain threads
  drain = function() end,        -- returns when parameters, optimizer state and loss of the last step are complete
}
session.Session.__index = session.Session

-- Ends the present command with outcome UNSUPPORTED; `what` names what is missing ("op lstm").
function session.unsupported(what)
  error({outcome = "UNSUPPORTED", reason = what}, 0)
end

-- Ends the present command with outcome PROTOCOL.
function session.protocol_error(reason)
  error({outcome = "PROTOCOL", reason = reason}, 0)
end

-- Not trained: a training step itself replaces it.
function session.is_statistic(parameter)
  return parameter.role == "mean" or parameter.role == "variance"
end

local decay_flags = {bias = "decay_bias", scale = "decay_norm", shift = "decay_norm"}

-- Whether the weight decay of the recipe's optimizer applies to the parameter.
function session.decays(parameter, optimizer)
  if parameter.role == "weight" or parameter.role == "recurrent" then
    return true
  end
  local flag = decay_flags[parameter.role]
  return flag ~= nil and optimizer[flag]
end

function session.element_count(shape)
  local count = 1
  for _, extent in ipairs(shape) do
    count = count * extent
  end
  return count
end

return session
