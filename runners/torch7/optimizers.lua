-- The optimizer table: what the package optim has, as state for its functions. Each gets the closure that evaluates a step;
-- clipping and, but for optim.sgd, decay that spares some parameters go into it, as in Torch7's own examples.
local sdk = require("dlbench_runner")
require("optim")

local clips = {}

function clips.element(gradients, limit)
  gradients:clamp(-limit, limit)
end

function clips.global_norm(gradients, limit)
  local norm = gradients:norm()
  if norm > limit then
    gradients:mul(limit / norm)
  end
end

-- Subclasses have `update`, the function of optim, and `prepare`, which puts the rate and what depends on it into the state;
-- `takes_decays`: it takes a vector of decays itself.
local Optimizer = {}
Optimizer.__index = Optimizer

-- `decays` says for each element of the flat parameter vector whether it decays; nil: all do.
function Optimizer:new(recipe, decays)
  local wanted = recipe.optimizer
  local made = setmetatable({wanted = wanted, decay = wanted.weight_decay, scale = 1}, self)
  made.decays = decays and made.decay ~= 0 and decays:mul(made.decay) or nil
  made.clip, made.limit = recipe.clip and clips[recipe.clip.by], recipe.clip and recipe.clip.limit
  made:require_known()
  made:reset()
  return made
end

function Optimizer:require_known() end

-- What optim's function is given as its state before the first step.
function Optimizer:first_state()
  return {}
end

function Optimizer:reset()
  self.state = self:first_state()
  self.state.weightDecay = not self.decays and self.decay * self.scale or nil
end

function Optimizer:prepare(rate)
  self.state.learningRate = rate
end

-- The closure with all that comes between the gradients and optim's formula; `decays`: what it must add itself.
function Optimizer:with_changes(evaluate, decays)
  return function(parameters)
    local loss, gradients = evaluate()
    if self.clip then
      self.clip(gradients, self.limit)
    end
    if decays then
      gradients:addcmul(decays, parameters)
    end
    if self.scale ~= 1 then
      gradients:mul(self.scale)
    end
    return loss, gradients
  end
end

-- Called once: what a step evaluates.
function Optimizer:bind(evaluate)
  local decays = not self.takes_decays and self.decays or nil
  local is_plain = not self.clip and not decays and self.scale == 1
  self.evaluate = is_plain and evaluate or self:with_changes(evaluate, decays)
end

function Optimizer:step(parameters, rate)
  self:prepare(rate)
  self.update(self.evaluate, parameters, self.state)
end

local function subclass(update)
  local class = setmetatable({update = update}, {__index = Optimizer})
  class.__index = class
  return class
end

-- optim.sgd: v <- momentum * v + (g + decay * w); w <- w - rate * v, with dampening 0.
local Sgd = subclass(optim.sgd)
Sgd.takes_decays = true

function Sgd:require_known()
  self.is_inside = self.wanted.form == "rate_inside" and self.wanted.momentum ~= 0
  if self.is_inside and self.wanted.nesterov then
    sdk.unsupported("sgd with nesterov in the form rate_inside")  -- it would look ahead by the scaled momentum
  end
end

function Sgd:first_state()
  local momentum = self.wanted.momentum
  return {dampening = 0, momentum = momentum, nesterov = self.wanted.nesterov and momentum ~= 0,
          weightDecays = self.decays}
end

-- With V = rate * v the form rate_inside, V <- momentum * V + rate * (g + decay * w), w <- w - V, is this optimizer with
-- the momentum scaled by the change of the rate: exactly equal, not an approximation.
function Sgd:prepare(rate)
  local state = self.state
  if self.is_inside and state.learningRate then
    if rate == 0 then
      sdk.unsupported("rate 0 with momentum in the form rate_inside")
    end
    state.momentum = self.wanted.momentum * state.learningRate / rate
  end
  state.learningRate = rate
end

-- optim.adam adds epsilon to the uncorrected root.
local Adam = subclass(optim.adam)

function Adam:first_state()
  return {beta1 = self.wanted.beta1, beta2 = self.wanted.beta2}
end

function Adam:prepare(rate)
  local state = self.state
  state.learningRate = rate
  state.epsilon = self.wanted.epsilon * math.sqrt(1 - self.wanted.beta2 ^ ((state.t or 0) + 1))
end

-- optim.adadelta has no rate: it takes the whole step, of which the rest is given back.
local Adadelta = subclass(optim.adadelta)

function Adadelta:first_state()
  return {rho = self.wanted.rho, eps = self.wanted.epsilon}
end

function Adadelta:step(parameters, rate)
  self.update(self.evaluate, parameters, self.state)
  if rate ~= 1 then
    parameters:add(1 - rate, self.state.delta)
  end
end

-- optim.adagrad's epsilon is 1e-10. k g / (sqrt(sum of (k g)^2) + 1e-10) = g / (sqrt(sum of g^2) + 1e-10 / k), so gradients
-- are scaled where another one is wanted.
local OWN_EPSILON = 1e-10
local Adagrad = subclass(optim.adagrad)

function Adagrad:require_known()
  self.scale = OWN_EPSILON / self.wanted.epsilon
  self.is_filled = self.wanted.initial_accumulator ~= 0
end

function Adagrad:step(parameters, rate)
  local state = self.state
  if self.is_filled and not state.paramVariance then
    state.paramVariance = parameters:clone():fill(self.wanted.initial_accumulator * self.scale ^ 2)
    state.paramStd = parameters:clone()
  end
  Optimizer.step(self, parameters, rate)
end

local Rmsprop = subclass(optim.rmsprop)

function Rmsprop:require_known()
  local wanted = self.wanted
  if wanted.epsilon_place ~= "outside" then
    sdk.unsupported("rmsprop with epsilon inside the root")
  elseif wanted.centered then
    sdk.unsupported("rmsprop with centered")
  elseif wanted.momentum ~= 0 then
    sdk.unsupported("rmsprop with momentum")
  end
end

function Rmsprop:first_state()
  return {alpha = self.wanted.rho, epsilon = self.wanted.epsilon, initialMean = self.wanted.initial_accumulator}
end

local classes = {adadelta = Adadelta, adagrad = Adagrad, adam = Adam, rmsprop = Rmsprop, sgd = Sgd}
local entries = {}
for name, class in pairs(classes) do
  entries[name] = function(recipe, decays)
    return class:new(recipe, decays)
  end
end

local optimizers = sdk.Table.new("optimizer", entries)

-- What the description says: the table's names and what every one of them can do besides.
local function described()
  local names = optimizers:names()
  for _, name in ipairs({"nesterov", "clip=element", "clip=global_norm"}) do
    names[#names + 1] = name
  end
  return names
end

return {at = function(name) return optimizers:at(name) end, described = described}
