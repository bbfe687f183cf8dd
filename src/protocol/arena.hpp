// The host's view of the arena: plans the layout, owns the memory, checks nothing the runner wrote without
// bounds.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "protocol/dlb_arena.h"

namespace dlbench::protocol {

struct ArenaTensor {
  std::string name;
  std::vector<std::int64_t> dims;
};

struct ArenaPlan {
  std::vector<ArenaTensor> parameters;  // each gets an IN and an OUT tensor, float32
  std::uint32_t slots = 0;
  std::uint64_t input_bytes = 0;  // capacity of a slot: full batch
  std::uint64_t target_bytes = 0;
  std::uint64_t output_bytes = 0;  // 0: no logits region
  std::uint64_t step_capacity = 0;
};

struct Slot {
  std::span<std::byte> input;  // capacity
  std::span<std::byte> target;
  std::span<std::byte> output;
};

// One sealed memfd, mapped populated. Throws base::UserError when the size exceeds what the machine can give.
class Arena {
 public:
  // `reserve_bytes`: size of the memfd if larger than the plan needs, so that later plans fit (many loads).
  explicit Arena(const ArenaPlan& plan, std::uint64_t reserve_bytes = 0);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] int fd() const;
  [[nodiscard]] std::uint64_t bytes() const;
  // Lays out anew for other work (between commands only); false when it does not fit.
  [[nodiscard]] bool lay_out(const ArenaPlan& plan);

  [[nodiscard]] std::span<float> parameter_in(std::size_t i);
  // Throws nothing; `written(i)` says whether the runner stored it since the last clear_written().
  [[nodiscard]] std::span<const float> parameter_out(std::size_t i) const;
  [[nodiscard]] bool written(std::size_t i) const;
  void clear_written();
  [[nodiscard]] Slot slot(std::uint32_t k);
  void set_rows(std::uint32_t k, std::uint64_t rows, std::uint64_t input_bytes, std::uint64_t target_bytes);
  [[nodiscard]] std::span<double> rates();
  // Records of the first `completed_steps()` steps (never beyond the capacity).
  [[nodiscard]] std::span<const dlb_step_record> records() const;
  [[nodiscard]] std::uint64_t completed_steps() const;  // acquire
  [[nodiscard]] const dlb_arena_header& header() const;
  // Only for `verify --keep`: the raw bytes.
  [[nodiscard]] std::span<const std::byte> raw() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

[[nodiscard]] std::uint64_t arena_bytes(const ArenaPlan& plan);

}  // namespace dlbench::protocol
