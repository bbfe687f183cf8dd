-- The optimizer table: what the package optim has, as state for its functions.
local sdk = require("dlbench_runner")
require("optim")

-- optim.sgd: v <- momentum * v + (g + decay * w); w <- w - rate * v, with dampening 0. `decays` says for each element of
-- the flat parameter vector whether it decays; nil: all do.
local Sgd = {}
Sgd.__index = Sgd

function Sgd.new(optimizer, decays)
  local self = setmetatable({momentum = optimizer.momentum, is_inside = optimizer.form == "rate_inside", fixed = {}}, Sgd)
  if decays then
    self.fixed.weightDecays = decays:mul(optimizer.weight_decay)
  else
    self.fixed.weightDecay = optimizer.weight_decay
  end
  self:reset()
  return self
end

function Sgd:reset()
  self.state = {dampening = 0, momentum = self.momentum, weightDecay = self.fixed.weightDecay,
                weightDecays = self.fixed.weightDecays}
end

-- With V = rate * v the form rate_inside, V <- momentum * V + rate * (g + decay * w), w <- w - V, is this optimizer with
-- the momentum scaled by the change of the rate: exactly equal, not an approximation.
function Sgd:step(evaluate, parameters, rate)
  local state = self.state
  if self.is_inside and self.momentum ~= 0 and state.learningRate then
    if rate == 0 then
      sdk.unsupported("rate 0 with momentum in the form rate_inside")
    end
    state.momentum = self.momentum * state.learningRate / rate
  end
  state.learningRate = rate
  optim.sgd(evaluate, parameters, state)
end

return sdk.Table.new("optimizer", {sgd = Sgd.new})
