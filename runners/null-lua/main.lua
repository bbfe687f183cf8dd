-- A runner without a framework: it accepts every graph and computes nothing, so what is measured is the seam alone.
local ffi = require("ffi")
local sdk = require("dlbench_runner")

local NullSession = setmetatable({}, {__index = sdk.Session})
NullSession.__index = NullSession

function NullSession.new(work)
  -- The loss of a guess: every class equally likely.
  return setmetatable({guess = math.log(math.max(2, work.logits_shape[#work.logits_shape])), threads = work.threads, held = {}}, NullSession)
end

function NullSession:put(parameter, tensor)
  local copy = ffi.new("float[?]", tensor.count)
  ffi.copy(copy, tensor.data, tensor.count * 4)
  self.held[parameter.name] = copy
end

function NullSession:get(parameter, tensor)
  ffi.copy(tensor.data, self.held[parameter.name], tensor.count * 4)
end

function NullSession:step(batch, rate) end

function NullSession:loss()
  return self.guess
end

function NullSession:infer(batch) end

function NullSession:outputs(tensor)
  ffi.fill(tensor.data, tensor.count * 4)
end

function NullSession:effective()
  return {{name = "threads", value = self.threads, source = "no threads are made"}}
end

sdk.serve({
  runner = "null-lua",
  framework = "none",
  version = "1",
  build = "no framework: measures the cost of the seam; " .. jit.version,
  ops = {"add", "avg_pool", "batch_norm", "binary_cross_entropy", "concat", "conv2d", "conv_table", "dense",
         "dropout", "embedding", "flatten", "global_avg_pool", "lrn", "lstm", "max_pool", "relu", "sigmoid", "softmax",
         "softmax_cross_entropy", "tanh"},
  optimizers = {"adadelta", "adagrad", "adam", "rmsprop", "sgd"},
}, NullSession.new)
