-- LeNet's training loop in Torch7 as one writes it by hand, without anything of dlbench: main.lua FILE BATCHES THREADS.
--
-- FILE holds the inputs of all batches, then their targets, then the initial parameters. Each line "n" on descriptor 3
-- asks for n steps; the answer is one line with the nanoseconds they took and the last loss.
local ffi = require("ffi")
require("torch")
require("nn")
require("optim")
torch.setdefaulttensortype("torch.FloatTensor")

ffi.cdef([[
typedef struct { long seconds, nanoseconds; } hand_time;
int clock_gettime(int clock, hand_time *time);
void *fdopen(int descriptor, const char *mode);
char *fgets(char *line, int size, void *stream);
ssize_t write(int descriptor, const void *bytes, size_t count);
]])

local BATCH = 64
local CLOCK_MONOTONIC = 1

local function now()
  local time = ffi.new("hand_time")
  ffi.C.clock_gettime(CLOCK_MONOTONIC, time)
  return time.seconds * 1000000000LL + time.nanoseconds
end

local function lenet()
  return nn.Sequential()
    :add(nn.SpatialConvolution(1, 20, 5, 5)):add(nn.SpatialMaxPooling(2, 2, 2, 2))
    :add(nn.SpatialConvolution(20, 50, 5, 5)):add(nn.SpatialMaxPooling(2, 2, 2, 2))
    :add(nn.View(-1, 800)):add(nn.Linear(800, 500)):add(nn.ReLU()):add(nn.Linear(500, 10))
end

-- The batches, with classes from 1 as Torch7 counts them.
local function read_file(path, count, parameters)
  local file = torch.DiskFile(path, "r"):binary()
  local inputs = torch.FloatTensor(file:readFloat(count * BATCH * 28 * 28)):view(count, BATCH, 1, 28, 28)
  local targets = torch.LongTensor(file:readLong(count * BATCH)):add(1):view(count, BATCH)
  parameters:copy(torch.FloatTensor(file:readFloat(parameters:nElement())))
  file:close()
  local batches = {}
  for i = 1, count do
    batches[i] = {inputs = inputs[i], targets = targets[i]}
  end
  return batches
end

torch.setnumthreads(tonumber(arg[3]))
local model, criterion = lenet(), nn.CrossEntropyCriterion()
local parameters, gradients = model:getParameters()
local batches = read_file(arg[1], tonumber(arg[2]), parameters)
local state = {learningRate = 0.01, momentum = 0.9, dampening = 0}
local batch, loss

local function evaluate()
  gradients:zero()
  local outputs = model:forward(batch.inputs)
  loss = criterion:forward(outputs, batch.targets)
  model:backward(batch.inputs, criterion:backward(outputs, batch.targets))
  return loss, gradients
end

local requests, line = ffi.C.fdopen(3, "r"), ffi.new("char[32]")
while ffi.C.fgets(line, 32, requests) ~= nil do
  local steps = tonumber(ffi.string(line))
  local begin = now()
  for i = 0, steps - 1 do
    batch = batches[i % #batches + 1]
    optim.sgd(evaluate, parameters, state)
  end
  local elapsed = now() - begin
  local answer = string.format("%.0f %.9g\n", tonumber(elapsed), loss)
  ffi.C.write(3, answer, #answer)
end
