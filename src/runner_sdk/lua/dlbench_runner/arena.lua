-- LuaJIT ffi binding of libdlbench_runner.so; tensors and batches are pointers into the arena, nothing is copied.
local ffi = require("ffi")
local session = require("dlbench_runner.session")

ffi.cdef [[
typedef struct dlb_handle dlb_handle;
typedef struct dlb_tensor {
  void* data; const int64_t* dims; uint32_t rank; uint32_t dtype; uint64_t bytes;
} dlb_tensor;
typedef struct dlb_batch {
  const float* input; uint64_t input_bytes; const int64_t* target; uint64_t target_bytes;
  float* output; uint64_t output_bytes; uint64_t rows;
} dlb_batch;
int dlb_open(uint32_t abi, dlb_handle** h);
const char* dlb_error(const dlb_handle* h);
int dlb_next(dlb_handle* h, const char** json, size_t* bytes);
int dlb_reply(dlb_handle* h, const char* json, size_t bytes);
int dlb_fail(dlb_handle* h, int64_t id, const char* outcome, const char* reason);
int dlb_find(dlb_handle* h, const char* name, uint32_t role, dlb_tensor* tensor);
int dlb_store(dlb_handle* h, const char* name, const float* values, const int64_t* dims, uint32_t rank);
int dlb_slot_count(dlb_handle* h, uint32_t* count);
int dlb_slot(dlb_handle* h, uint32_t k, dlb_batch* batch);
double dlb_rate(const dlb_handle* h, uint64_t step);
uint64_t dlb_step_capacity(const dlb_handle* h);
void dlb_window_begin(dlb_handle* h);
void dlb_window_end(dlb_handle* h);
void dlb_step_begin(dlb_handle* h, uint64_t step);
void dlb_step_end(dlb_handle* h, uint64_t step);
void dlb_loss(dlb_handle* h, uint64_t step, double loss);
int64_t dlb_now_ns(void);
int dlb_libraries(dlb_handle* h, const char** json, size_t* bytes);
void dlb_close(dlb_handle* h);
]]

local ABI = 1
local ROLE_IN = 1
local F32 = 1

-- The collected SDK holds lib/ and lua/dlbench_runner/ side by side.
local here = debug.getinfo(1, "S").source:match("^@(.*)/[^/]*$") or "."
local library = ffi.load(here .. "/../../lib/libdlbench_runner.so")

local Arena = {library = library}
Arena.__index = Arena

-- Fails with a string when there is no host to talk to.
function Arena.open()
  local out = ffi.new("dlb_handle*[1]")
  local status = library.dlb_open(ABI, out)
  local arena = setmetatable({handle = out[0]}, Arena)
  if status < 0 then
    error(arena:last_error(), 0)
  end
  return arena
end

function Arena:last_error()
  return ffi.string(library.dlb_error(self.handle))
end

function Arena:check(status)
  if status < 0 then
    session.protocol_error(self:last_error())
  end
  return status
end

-- The next command's text; nil when the host has gone.
function Arena:next()
  local text, bytes = ffi.new("const char*[1]"), ffi.new("size_t[1]")
  if self:check(library.dlb_next(self.handle, text, bytes)) == 0 then
    return nil
  end
  return ffi.string(text[0], bytes[0])
end

function Arena:reply(text)
  self:check(library.dlb_reply(self.handle, text, #text))
end

function Arena:fail(id, outcome, reason)
  self:check(library.dlb_fail(self.handle, id, outcome, (reason:gsub("%z", " "))))
end

-- The IN tensor of a parameter, checked against its canonical shape.
function Arena:parameter_in(parameter)
  local tensor = ffi.new("dlb_tensor")
  self:check(library.dlb_find(self.handle, parameter.name, ROLE_IN, tensor))
  local same = tensor.dtype == F32 and tensor.rank == #parameter.shape
  for i, extent in ipairs(parameter.shape) do
    same = same and tensor.dims[i - 1] == extent
  end
  if not same then
    session.protocol_error("tensor " .. parameter.name .. " has another shape in the arena")
  end
  return {data = ffi.cast("const float*", tensor.data), shape = parameter.shape,
          count = session.element_count(parameter.shape)}
end

-- Checked copy into the OUT tensor.
function Arena:store(parameter, values)
  local dims = ffi.new("int64_t[?]", math.max(#parameter.shape, 1), parameter.shape)
  self:check(library.dlb_store(self.handle, parameter.name, values, dims, #parameter.shape))
end

-- Every slot of the ring, checked against the loaded work, as {batch, logits tensor or nil}.
function Arena:batches(work)
  local count = ffi.new("uint32_t[1]")
  self:check(library.dlb_slot_count(self.handle, count))
  if count[0] == 0 then
    session.protocol_error("the arena has no batches")
  end
  local tokens = work.graph.vocabulary > 0
  local row_bytes = session.element_count(work.graph.input_shape) * (tokens and 8 or 4)
  local target_bytes = work.graph.targets_per_sample * 8
  local classes = session.element_count(work.logits_shape)
  local ring = {}
  for k = 0, count[0] - 1 do
    local slot = ffi.new("dlb_batch")
    self:check(library.dlb_slot(self.handle, k, slot))
    local rows = tonumber(slot.rows)
    if rows == 0 or rows > work.batch or slot.input_bytes ~= rows * row_bytes or slot.target_bytes ~= rows * target_bytes then
      session.protocol_error("slot " .. k .. " does not fit the loaded work")
    end
    local logits
    if slot.output ~= nil and slot.output_bytes >= rows * classes * 4 then
      logits = {data = slot.output, shape = {rows, unpack(work.logits_shape)}, count = rows * classes}
    end
    local input = tokens and ffi.cast("const int64_t*", slot.input) or slot.input
    ring[k + 1] = {batch = {input = input, target = slot.target, rows = rows, slot = k}, logits = logits}
  end
  return ring
end

function Arena:rates(steps)
  local rates = {}
  for i = 1, steps do
    rates[i] = library.dlb_rate(self.handle, i - 1)
    if rates[i] ~= rates[i] then
      session.protocol_error("no learning rate for every step")
    end
  end
  return rates
end

function Arena:step_capacity()
  return tonumber(library.dlb_step_capacity(self.handle))
end

function Arena:now_ns()
  return tonumber(library.dlb_now_ns())
end

function Arena:libraries()
  local text, bytes = ffi.new("const char*[1]"), ffi.new("size_t[1]")
  self:check(library.dlb_libraries(self.handle, text, bytes))
  return ffi.string(text[0], bytes[0])
end

function Arena:close()
  library.dlb_close(self.handle)
end

return Arena
