#include "session/chunk.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "session/failure.hpp"

namespace dlbench::session {
namespace {

std::optional<std::string> find_bad_step(std::span<const dlb_step_record> records,
                                         const dlb_arena_header& window) {
  std::int64_t earliest_ns = window.window_begin_ns;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const dlb_step_record record = records[i];
    if (record.begin_ns < earliest_ns || record.end_ns < record.begin_ns) {
      return fmt::format("the clock of step {} runs backwards: {} … {} ns, not before {} ns expected", i,
                         record.begin_ns, record.end_ns, earliest_ns);
    }
    earliest_ns = record.end_ns;
  }
  if (window.window_end_ns < earliest_ns) {
    return fmt::format("the window ends at {} ns, its last step at {} ns", window.window_end_ns, earliest_ns);
  }
  return std::nullopt;
}

}  // namespace

Expected<ChunkReply> check_chunk(const protocol::Arena& arena, std::int64_t steps, const HostWindow& host) {
  const std::uint64_t completed = arena.completed_steps();
  if (completed != static_cast<std::uint64_t>(steps)) {
    return broke_protocol(fmt::format("{} steps were recorded, {} were asked for", completed, steps));
  }
  const dlb_arena_header window = arena.header();  // a copy: what is checked is what is used
  if (window.window_begin_ns < host.sent_ns || window.window_end_ns > host.received_ns) {
    return broke_protocol(
        fmt::format("the window {} … {} ns lies outside the command {} … {} ns (clock backwards?)",
                    window.window_begin_ns, window.window_end_ns, host.sent_ns, host.received_ns));
  }
  if (window.window_end_ns < window.window_begin_ns || window.cpu_end_ns < window.cpu_begin_ns ||
      window.cpu_begin_ns < 0) {
    return broke_protocol(fmt::format("the window's clock runs backwards: wall {} … {} ns, CPU {} … {} ns",
                                      window.window_begin_ns, window.window_end_ns, window.cpu_begin_ns,
                                      window.cpu_end_ns));
  }
  if (auto bad = find_bad_step(arena.records(), window)) {
    return broke_protocol(std::move(*bad));
  }
  return ChunkReply{window.window_end_ns - window.window_begin_ns, window.cpu_end_ns - window.cpu_begin_ns,
                    steps, std::nullopt};
}

std::string unwritten_parameter(const protocol::Arena& arena) {
  const std::span<const std::byte> raw = arena.raw();
  const dlb_arena_header header = arena.header();
  const std::uint64_t table_bytes = std::uint64_t{header.tensor_count} * sizeof(dlb_tensor_entry);
  if (header.tensors_offset > raw.size() || table_bytes > raw.size() - header.tensors_offset) {
    return "(the tensor table was overwritten)";
  }
  for (std::uint32_t i = 0; i < header.tensor_count; ++i) {
    dlb_tensor_entry entry;
    std::memcpy(&entry, raw.data() + header.tensors_offset + i * sizeof entry, sizeof entry);
    if (entry.role == DLB_ROLE_OUT && entry.written != 1) {
      const auto* name = static_cast<const char*>(entry.name);
      return {name, ::strnlen(name, DLB_NAME_BYTES)};
    }
  }
  return {};
}

}  // namespace dlbench::session
