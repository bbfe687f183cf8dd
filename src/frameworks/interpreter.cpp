#include "frameworks/interpreter.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "frameworks/tools.hpp"
#include "frameworks/version_range.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

constexpr int newest_minor = 30;
constexpr int oldest_minor = 5;

void add_executable(std::vector<std::string>& list, const fs::path& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0 &&
      std::find(list.begin(), list.end(), path.string()) == list.end()) {
    list.push_back(path.string());
  }
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    if (end > at) {
      parts.push_back(text.substr(at, end - at));
    }
    at = end + 1;
  }
  return parts;
}

std::vector<fs::path> pyenv_versions(const std::string& home) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(home) / ".pyenv" / "versions", error)) {
    folders.push_back(entry.path());
  }
  std::sort(folders.rbegin(), folders.rend());
  return folders;
}

std::string version_of(const std::string& python) {
  const auto text = capture({python, "-I", "-c", "import platform; print(platform.python_version())"});
  return text ? *text : std::string();
}

// What pyenv should install for a range: its lower bound.
std::string wanted_version(const std::vector<Bound>& range) {
  for (const Bound& bound : range) {
    if (bound.relation == ">=" || bound.relation == "==") {
      std::string text;
      for (const int part : bound.version) {
        text += (text.empty() ? "" : ".") + std::to_string(part);
      }
      return text;
    }
  }
  return "3";
}

}  // namespace

std::vector<std::string> interpreter_candidates(const std::string& path_variable, const std::string& home) {
  std::vector<std::string> candidates;
  add_executable(candidates, "/usr/bin/python3");
  const std::vector<std::string> folders = split(path_variable, ':');
  for (int minor = newest_minor; minor >= oldest_minor; --minor) {
    for (const std::string& folder : folders) {
      add_executable(candidates, fs::path(folder) / fmt::format("python3.{}", minor));
    }
  }
  if (!home.empty()) {
    for (const fs::path& version : pyenv_versions(home)) {
      add_executable(candidates, version / "bin" / "python");
    }
  }
  return candidates;
}

tl::expected<Interpreter, std::string> find_interpreter(const std::string& range,
                                                        const std::vector<std::string>& candidates) {
  const auto bounds = parse_range(range);
  DLBENCH_ASSERT(bounds.has_value(), range);
  std::string seen;
  for (const std::string& path : candidates) {
    const std::string version = version_of(path);
    const auto parsed = parse_version(version);
    if (parsed && contains(*bounds, *parsed)) {
      return Interpreter{path, version};
    }
    if (!version.empty()) {
      seen += fmt::format("{}{} ({})", seen.empty() ? "" : ", ", path, version);
    }
  }
  return tl::unexpected<std::string>(fmt::format("needs Python {}; found {}; get one with: pyenv install {}",
                                                 range, seen.empty() ? "none" : seen,
                                                 wanted_version(*bounds)));
}

}  // namespace dlbench::frameworks
