#include "onednn.hpp"

#include <cstring>

namespace reference {

dnnl::engine& engine() {
  static dnnl::engine instance(dnnl::engine::kind::cpu, 0);
  return instance;
}

dnnl::stream& stream() {
  static dnnl::stream instance(engine());
  return instance;
}

std::string onednn_version() {
  const dnnl_version_t* version = dnnl_version();
  return std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->patch);
}

std::string onednn_isa() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::sse41:
      return "sse41";
    case dnnl::cpu_isa::avx:
      return "avx";
    case dnnl::cpu_isa::avx2:
      return "avx2";
    case dnnl::cpu_isa::avx512_core:
      return "avx512_core";
    case dnnl::cpu_isa::avx512_core_vnni:
      return "avx512_core_vnni";
    case dnnl::cpu_isa::avx512_core_bf16:
      return "avx512_core_bf16";
    default:
      return "number " + std::to_string(static_cast<int>(dnnl::get_effective_cpu_isa()));
  }
}

bool is_plain_loops(const char* implementation) {
  return std::strstr(implementation, "ref") != nullptr;
}

Call::Call(const dnnl::primitive& primitive, const std::vector<std::pair<int, dnnl::memory>>& arguments)
    : primitive_(primitive) {
  for (const auto& [index, memory] : arguments) {
    memories_.push_back(memory);
    arguments_.push_back({index, memory.get()});
  }
}

void Call::run() const {
  const dnnl_status_t status = dnnl_primitive_execute(primitive_.get(), stream().get(),
                                                      static_cast<int>(arguments_.size()), arguments_.data());
  dnnl::error::wrap_c_api(status, "a oneDNN primitive failed");
}

void reorder(dnnl::memory& from, dnnl::memory& to) {
  dnnl::reorder(from, to).execute(stream(), from, to);
  stream().wait();
}

}  // namespace reference
