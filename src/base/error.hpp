// The three kinds of failure and how each travels.
//
// 1. The user can fix it: throw UserError; caught once in main, exit code 2.
// 2. The world is like that (a crash, a missing framework): tl::expected or a recorded outcome, never an
// exception.
// 3. A bug: DLBENCH_ASSERT, always on; main reports it with exit code 70.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace dlbench::base {

// A mistake that the user can correct. `where` is a place ("studies/a.yaml:12", "--threads"); `hint` says
// what to do.
class UserError : public std::runtime_error {
 public:
  explicit UserError(const std::string& what, std::string where = {}, std::string hint = {});
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] const std::string& hint() const { return hint_; }

 private:
  std::string where_;
  std::string hint_;
};

// A broken invariant of dlbench itself.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// "<call> <path>: <strerror(error_number)>"
[[nodiscard]] std::string errno_message(std::string_view call, std::string_view path, int error_number);

[[noreturn]] void fail_assertion(const char* condition, const char* file, int line, std::string_view context);

}  // namespace dlbench::base

// Always on, also in Release: a broken invariant must never become a wrong number.
#define DLBENCH_ASSERT(condition, context)                                      \
  do {                                                                          \
    if (!(condition)) {                                                         \
      ::dlbench::base::fail_assertion(#condition, __FILE__, __LINE__, context); \
    }                                                                           \
  } while (false)
