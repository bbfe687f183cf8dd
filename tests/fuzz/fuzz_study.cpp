#include <string>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "study/study.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlbench;
  try {
    (void)study::parse_study(std::string(reinterpret_cast<const char*>(data), size), "input.yaml");
  } catch (const base::UserError&) {
    return 0;
  }
  return 0;
}
