#include "protocol/arena.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "protocol/arena_layout.hpp"

namespace dlbench::protocol {

// The shared memory itself: sealed, mapped and really there.
namespace detail {

class Memory {
 public:
  explicit Memory(std::uint64_t bytes) : bytes_(bytes) {
    fd_ = memfd_create("dlbench-arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd_ < 0) {
      throw base::UserError(base::errno_message("cannot create", "the arena", errno));
    }
    // ftruncate alone promises nothing: fallocate finds out now, not by SIGBUS later, that memory is short.
    const int error = ftruncate(fd_, static_cast<off_t>(bytes)) != 0
                          ? errno
                          : posix_fallocate(fd_, 0, static_cast<off_t>(bytes));
    if (error != 0) {
      fail("cannot reserve", error);
    }
    if (fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
      fail("cannot seal", errno);
    }
    void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd_, 0);
    if (address == MAP_FAILED) {
      fail("cannot map", errno);
    }
    data_ = static_cast<std::byte*>(address);
  }
  ~Memory() {
    munmap(data_, bytes_);
    close(fd_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::byte* at(std::uint64_t offset) const { return data_ + offset; }

 private:
  [[noreturn]] void fail(std::string_view call, int error) const {
    close(fd_);
    throw base::UserError(base::errno_message(call, fmt::format("an arena of {} MiB", bytes_ >> 20U), error),
                          {}, "use a smaller batch or fewer distinct batches");
  }

  int fd_ = -1;
  std::uint64_t bytes_;
  std::byte* data_ = nullptr;
};

}  // namespace detail

namespace {

// The host keeps its own copy of every offset: what the runner may have written over in the arena is never
// followed.
void write_tables(const detail::Memory& memory, const ArenaPlan& plan, const Layout& layout) {
  auto* entries = reinterpret_cast<dlb_tensor_entry*>(memory.at(layout.tensors));
  std::uint64_t offset = layout.first_tensor;
  for (const ArenaTensor& tensor : plan.parameters) {
    for (const dlb_role role : {DLB_ROLE_IN, DLB_ROLE_OUT}) {
      dlb_tensor_entry& entry = *entries++;
      tensor.name.copy(static_cast<char*>(entry.name), DLB_NAME_BYTES - 1);
      entry.role = role;
      entry.dtype = DLB_F32;
      entry.rank = static_cast<std::uint32_t>(tensor.dims.size());
      std::copy(tensor.dims.begin(), tensor.dims.end(), static_cast<std::int64_t*>(entry.dims));
      entry.offset = offset;
      entry.bytes = tensor_bytes(tensor);
      offset += aligned(entry.bytes);
    }
  }
  auto* slots = reinterpret_cast<dlb_slot_entry*>(memory.at(layout.slots));
  for (std::uint32_t k = 0; k < plan.slots; ++k) {
    dlb_slot_entry& slot = slots[k];
    slot.input_offset = layout.first_slot + k * layout.slot_stride;
    slot.target_offset = slot.input_offset + aligned(plan.input_bytes);
    slot.output_offset = plan.output_bytes == 0 ? 0 : slot.target_offset + aligned(plan.target_bytes);
    slot.output_bytes = plan.output_bytes;
  }
}

}  // namespace

struct Arena::Impl {
  Impl(const ArenaPlan& first, std::uint64_t bytes) : memory(bytes) { lay_out(first, layout_of(first)); }

  void lay_out(const ArenaPlan& next, const Layout& next_layout) {
    const std::uint64_t used = std::max(layout.end, next_layout.end);
    std::memset(memory.at(0), 0, used);
    plan = next;
    layout = next_layout;
    write_tables(memory, plan, layout);
    dlb_arena_header& head = header();
    head.magic = DLB_ARENA_MAGIC;
    head.abi = DLB_ABI;
    head.header_bytes = sizeof(dlb_arena_header);
    head.arena_bytes = memory.bytes();
    head.generation = ++generation;
    head.tensor_count = static_cast<std::uint32_t>(plan.parameters.size() * 2);
    head.slot_count = plan.slots;
    head.tensors_offset = layout.tensors;
    head.slots_offset = layout.slots;
    head.records_offset = layout.records;
    head.rates_offset = layout.rates;
    head.step_capacity = plan.step_capacity;
    tensor_offsets.clear();
    std::uint64_t offset = layout.first_tensor;
    for (const ArenaTensor& tensor : plan.parameters) {
      tensor_offsets.push_back(offset);
      offset += 2 * aligned(tensor_bytes(tensor));
    }
  }

  [[nodiscard]] dlb_arena_header& header() const {
    return *reinterpret_cast<dlb_arena_header*>(memory.at(0));
  }
  [[nodiscard]] dlb_tensor_entry& entry(std::size_t i, std::size_t role) const {
    DLBENCH_ASSERT(i < plan.parameters.size(), "parameter index");
    return reinterpret_cast<dlb_tensor_entry*>(memory.at(layout.tensors))[2 * i + role];
  }
  [[nodiscard]] std::span<float> values(std::size_t i, std::size_t role) const {
    DLBENCH_ASSERT(i < plan.parameters.size(), "parameter index");
    const std::uint64_t bytes = tensor_bytes(plan.parameters[i]);
    const std::uint64_t offset = tensor_offsets[i] + role * aligned(bytes);
    return {reinterpret_cast<float*>(memory.at(offset)), bytes / sizeof(float)};
  }

  detail::Memory memory;
  ArenaPlan plan;
  Layout layout;
  std::vector<std::uint64_t> tensor_offsets;  // of each parameter's IN tensor; OUT follows it
  std::uint64_t generation = 0;
};

std::uint64_t arena_bytes(const ArenaPlan& plan) {
  return layout_of(plan).end;
}

Arena::Arena(const ArenaPlan& plan, std::uint64_t reserve_bytes)
    : impl_(std::make_unique<Impl>(plan, aligned(std::max(arena_bytes(plan), reserve_bytes)))) {}

Arena::~Arena() = default;

int Arena::fd() const {
  return impl_->memory.fd();
}

std::uint64_t Arena::bytes() const {
  return impl_->memory.bytes();
}

bool Arena::lay_out(const ArenaPlan& plan) {
  const Layout layout = layout_of(plan);
  if (layout.end > impl_->memory.bytes()) {
    return false;
  }
  impl_->lay_out(plan, layout);
  return true;
}

std::span<float> Arena::parameter_in(std::size_t i) {
  return impl_->values(i, 0);
}

std::span<const float> Arena::parameter_out(std::size_t i) const {
  return impl_->values(i, 1);
}

bool Arena::written(std::size_t i) const {
  return impl_->entry(i, 1).written == 1;
}

void Arena::clear_written() {
  for (std::size_t i = 0; i < impl_->plan.parameters.size(); ++i) {
    impl_->entry(i, 1).written = 0;
  }
}

Slot Arena::slot(std::uint32_t k) {
  const ArenaPlan& plan = impl_->plan;
  DLBENCH_ASSERT(k < plan.slots, "slot index");
  const std::uint64_t input = impl_->layout.first_slot + k * impl_->layout.slot_stride;
  const std::uint64_t target = input + aligned(plan.input_bytes);
  const std::uint64_t output = target + aligned(plan.target_bytes);
  const detail::Memory& memory = impl_->memory;
  return {{memory.at(input), plan.input_bytes},
          {memory.at(target), plan.target_bytes},
          {memory.at(output), plan.output_bytes}};
}

void Arena::set_rows(std::uint32_t k, std::uint64_t rows, std::uint64_t input_bytes,
                     std::uint64_t target_bytes) {
  DLBENCH_ASSERT(k < impl_->plan.slots, "slot index");
  DLBENCH_ASSERT(input_bytes <= impl_->plan.input_bytes, "input exceeds its slot");
  DLBENCH_ASSERT(target_bytes <= impl_->plan.target_bytes, "target exceeds its slot");
  auto& entry = reinterpret_cast<dlb_slot_entry*>(impl_->memory.at(impl_->layout.slots))[k];
  entry.rows = rows;
  entry.input_bytes = input_bytes;
  entry.target_bytes = target_bytes;
}

std::span<double> Arena::rates() {
  return {reinterpret_cast<double*>(impl_->memory.at(impl_->layout.rates)), impl_->plan.step_capacity};
}

std::span<const dlb_step_record> Arena::records() const {
  const auto* first = reinterpret_cast<const dlb_step_record*>(impl_->memory.at(impl_->layout.records));
  return {first, std::min(completed_steps(), impl_->plan.step_capacity)};
}

std::uint64_t Arena::completed_steps() const {
  return std::atomic_ref<std::uint64_t>(impl_->header().completed_steps).load(std::memory_order_acquire);
}

const dlb_arena_header& Arena::header() const {
  return impl_->header();
}

std::span<const std::byte> Arena::raw() const {
  return {impl_->memory.at(0), impl_->memory.bytes()};
}

}  // namespace dlbench::protocol
