#include "frameworks/interpreter.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "frameworks/tools.hpp"
#include "frameworks/version_range.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

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

// Where pyenv keeps its interpreters: the user may have said where.
std::string pyenv_root() {
  const std::string root = variable("PYENV_ROOT");
  const std::string home = variable("HOME");
  return !root.empty() || home.empty() ? root : home + "/.pyenv";
}

std::vector<fs::path> pyenv_versions(const std::string& pyenv_root) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(pyenv_root) / "versions", error)) {
    folders.push_back(entry.path());
  }
  std::sort(folders.rbegin(), folders.rend());
  return folders;
}

// Two lines: version and path. A wrapper such as pyenv's needs variables that a runner does not get, so the
// interpreter itself says where it is.
Interpreter asked(const std::string& candidate) {
  const auto text = capture(
      {candidate, "-I", "-c",
       "import platform, sys; print(platform.python_version()); print(sys.executable or sys.argv[0])"});
  if (!text) {
    return {candidate, {}};
  }
  const std::size_t line_end = text->find('\n');
  const std::string path = line_end == std::string::npos ? std::string() : text->substr(line_end + 1);
  return {path.starts_with('/') ? path : candidate, text->substr(0, line_end)};
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

std::vector<std::string> interpreter_candidates(const std::string& path_variable,
                                                const std::string& pyenv_root) {
  std::vector<std::string> candidates;
  add_executable(candidates, "/usr/bin/python3");
  const std::vector<std::string> folders = split(path_variable, ':');
  for (int minor = newest_minor; minor >= oldest_minor; --minor) {
    for (const std::string& folder : folders) {
      add_executable(candidates, fs::path(folder) / fmt::format("python3.{}", minor));
    }
  }
  if (!pyenv_root.empty()) {
    for (const fs::path& version : pyenv_versions(pyenv_root)) {
      add_executable(candidates, version / "bin" / "python");
    }
  }
  return candidates;
}

Interpreters::Interpreters(std::vector<std::string> candidates) : candidates_(std::move(candidates)) {}

tl::expected<Interpreter, std::string> Interpreters::find(const std::string& range) {
  const auto bounds = parse_range(range);
  DLBENCH_ASSERT(bounds.has_value(), range);
  std::string seen;
  for (const std::string& candidate : candidates_) {
    const Interpreter& interpreter = ask(candidate);
    const auto version = parse_version(interpreter.version);
    if (version && contains(*bounds, *version)) {
      return interpreter;
    }
    if (!interpreter.version.empty()) {
      seen += fmt::format("{}{} ({})", seen.empty() ? "" : ", ", candidate, interpreter.version);
    }
  }
  return tl::unexpected<std::string>(fmt::format("needs Python {}; found {}; get one with: pyenv install {}",
                                                 range, seen.empty() ? "none" : seen,
                                                 wanted_version(*bounds)));
}

const Interpreter& Interpreters::ask(const std::string& candidate) {
  const auto known = known_.find(candidate);
  return known != known_.end() ? known->second : known_.emplace(candidate, asked(candidate)).first->second;
}

Interpreters machine_interpreters(const std::string& chosen) {
  return Interpreters(chosen.empty() ? interpreter_candidates(variable("PATH"), pyenv_root())
                                     : std::vector<std::string>{chosen});
}

}  // namespace dlbench::frameworks
