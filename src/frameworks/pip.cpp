#include "frameworks/pip.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/text_file.hpp"
#include "frameworks/tools.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_lock_bytes = std::size_t{4} << 20U;
constexpr std::array<std::string_view, 3> builders{"pip", "setuptools", "wheel"};

// "pip" of "pip==21.3.1 --hash=…"
bool is_builder(const std::string& line) {
  const std::string name = line.substr(0, line.find_first_of("= \t;["));
  return std::find(builders.begin(), builders.end(), name) != builders.end();
}

tl::expected<void, std::string> pip_install(const PipRun& run, const std::string& list) {
  std::vector<std::string> argv{run.python, "-m", "pip", "install", "--require-hashes", "--no-deps",
                                // Otherwise what compiles a package would be fetched anew, without hashes.
                                "--no-build-isolation", "--no-input", "--disable-pip-version-check",
                                "--progress-bar", "off"};
  if (!run.wheels.empty()) {
    argv.insert(argv.end(), {"--no-index", "--find-links", run.wheels});
  }
  argv.insert(argv.end(), {"-r", list});
  return run_tool({argv, run.folder, run.log_path, std::chrono::seconds(3600)});
}

}  // namespace

std::string building_packages(const std::string& lock) {
  std::istringstream lines(lock);
  std::string chosen;
  bool continues = false;
  bool is_wanted = false;
  for (std::string line; std::getline(lines, line);) {
    is_wanted = continues ? is_wanted : is_builder(line);
    continues = line.ends_with('\\');
    if (is_wanted) {
      chosen += line + "\n";
    }
  }
  return chosen;
}

tl::expected<void, std::string> install_lock(const PipRun& run) {
  const std::string first = building_packages(base::read_text_file(run.lock_path, max_lock_bytes));
  if (!first.empty()) {
    const std::string list = (fs::path(run.folder) / "first.txt").string();
    base::write_text_file(list, first);
    if (const auto done = pip_install(run, list); !done) {
      return done;
    }
  }
  return pip_install(run, run.lock_path);
}

}  // namespace dlbench::frameworks
