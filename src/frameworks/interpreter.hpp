// Finds a Python interpreter on this machine that fits a range.
#pragma once

#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace dlbench::frameworks {

struct Interpreter {
  std::string path;     // as it names itself, so that no wrapper of the user's shell comes between
  std::string version;  // "3.11.2"
};

// Where interpreters may be, in order of preference: Debian's, python3.N of PATH, those in pyenv's folder
// ("": there is none). Existing executables only.
[[nodiscard]] std::vector<std::string> interpreter_candidates(const std::string& path_variable,
                                                              const std::string& pyenv_root);

// Asks each candidate for its version, at most once and not before it matters.
class Interpreters {
 public:
  explicit Interpreters(std::vector<std::string> candidates);

  // The first candidate whose own version lies in `range` (as in a manifest). The error says what was found
  // and which command gets a fitting one.
  [[nodiscard]] tl::expected<Interpreter, std::string> find(const std::string& range);

 private:
  const Interpreter& ask(const std::string& candidate);

  std::vector<std::string> candidates_;
  std::map<std::string, Interpreter> known_;  // no version: it does not run
};

// Those of this machine; or `chosen` alone, when it is not empty.
[[nodiscard]] Interpreters machine_interpreters(const std::string& chosen);

}  // namespace dlbench::frameworks
