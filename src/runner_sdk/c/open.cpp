// Taking over the two descriptors (or a replay folder), mapping the arena and checking its layout.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "handle.hpp"
#include "tensors.hpp"

namespace dlb {

namespace {

// One handle per process, and no allocator to make it with.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
dlb_handle the_handle;

bool is_stream_socket(int fd) {
  int type = 0;
  socklen_t bytes = sizeof(type);
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type == SOCK_STREAM;
}

int open_in(dlb_handle* handle, const char* folder, const char* name) {
  char path[4096];
  const int length = snprintf(path, sizeof(path), "%s/%s", folder, name);
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof(path)) {
    return fail(handle, "DLBENCH_REPLAY is too long");
  }
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  return fd >= 0 ? fd : fail(handle, "cannot open %s: %s", path, strerror(errno));
}

int take_descriptors(dlb_handle* handle) {
  if (!is_stream_socket(DLB_SOCKET_FD)) {
    return fail(
        handle,
        "descriptor %d is not the host's socket: a runner is started by dlbench, or replays the folder "
        "named by DLBENCH_REPLAY",
        DLB_SOCKET_FD);
  }
  const int seals = fcntl(DLB_ARENA_FD, F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
    return fail(handle, "descriptor %d is not a sealed arena", DLB_ARENA_FD);
  }
  if (fcntl(DLB_SOCKET_FD, F_SETFD, FD_CLOEXEC) != 0 || fcntl(DLB_ARENA_FD, F_SETFD, FD_CLOEXEC) != 0) {
    return fail(handle, "cannot set close-on-exec: %s", strerror(errno));
  }
  handle->input_fd = DLB_SOCKET_FD;
  handle->output_fd = DLB_SOCKET_FD;
  handle->arena_fd = DLB_ARENA_FD;
  return 0;
}

int take_replay(dlb_handle* handle, const char* folder) {
  handle->is_replay = true;
  handle->output_fd = STDOUT_FILENO;
  handle->arena_fd = open_in(handle, folder, "arena");
  if (handle->arena_fd < 0) {
    return -1;
  }
  handle->input_fd = open_in(handle, folder, "commands");
  return handle->input_fd < 0 ? -1 : 0;
}

int map_arena(dlb_handle* handle) {
  struct stat status;
  if (fstat(handle->arena_fd, &status) != 0) {
    return fail(handle, "cannot read the size of the arena: %s", strerror(errno));
  }
  if (status.st_size < static_cast<off_t>(sizeof(dlb_arena_header))) {
    return fail(handle, "the arena has %lld bytes, less than its header",
                static_cast<long long>(status.st_size));
  }
  handle->arena_bytes = static_cast<std::uint64_t>(status.st_size);
  // A replayed arena stays as it was saved: what the runner writes is private to this process.
  const int sharing = handle->is_replay ? MAP_PRIVATE : MAP_SHARED;
  void* address =
      mmap(nullptr, handle->arena_bytes, PROT_READ | PROT_WRITE, sharing | MAP_POPULATE, handle->arena_fd, 0);
  if (address == MAP_FAILED) {
    return fail(handle, "cannot map the arena: %s", strerror(errno));
  }
  handle->arena = static_cast<unsigned char*>(address);
  handle->header = static_cast<dlb_arena_header*>(address);
  return 0;
}

void forget_layout(dlb_handle* handle) {
  handle->tensor_count = 0;
  handle->slot_count = 0;
  handle->step_capacity = 0;
  handle->tensors = nullptr;
  handle->slots = nullptr;
  handle->records = nullptr;
  handle->rates = nullptr;
}

int check_header(dlb_handle* handle, const dlb_arena_header& header) {
  if (header.magic != DLB_ARENA_MAGIC) {
    return fail(handle, "this is not a dlbench arena: wrong magic number");
  }
  if (header.abi != DLB_ABI) {
    return fail(handle, "the arena has ABI %u, the runner library has ABI %u", header.abi, DLB_ABI);
  }
  if (header.header_bytes != sizeof(dlb_arena_header)) {
    return fail(handle, "the arena's header has %u bytes instead of %zu", header.header_bytes,
                sizeof(dlb_arena_header));
  }
  if (header.arena_bytes != handle->arena_bytes) {
    return fail(handle, "the arena says %llu bytes, its file has %llu",
                static_cast<unsigned long long>(header.arena_bytes),
                static_cast<unsigned long long>(handle->arena_bytes));
  }
  if (header.tensor_count > DLB_MAX_TENSORS) {
    return fail(handle, "the arena has %u tensors, the limit is %u", header.tensor_count, DLB_MAX_TENSORS);
  }
  if (header.slot_count > DLB_MAX_SLOTS) {
    return fail(handle, "the arena has %u slots, the limit is %u", header.slot_count, DLB_MAX_SLOTS);
  }
  return 0;
}

int check_tables(dlb_handle* handle, const dlb_arena_header& header) {
  // Bounded first: the products below cannot overflow then.
  if (header.step_capacity > handle->arena_bytes / sizeof(dlb_step_record)) {
    return fail(handle, "the arena's step records lie outside it");
  }
  if (!is_inside(handle, header.records_offset, header.step_capacity * sizeof(dlb_step_record))) {
    return fail(handle, "the arena's step records lie outside it");
  }
  if (!is_inside(handle, header.rates_offset, header.step_capacity * sizeof(double))) {
    return fail(handle, "the arena's learning rates lie outside it");
  }
  if (!is_inside(handle, header.tensors_offset, header.tensor_count * sizeof(dlb_tensor_entry))) {
    return fail(handle, "the arena's tensor table lies outside it");
  }
  if (!is_inside(handle, header.slots_offset, header.slot_count * sizeof(dlb_slot_entry))) {
    return fail(handle, "the arena's slot table lies outside it");
  }
  return 0;
}

void take_snapshot(dlb_handle* handle, const dlb_arena_header& header) {
  handle->tensor_count = header.tensor_count;
  handle->slot_count = header.slot_count;
  handle->step_capacity = header.step_capacity;
  handle->tensors = reinterpret_cast<dlb_tensor_entry*>(handle->arena + header.tensors_offset);
  handle->slots = reinterpret_cast<dlb_slot_entry*>(handle->arena + header.slots_offset);
  handle->records = reinterpret_cast<dlb_step_record*>(handle->arena + header.records_offset);
  handle->rates = reinterpret_cast<const double*>(handle->arena + header.rates_offset);
}

void release_all(dlb_handle* handle) {
  if (handle->arena != nullptr) {
    munmap(handle->arena, handle->arena_bytes);
  }
  if (handle->input_fd > 0) {
    close(handle->input_fd);
  }
  if (handle->arena_fd > 0) {
    close(handle->arena_fd);
  }
  free(handle->buffer);
  release(handle->libraries);
  char error[sizeof(handle->error)];
  memcpy(error, handle->error, sizeof(error));
  *handle = dlb_handle{};
  memcpy(handle->error, error, sizeof(error));
}

int open_all(dlb_handle* handle, std::uint32_t abi) {
  if (abi != DLB_ABI) {
    return fail(handle, "the runner was written for ABI %u, the runner library has ABI %u", abi, DLB_ABI);
  }
  const char* replay = getenv("DLBENCH_REPLAY");
  const bool has_replay = replay != nullptr && replay[0] != '\0';
  if ((has_replay ? take_replay(handle, replay) : take_descriptors(handle)) != 0) {
    return -1;
  }
  if (map_arena(handle) != 0) {
    return -1;
  }
  handle->buffer = static_cast<char*>(malloc(DLB_MESSAGE_MAX_BYTES + 1U));
  if (handle->buffer == nullptr) {
    return fail(handle, "no memory for the message buffer");
  }
  return check_layout(handle);
}

}  // namespace

int check_layout(dlb_handle* handle) {
  forget_layout(handle);
  const dlb_arena_header header = *handle->header;  // one copy: what is checked is what is used
  handle->generation = header.generation;
  if (check_header(handle, header) != 0 || check_tables(handle, header) != 0) {
    return -1;
  }
  take_snapshot(handle, header);
  for (std::uint32_t i = 0; i < handle->tensor_count; ++i) {
    if (check_tensor(handle, i) != 0) {
      forget_layout(handle);
      return -1;
    }
  }
  for (std::uint32_t i = 0; i < handle->slot_count; ++i) {
    if (check_slot(handle, i) != 0) {
      forget_layout(handle);
      return -1;
    }
  }
  return 0;
}

int refresh_layout(dlb_handle* handle) {
  if (!handle->is_open) {
    return fail(handle, "dlb_open has not succeeded");
  }
  if (handle->header->generation == handle->generation) {
    // A refused layout stays refused, with its reason in `error`.
    return handle->tensors == nullptr ? -1 : 0;
  }
  return check_layout(handle);
}

}  // namespace dlb

extern "C" int dlb_open(std::uint32_t abi, dlb_handle** h) {
  dlb_handle* handle = &dlb::the_handle;
  *h = handle;
  if (handle->is_open) {
    return dlb::fail(handle, "dlb_open was called twice");
  }
  if (dlb::open_all(handle, abi) != 0) {
    dlb::release_all(handle);
    return -1;
  }
  handle->is_open = true;
  return 0;
}

extern "C" void dlb_close(dlb_handle* h) {
  dlb::release_all(h);
}
