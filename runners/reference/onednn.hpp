// The little of oneDNN that every operator needs: one engine, calls prepared once, and no slow
// implementations.
#pragma once

#include <dnnl.hpp>
#include <string>
#include <vector>

#include "runner_sdk/cpp/unsupported.hpp"

namespace reference {

[[nodiscard]] dnnl::engine& engine();
[[nodiscard]] dnnl::stream& stream();

// "2.6.3"
[[nodiscard]] std::string onednn_version();
// Instruction set that oneDNN compiles for, as it reports it.
[[nodiscard]] std::string onednn_isa();

// oneDNN falls back to plain loops, hundreds of times slower, without a word; their names contain "ref".
[[nodiscard]] bool is_plain_loops(const char* implementation);

// The first implementation that is not plain loops; throws Unsupported when there is none.
template <class PrimitiveDescriptor>
PrimitiveDescriptor require_fast(PrimitiveDescriptor descriptor, const std::string& what) {
  while (is_plain_loops(descriptor.impl_info_str())) {
    if (!descriptor.next_impl()) {
      throw dlbench::sdk::Unsupported(what + ": oneDNN has only its plain loops for this shape");
    }
  }
  return descriptor;
}

// A primitive with its arguments, ready to run: the C++ interface of oneDNN would build a new argument list,
// with allocations, at each call. Keeps its memory objects alive, which the arguments themselves do not.
class Call {
 public:
  Call(const dnnl::primitive& primitive, const std::vector<std::pair<int, dnnl::memory>>& arguments);
  void run() const;

 private:
  dnnl::primitive primitive_;
  std::vector<dnnl::memory> memories_;
  std::vector<dnnl_exec_arg_t> arguments_;
};

// Copies and converts between layouts, outside of steps.
void reorder(dnnl::memory& from, dnnl::memory& to);

}  // namespace reference
