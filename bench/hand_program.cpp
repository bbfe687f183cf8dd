#include "bench/hand_program.hpp"

#include <algorithm>
#include <filesystem>

#include "frameworks/frameworks.hpp"
#include "frameworks/tools.hpp"

namespace dlbench::bench {
namespace {

namespace fs = std::filesystem;
using Command = tl::expected<std::vector<std::string>, std::string>;

// With the command lines by which `dlbench install` compiles a runner: same compiler, build type and
// environment.
Command compile(const host::Runner& runner, const fs::path& source, const std::string& folder) {
  const std::string name = "hand_" + runner.manifest.name;
  const std::string build = (fs::path(folder) / name).string();
  const auto tool = [&](const std::vector<std::string>& argv) {
    return frameworks::run_tool({.argv = argv, .folder = folder, .log_path = build + ".log"});
  };
  return tool({"cmake", "-S", source.string(), "-B", build, "-DCMAKE_BUILD_TYPE=Release",
               "-DFRAMEWORK_ENV=" + runner.installed.folder})
      .and_then([&] { return tool({"cmake", "--build", build}); })
      .map([&] { return std::vector<std::string>{(fs::path(build) / name).string()}; });
}

}  // namespace

std::vector<std::string> hand_frameworks() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(DLBENCH_HAND_PROGRAMS)) {
    if (entry.is_directory()) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

Command hand_program(const host::Runner& runner, const std::string& folder) {
  const fs::path source = fs::path(DLBENCH_HAND_PROGRAMS) / runner.manifest.name;
  if (!fs::is_directory(source)) {
    return tl::unexpected<std::string>("there is no hand-written program of this framework");
  }
  if (fs::exists(source / "CMakeLists.txt")) {
    return compile(runner, source, folder);
  }
  // The runner's command with the other folder in it: the same interpreter, another main program.
  frameworks::Manifest manifest = runner.manifest;
  manifest.folder = source.string();
  return frameworks::start_command(runner.places, manifest, runner.installed, 1).command;
}

}  // namespace dlbench::bench
