#include "api.hpp"

#include <fmt/format.h>
#include <nnvm/c_api.h>

#include <mutex>
#include <stdexcept>
#include <utility>

namespace runner {

namespace {

constexpr int cpu = 1;

Symbol own_symbol(SymbolHandle handle) {
  return {handle, [](SymbolHandle symbol) { MXSymbolFree(symbol); }};
}

// Asking for the list is what gives MXNet's older operators (Pad) their implementation.
void complete_operators() {
  std::uint32_t count = 0;
  const char** names = nullptr;
  check(MXListAllOpNames(&count, &names));
}

}  // namespace

void check(int result) {
  if (result != 0) {
    throw std::runtime_error(MXGetLastError());
  }
}

AtomicSymbolCreator find_operator(const std::string& type) {
  static std::once_flag once;
  std::call_once(once, complete_operators);
  OpHandle handle = nullptr;
  check(NNGetOpHandle(type.c_str(), &handle));
  return handle;
}

Symbol variable(const std::string& name) {
  SymbolHandle handle = nullptr;
  check(MXSymbolCreateVariable(name.c_str(), &handle));
  return own_symbol(handle);
}

Symbol apply(const std::string& type, const std::string& name, const std::vector<Symbol>& inputs,
             const Attributes& attributes) {
  std::vector<const char*> keys;
  std::vector<const char*> values;
  for (const auto& [key, value] : attributes) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  SymbolHandle handle = nullptr;
  check(MXSymbolCreateAtomicSymbol(find_operator(type), static_cast<std::uint32_t>(keys.size()), keys.data(),
                                   values.data(), &handle));
  Symbol symbol = own_symbol(handle);
  std::vector<SymbolHandle> handles;
  for (const Symbol& input : inputs) {
    handles.push_back(input.get());
  }
  check(MXSymbolCompose(handle, name.c_str(), static_cast<std::uint32_t>(handles.size()), nullptr,
                        handles.data()));
  return symbol;
}

Symbol group(const std::vector<Symbol>& symbols) {
  std::vector<SymbolHandle> handles;
  for (const Symbol& symbol : symbols) {
    handles.push_back(symbol.get());
  }
  SymbolHandle handle = nullptr;
  check(MXSymbolCreateGroup(static_cast<std::uint32_t>(handles.size()), handles.data(), &handle));
  return own_symbol(handle);
}

Array make_array(Type type, const Extents& shape) {
  const std::vector<std::uint32_t> extents(shape.begin(), shape.end());
  NDArrayHandle handle = nullptr;
  check(MXNDArrayCreateEx(extents.data(), static_cast<std::uint32_t>(extents.size()), cpu, 0, 0,
                          static_cast<int>(type), &handle));
  return {handle, [](NDArrayHandle array) { MXNDArrayFree(array); }};
}

void copy_in(const Array& array, const void* data, std::size_t count) {
  check(MXNDArraySyncCopyFromCPU(array.get(), data, count));
}

void copy_out(const Array& array, void* data, std::size_t count) {
  check(MXNDArraySyncCopyToCPU(array.get(), data, count));
}

Invocation::Invocation(const std::string& type, const std::vector<Array>& inputs, const Array& output,
                       Attributes attributes)
    : creator_(find_operator(type)), inputs_(inputs), output_(output), attributes_(std::move(attributes)) {}

void Invocation::run() {
  std::vector<NDArrayHandle> inputs;
  for (const Array& input : inputs_) {
    inputs.push_back(input.get());
  }
  std::vector<const char*> keys;
  std::vector<const char*> values;
  for (const auto& [key, value] : attributes_) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  NDArrayHandle output = output_.get();
  NDArrayHandle* outputs = &output;
  int output_count = 1;
  check(MXImperativeInvoke(creator_, static_cast<int>(inputs.size()), inputs.data(), &output_count, &outputs,
                           static_cast<int>(keys.size()), keys.data(), values.data()));
}

std::string tuple(const Extents& values) {
  return fmt::format("({})", fmt::join(values, ", "));
}

std::string number(double value) {
  return fmt::format("{:.9g}", value);
}

}  // namespace runner
