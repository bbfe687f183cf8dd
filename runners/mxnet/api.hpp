// MXNet's C API with owners and exceptions.
#pragma once

#include <mxnet/c_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace runner {

using Extents = std::vector<std::int64_t>;
using Attributes = std::map<std::string, std::string>;

// Throws what MXNet says when a call failed.
void check(int result);

// Handles are shared: symbols and arrays are references inside MXNet too.
using Symbol = std::shared_ptr<void>;
using Array = std::shared_ptr<void>;
using Executor = std::shared_ptr<void>;

enum class Type : int { f32 = 0, i64 = 6 };  // MXNet's own numbers

[[nodiscard]] Symbol variable(const std::string& name);
[[nodiscard]] AtomicSymbolCreator find_operator(const std::string& type);
// A node of the network: `type` is MXNet's name of the operator.
[[nodiscard]] Symbol apply(const std::string& type, const std::string& name,
                           const std::vector<Symbol>& inputs, const Attributes& attributes = {});

// One symbol with the outputs of all of these.
[[nodiscard]] Symbol group(const std::vector<Symbol>& symbols);

[[nodiscard]] Array make_array(Type type, const Extents& shape);
// Both wait until MXNet has done what concerns the array. `count`: elements.
void copy_in(const Array& array, const void* data, std::size_t count);
void copy_out(const Array& array, void* data, std::size_t count);

// A call of an operator on arrays, ready to be repeated.
class Invocation {
 public:
  Invocation(const std::string& type, const std::vector<Array>& inputs, const Array& output,
             Attributes attributes);

  // Of the next calls.
  void set(const std::string& attribute, const std::string& value) { attributes_[attribute] = value; }
  // Returns before the work is done.
  void run();

 private:
  AtomicSymbolCreator creator_;
  std::vector<Array> inputs_;
  Array output_;
  Attributes attributes_;
};

// "(5, 5)", as MXNet wants extents.
[[nodiscard]] std::string tuple(const Extents& values);
// With all digits of a float.
[[nodiscard]] std::string number(double value);

}  // namespace runner
