#include "handle.hpp"

#include <stdarg.h>
#include <stdio.h>

namespace dlb {

int fail(dlb_handle* handle, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(handle->error, sizeof(handle->error), format, arguments);
  va_end(arguments);
  return -1;
}

bool is_inside(const dlb_handle* handle, std::uint64_t offset, std::uint64_t bytes) {
  return offset % DLB_ALIGNMENT == 0 && offset >= sizeof(dlb_arena_header) && offset <= handle->arena_bytes &&
         bytes <= handle->arena_bytes - offset;
}

}  // namespace dlb

extern "C" const char* dlb_error(const dlb_handle* h) {
  return h->error;
}
