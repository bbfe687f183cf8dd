#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "protocol/arena.hpp"

namespace {

using namespace dlbench;

protocol::ArenaPlan plan() {
  protocol::ArenaPlan result;
  result.parameters = {{"w", {3, 2}}, {"b", {3}}};
  result.slots = 2;
  result.input_bytes = 96;
  result.target_bytes = 16;
  result.output_bytes = 24;
  result.step_capacity = 8;
  return result;
}

}  // namespace

// A runner may write anything anywhere into the arena; whatever the host reads afterwards must stay inside
// its bounds.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  protocol::Arena arena(plan());
  const std::span<const std::byte> raw = arena.raw();
  std::memcpy(const_cast<std::byte*>(raw.data()), data, std::min(size, raw.size()));
  double sum = 0.0;
  for (const dlb_step_record& record : arena.records()) {
    unsigned char bytes[sizeof record];
    std::memcpy(bytes, &record, sizeof record);
    sum += bytes[0];
  }
  DLBENCH_ASSERT(arena.records().size() <= 8, "records beyond the capacity");
  for (std::size_t i = 0; i < 2; ++i) {
    (void)arena.written(i);
    for (const float value : arena.parameter_out(i)) {
      sum += static_cast<double>(value);
    }
  }
  for (std::uint32_t k = 0; k < 2; ++k) {
    const protocol::Slot slot = arena.slot(k);
    sum += static_cast<double>(slot.output.size()) +
           (slot.output.empty() ? 0.0 : static_cast<double>(slot.output.back()));
  }
  arena.clear_written();
  DLBENCH_ASSERT(arena.lay_out(plan()), "an arena fits its own plan whatever it holds");
  return sum == 0.125 ? 1 : 0;
}
