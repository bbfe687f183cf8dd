#include "protocol/arena_layout.hpp"

#include <cstddef>
#include <string>

#include "base/error.hpp"

namespace dlbench::protocol {

// Part of the format: other languages read these structs by offset.
static_assert(sizeof(dlb_tensor_entry) == 256 && offsetof(dlb_tensor_entry, role) == 128);
static_assert(offsetof(dlb_tensor_entry, dims) == 144 && offsetof(dlb_tensor_entry, offset) == 192);
static_assert(sizeof(dlb_slot_entry) == 64 && offsetof(dlb_slot_entry, rows) == 48);
static_assert(sizeof(dlb_step_record) == 32 && offsetof(dlb_step_record, loss_valid) == 24);
static_assert(sizeof(dlb_arena_header) == 512 && offsetof(dlb_arena_header, tensors_offset) == 40);
static_assert(offsetof(dlb_arena_header, step_capacity) == 72);
static_assert(offsetof(dlb_arena_header, window_begin_ns) == 128);
static_assert(offsetof(dlb_arena_header, completed_steps) == 192);

namespace {

// Far below any overflow of a sum of regions.
constexpr std::uint64_t max_arena_bytes = std::uint64_t{1} << 46U;

std::uint64_t checked_add(std::uint64_t a, std::uint64_t b) {
  if (a > max_arena_bytes || b > max_arena_bytes - a) {
    throw base::UserError("the batches and weights need more memory than any machine has", {},
                          "use a smaller batch, network or step count");
  }
  return a + b;
}

std::uint64_t checked_multiply(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > max_arena_bytes / b ? checked_add(max_arena_bytes, max_arena_bytes) : a * b;
}

void check(const ArenaPlan& plan) {
  DLBENCH_ASSERT(plan.parameters.size() <= DLB_MAX_TENSORS / 2, "too many parameters for one arena");
  DLBENCH_ASSERT(plan.slots <= DLB_MAX_SLOTS, "too many slots for one arena");
  for (const ArenaTensor& tensor : plan.parameters) {
    DLBENCH_ASSERT(!tensor.name.empty() && tensor.name.size() < DLB_NAME_BYTES, tensor.name);
    DLBENCH_ASSERT(tensor.name.find('\0') == std::string::npos, tensor.name);
    DLBENCH_ASSERT(tensor.dims.size() <= DLB_MAX_RANK, tensor.name);
  }
}

}  // namespace

std::uint64_t aligned(std::uint64_t bytes) {
  return checked_add(bytes, DLB_ALIGNMENT - 1) / DLB_ALIGNMENT * DLB_ALIGNMENT;
}

std::uint64_t tensor_bytes(const ArenaTensor& tensor) {
  std::uint64_t bytes = sizeof(float);
  for (const std::int64_t extent : tensor.dims) {
    DLBENCH_ASSERT(extent >= 0, "a tensor extent must not be negative");
    bytes = checked_multiply(bytes, static_cast<std::uint64_t>(extent));
  }
  return bytes;
}

Layout layout_of(const ArenaPlan& plan) {
  check(plan);
  Layout layout;
  layout.tensors = sizeof(dlb_arena_header);
  layout.slots = checked_add(layout.tensors, plan.parameters.size() * 2 * sizeof(dlb_tensor_entry));
  layout.records = checked_add(layout.slots, plan.slots * sizeof(dlb_slot_entry));
  layout.rates =
      checked_add(layout.records, aligned(checked_multiply(plan.step_capacity, sizeof(dlb_step_record))));
  layout.first_tensor =
      checked_add(layout.rates, aligned(checked_multiply(plan.step_capacity, sizeof(double))));
  layout.first_slot = layout.first_tensor;
  for (const ArenaTensor& tensor : plan.parameters) {
    layout.first_slot = checked_add(layout.first_slot, checked_multiply(2, aligned(tensor_bytes(tensor))));
  }
  layout.slot_stride = checked_add(checked_add(aligned(plan.input_bytes), aligned(plan.target_bytes)),
                                   aligned(plan.output_bytes));
  layout.end = checked_add(layout.first_slot, checked_multiply(plan.slots, layout.slot_stride));
  return layout;
}

}  // namespace dlbench::protocol
