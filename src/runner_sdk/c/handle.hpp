// The state behind dlb_handle and what the parts of the library share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dlb_runner.h"
#include "text.hpp"

// One per process, in static storage, so that dlb_error works even when dlb_open failed. All zero is "not
// open".
struct dlb_handle {
  char error[1024];
  bool is_open;
  bool is_replay;
  int input_fd;   // socket, or the file of commands when replaying
  int output_fd;  // socket, or stdout when replaying
  int arena_fd;

  // Received bytes: [0, line_bytes) is the line handed out last (with its newline), the rest came after it.
  char* buffer;
  std::size_t buffered_bytes;
  std::size_t line_bytes;

  unsigned char* arena;
  std::uint64_t arena_bytes;
  dlb_arena_header* header;

  // Snapshot of the layout that was checked last; all zero when it was refused. Nothing in the arena's header
  // is followed without it.
  std::uint64_t generation;
  std::uint32_t tensor_count;
  std::uint32_t slot_count;
  std::uint64_t step_capacity;
  dlb_tensor_entry* tensors;
  dlb_slot_entry* slots;
  dlb_step_record* records;
  const double* rates;
  dlb_step_record spill;  // takes the records of steps beyond the capacity

  dlb::Text libraries;
};

namespace dlb {

// Stores a sentence for dlb_error and returns -1.
[[gnu::format(printf, 2, 3)]] int fail(dlb_handle* handle, const char* format, ...);

// Checks magic, ABI and every offset of the arena and takes the snapshot.
int check_layout(dlb_handle* handle);

// Checks again when the host has laid the arena out anew since the last check.
int refresh_layout(dlb_handle* handle);

// True when [offset, offset + bytes) lies in the arena behind its header and starts aligned.
bool is_inside(const dlb_handle* handle, std::uint64_t offset, std::uint64_t bytes);

}  // namespace dlb
