#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "frameworks/frameworks.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// The first that exists; the last one otherwise, so that a later message names a sensible path.
std::string first_existing(std::initializer_list<fs::path> candidates) {
  fs::path chosen;
  for (const fs::path& candidate : candidates) {
    if (candidate.empty()) {
      continue;
    }
    chosen = candidate.lexically_normal();
    std::error_code error;
    if (fs::exists(chosen, error)) {
      break;
    }
  }
  return chosen.string();
}

fs::path absolute_of(const char* name) {
  const std::string value = variable(name);
  if (!value.empty() && value.front() != '/') {
    throw base::UserError(value + " is not an absolute path", name, "set it to an absolute path");
  }
  return value;
}

fs::path cache_folder() {
  if (const fs::path own = absolute_of("DLBENCH_CACHE"); !own.empty()) {
    return own;
  }
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty() && xdg.front() == '/') {
    return fs::path(xdg) / "dlbench";
  }
  const std::string home = variable("HOME");
  if (home.empty() || home.front() != '/') {
    throw base::UserError("no place for the shared cache: HOME is not set", "HOME",
                          "set DLBENCH_CACHE to a folder");
  }
  return fs::path(home) / ".cache" / "dlbench";
}

}  // namespace

Places find_places() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    throw base::UserError("cannot read /proc/self/exe: " + error.message(), "/proc/self/exe",
                          "is /proc mounted?");
  }
  const fs::path bin = executable.parent_path();
  const fs::path share = bin / ".." / "share" / "dlbench";
  Places places;
  places.runners =
      first_existing({absolute_of("DLBENCH_RUNNERS"), share / "runners", fs::path(DLBENCH_BUILD_RUNNERS)});
  places.sdk = first_existing({share / "sdk", bin / ".." / "sdk"});
  places.cache = cache_folder().lexically_normal().string();
  places.launcher =
      first_existing({bin / ".." / "libexec" / "dlbench" / "dlbench-launch", bin / "dlbench-launch"});
  return places;
}

}  // namespace dlbench::frameworks
