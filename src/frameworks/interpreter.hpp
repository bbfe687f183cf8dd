// Finds a Python interpreter on this machine that fits a range.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace dlbench::frameworks {

struct Interpreter {
  std::string path;
  std::string version;  // "3.11.2"
};

// Where interpreters may be, in order of preference: Debian's, python3.N of PATH, pyenv's. Existing
// executables only.
[[nodiscard]] std::vector<std::string> interpreter_candidates(const std::string& path_variable,
                                                              const std::string& home);

// The first candidate whose own version lies in `range` (as in a manifest). The error says what was found and
// which command gets a fitting one.
[[nodiscard]] tl::expected<Interpreter, std::string> find_interpreter(
    const std::string& range, const std::vector<std::string>& candidates);

}  // namespace dlbench::frameworks
