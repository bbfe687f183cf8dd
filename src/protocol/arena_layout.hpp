// Where everything lies in an arena: pure arithmetic, no memory.
#pragma once

#include <cstdint>

#include "protocol/arena.hpp"

namespace dlbench::protocol {

// Where every region starts, in file order: header, tensor table, slot table, records, rates, tensors, slots.
struct Layout {
  std::uint64_t tensors = 0;
  std::uint64_t slots = 0;
  std::uint64_t records = 0;
  std::uint64_t rates = 0;
  std::uint64_t first_tensor = 0;
  std::uint64_t first_slot = 0;
  std::uint64_t slot_stride = 0;
  std::uint64_t end = 0;
};

// Asserts that the plan is well-formed (names, ranks, counts); throws base::UserError when its size is
// absurd.
[[nodiscard]] Layout layout_of(const ArenaPlan& plan);

// Rounded up to DLB_ALIGNMENT.
[[nodiscard]] std::uint64_t aligned(std::uint64_t bytes);

[[nodiscard]] std::uint64_t tensor_bytes(const ArenaTensor& tensor);

}  // namespace dlbench::protocol
