#include "base/error.hpp"

#include <cstring>
#include <utility>

namespace dlbench::base {

UserError::UserError(const std::string& what, std::string where, std::string hint)
    : std::runtime_error(what), where_(std::move(where)), hint_(std::move(hint)) {}

std::string errno_message(std::string_view call, std::string_view path, int error_number) {
  std::string text(call);
  if (!path.empty()) {
    text.append(" ").append(path);
  }
  return text.append(": ").append(std::strerror(error_number));
}

void fail_assertion(const char* condition, const char* file, int line, std::string_view context) {
  std::string text = "assertion failed: ";
  text.append(condition).append(" at ").append(file).append(":").append(std::to_string(line));
  if (!context.empty()) {
    text.append(": ").append(context);
  }
  throw Bug(text);
}

}  // namespace dlbench::base
