// What a user of MXNet's C API writes first: shorter calls for symbols and arrays. Nothing is freed before
// the process ends.
#pragma once

#include <mxnet/c_api.h>
#include <nnvm/c_api.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hand {

using Shape = std::vector<std::uint32_t>;
using Attributes = std::vector<std::pair<const char*, const char*>>;

constexpr int cpu = 1;
constexpr int float32 = 0;
constexpr int int64 = 6;

inline void check(int result) {
  if (result != 0) {
    throw std::runtime_error(MXGetLastError());
  }
}

inline std::size_t element_count(const Shape& shape) {
  std::size_t count = 1;
  for (const std::uint32_t extent : shape) {
    count *= extent;
  }
  return count;
}

inline AtomicSymbolCreator find_operator(const char* type) {
  OpHandle handle = nullptr;
  check(NNGetOpHandle(type, &handle));
  return handle;
}

inline SymbolHandle variable(const char* name) {
  SymbolHandle symbol = nullptr;
  check(MXSymbolCreateVariable(name, &symbol));
  return symbol;
}

inline SymbolHandle apply(const char* type, std::vector<SymbolHandle> inputs,
                          const Attributes& attributes = {}) {
  static int count = 0;
  std::vector<const char*> keys;
  std::vector<const char*> values;
  for (const auto& [key, value] : attributes) {
    keys.push_back(key);
    values.push_back(value);
  }
  SymbolHandle symbol = nullptr;
  check(MXSymbolCreateAtomicSymbol(find_operator(type), static_cast<std::uint32_t>(keys.size()), keys.data(),
                                   values.data(), &symbol));
  const std::string name = type + std::to_string(count++);
  check(MXSymbolCompose(symbol, name.c_str(), static_cast<std::uint32_t>(inputs.size()), nullptr,
                        inputs.data()));
  return symbol;
}

inline NDArrayHandle make_array(int type, const Shape& shape) {
  NDArrayHandle array = nullptr;
  check(MXNDArrayCreateEx(shape.data(), static_cast<std::uint32_t>(shape.size()), cpu, 0, 0, type, &array));
  return array;
}

}  // namespace hand
