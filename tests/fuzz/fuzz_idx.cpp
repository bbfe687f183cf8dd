#include <cstdint>
#include <vector>

#include "base/error.hpp"
#include "data/idx.hpp"
#include "fuzz/target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace dlbench;
  try {
    const data::IdxArray array = data::parse_idx(std::vector<std::uint8_t>(bytes, bytes + size), "input");
    std::size_t count = 1;
    for (const std::int64_t extent : array.dims) {
      count *= static_cast<std::size_t>(extent);
    }
    DLBENCH_ASSERT(count == array.values.size() && count < size, "extents disagree with the content");
  } catch (const base::UserError&) {
    return 0;
  }
  return 0;
}
