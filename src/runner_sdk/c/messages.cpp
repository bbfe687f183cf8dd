// One JSON object per line, in both directions. The content is not looked at.
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "handle.hpp"

namespace dlb {

namespace {

// A reason longer than this helps nobody.
constexpr std::size_t max_reason_bytes = std::size_t{16} << 10U;

// Waits until a non-blocking descriptor can go on; some languages set O_NONBLOCK on what they inherit.
void wait_for(int fd, short events) {
  pollfd descriptor{fd, events, 0};
  poll(&descriptor, 1, -1);
}

int send_all(dlb_handle* handle, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t sent = handle->is_replay ? write(handle->output_fd, bytes, count)
                                           : send(handle->output_fd, bytes, count, MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes += sent;
      count -= static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN) {
      wait_for(handle->output_fd, POLLOUT);
    } else if (errno != EINTR) {
      return fail(handle, "cannot send a message: %s", strerror(errno));
    }
  }
  return 0;
}

// Moves what came after the last line to the front.
void drop_line(dlb_handle* handle) {
  handle->buffered_bytes -= handle->line_bytes;
  memmove(handle->buffer, handle->buffer + handle->line_bytes, handle->buffered_bytes);
  handle->line_bytes = 0;
}

// Ends the line at `end` with a NUL in place of its newline.
int hand_out(dlb_handle* handle, char* end, const char** json, std::size_t* bytes) {
  *end = '\0';
  *json = handle->buffer;
  *bytes = static_cast<std::size_t>(end - handle->buffer);
  handle->line_bytes = *bytes + 1;
  // A layout that is refused here makes every function on tensors and slots fail with its reason.
  (void)refresh_layout(handle);
  return 1;
}

int at_end_of_input(dlb_handle* handle, const char** json, std::size_t* bytes) {
  if (handle->buffered_bytes == 0) {
    return 0;
  }
  if (!handle->is_replay) {
    return fail(handle, "the host closed the connection within a message");
  }
  char* end = handle->buffer + handle->buffered_bytes;  // the last line of a file may lack its newline
  ++handle->buffered_bytes;
  return hand_out(handle, end, json, bytes);
}

}  // namespace

}  // namespace dlb

extern "C" {

int dlb_next(dlb_handle* h, const char** json, std::size_t* bytes) {
  *json = "";
  *bytes = 0;
  if (!h->is_open) {
    return dlb::fail(h, "dlb_open has not succeeded");
  }
  dlb::drop_line(h);
  std::size_t searched = 0;
  while (true) {
    char* unsearched = h->buffer + searched;
    auto* end = static_cast<char*>(memchr(unsearched, '\n', h->buffered_bytes - searched));
    if (end != nullptr) {
      return dlb::hand_out(h, end, json, bytes);
    }
    searched = h->buffered_bytes;
    if (h->buffered_bytes >= DLB_MESSAGE_MAX_BYTES) {
      return dlb::fail(h, "the host sent a message of more than %u bytes", DLB_MESSAGE_MAX_BYTES);
    }
    const ssize_t count = read(h->input_fd, h->buffer + searched, DLB_MESSAGE_MAX_BYTES - searched);
    if (count > 0) {
      h->buffered_bytes += static_cast<std::size_t>(count);
    } else if (count == 0 || errno == ECONNRESET) {
      return dlb::at_end_of_input(h, json, bytes);
    } else if (errno == EAGAIN) {
      dlb::wait_for(h->input_fd, POLLIN);
    } else if (errno != EINTR) {
      return dlb::fail(h, "cannot receive a message: %s", strerror(errno));
    }
  }
}

int dlb_reply(dlb_handle* h, const char* json, std::size_t bytes) {
  if (!h->is_open) {
    return dlb::fail(h, "dlb_open has not succeeded");
  }
  if (bytes + 1 > DLB_MESSAGE_MAX_BYTES) {
    return dlb::fail(h, "a message of %zu bytes exceeds the limit of %u", bytes + 1, DLB_MESSAGE_MAX_BYTES);
  }
  if (memchr(json, '\n', bytes) != nullptr) {
    return dlb::fail(h, "a message must be one line");
  }
  return dlb::send_all(h, json, bytes) != 0 ? -1 : dlb::send_all(h, "\n", 1);
}

int dlb_fail(dlb_handle* h, std::int64_t id, const char* outcome, const char* reason) {
  dlb::Text text{};
  dlb::add(text, "{\"id\":");
  dlb::add(text, id);
  dlb::add(text, ",\"ok\":false,\"outcome\":");
  dlb::add_quoted(text, outcome, dlb::max_reason_bytes);
  dlb::add(text, ",\"reason\":");
  dlb::add_quoted(text, reason, dlb::max_reason_bytes);
  dlb::add(text, "}");
  const int result =
      text.out_of_memory ? dlb::fail(h, "no memory for a message") : dlb_reply(h, text.data, text.bytes);
  dlb::release(text);
  return result;
}

}  // extern "C"
