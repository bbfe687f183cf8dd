-- Losses: load(targets) counts them as nn does, forward and backward are those of a criterion of nn.
require("nn")

local SoftmaxCrossEntropy = {}
SoftmaxCrossEntropy.__index = SoftmaxCrossEntropy

function SoftmaxCrossEntropy.new(graph)
  return setmetatable({criterion = nn.CrossEntropyCriterion(), labels = torch.LongTensor(), classes = graph.class_count,
                       has_positions = graph.targets_per_sample ~= 1}, SoftmaxCrossEntropy)
end

-- Torch7 counts classes from 1.
function SoftmaxCrossEntropy:load(targets)
  self.labels:add(targets, 1)
end

-- The criterion takes a matrix: positions are rows of their own.
function SoftmaxCrossEntropy:rows(logits)
  return self.has_positions and logits:view(-1, self.classes) or logits
end

function SoftmaxCrossEntropy:forward(logits)
  return self.criterion:forward(self:rows(logits), self.labels)
end

function SoftmaxCrossEntropy:backward(logits)
  local gradient = self.criterion:backward(self:rows(logits), self.labels)
  return self.has_positions and gradient:viewAs(logits) or gradient
end

-- nn.SoftMarginCriterion is ln(1 + exp(-x y)) for y of 1 and -1, so the logit needs no nn.Sigmoid.
local BinaryCrossEntropy = {}
BinaryCrossEntropy.__index = BinaryCrossEntropy

function BinaryCrossEntropy.new()
  return setmetatable({criterion = nn.SoftMarginCriterion(), signs = torch.FloatTensor()}, BinaryCrossEntropy)
end

function BinaryCrossEntropy:load(targets)
  self.signs:resize(targets:size()):copy(targets):mul(2):add(-1)
end

function BinaryCrossEntropy:forward(logits)
  return self.criterion:forward(logits, self.signs)
end

function BinaryCrossEntropy:backward(logits)
  return self.criterion:backward(logits, self.signs)
end

return {softmax_cross_entropy = SoftmaxCrossEntropy.new, binary_cross_entropy = BinaryCrossEntropy.new}
